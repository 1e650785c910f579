/** What carriers report late, leave out for a while, or report when it is over. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { inLines } from "./in-lines.ts";

const { assertLooks, looks, polled } = inLines({ madeOn: 1 });

const sailed = "LOAD CNTAO 1 HERON; DEPA CNTAO 2 HERON";
const eta = "ARRI? DEHAM 20 HERON";

test("a vessel that leaves the box's last port takes it nowhere, though its discharge is not reported yet", () => {
  const berthed = `${sailed}; ARRI DEHAM 20 HERON`;
  const left = `${berthed}; DEPA DEHAM 21 HERON`;
  assertLooks(
    `@3 ${sailed}; ${eta} | @20 ${berthed} | @21 ${left} | @22 + DISC DEHAM 20.20 HERON`,
    "in_transit",
    "at_berth updated(status)",
    "at_berth",
    "discharged updated(status)",
  );
  assertLooks(
    `@3 ${sailed}; ${eta} | @22 ${left} | @23 + GTOT DEHAM 23`,
    "in_transit",
    "at_berth updated(status)",
    "delivered container_delivered",
  );
  const overcarried = polled(`@3 ${sailed}; ${eta} | @23 ${left}; ARRI DKAAR 23 HERON`)[1]!.record;
  assert.equal(overcarried.boxes[0]?.timeline.at(-1)?.place?.unlocode, "DKAAR");
  assert.equal(overcarried.status, "at_berth", "it may have stayed aboard");
});

test("a call on the way of a vessel that is late is not its arrival, and the new estimate has moved from the old", () => {
  const late = `${sailed}; ARRI ESALG 21 HERON`;
  const line = `@3 ${sailed}; ${eta} | @21 ${late}; ${eta} | @22 ${late}; ARRI? DEHAM 26 HERON (22)`;
  assertLooks(line, "in_transit", "at_berth updated(status)", "at_berth eta_changed");
  for (const { record } of polled(line)) assert.equal(record.boxes[0]?.discharge?.unlocode, "DEHAM");
});

test("a call at another port of the coast, its plan left behind, is the arrival", () => {
  const [, there] = looks(`@3 ${sailed}; ${eta} | @21 + ARRI DEWVN 21 HERON`);
  assert.equal(there, "at_berth updated(status,eta,discharge)");
});

test("a plan that one answer leaves out is no change when it is back", () =>
  assertLooks(`@3 ${sailed}; ${eta} | @4 ${sailed} | @5 + ${eta}`, "in_transit", "in_transit", "in_transit"));

test("spec 3.3: genuine_transition: a box that comes in laden again was not delivered, and documents from before are no transition", () => {
  const [isIn, isOut] = ["GTIN DEMUC/INTE 22", "GTOT DEMUC/INTE 23"];
  const back = "GTIN DEHAM 24 empty; CUS:HOLD 20.20; SRM:RELS 20.22";
  assertLooks(
    `@19 ${sailed} | @21 + DISC DEHAM 20 HERON; GTOT DEHAM 21 | @22 + ${isIn} | @23 + ${isOut} | @24 + ${back}`,
    "in_transit",
    "delivered container_delivered updated(eta,discharge)",
    "available container_available",
    "delivered container_delivered",
    "returned_empty updated(status)",
  );
});

test("a plan that is stated leg by leg has the box arrive at the end of each leg", () => {
  const hub = `${sailed}; ARRI SGSIN 8 HERON; DISC SGSIN 9 HERON transshipment`;
  const onward = `${hub}; LOAD SGSIN 12 TERN; DEPA SGSIN 13 TERN`;
  const [first, next, later] = [
    "ARRI? SGSIN 8 HERON",
    "ARRI? DEHAM 28 TERN (11)",
    "ARRI? DEHAM 31 TERN (27)",
  ];
  const line = [
    `@3 ${sailed}; ${first} | @7 + | @8 ${sailed}; ARRI SGSIN 8 HERON | @9 ${hub} | @11 + ${next}`,
    `@14 ${onward}; ${next} | @27 + | @27.13 ${onward}; ${later} | @30 +`,
  ].join(" | ");
  assertLooks(
    line,
    "in_transit",
    "arriving container_arrived",
    "at_berth updated(status)",
    "at_transshipment updated(status)",
    "at_transshipment updated(eta,discharge)",
    "in_transit vessel_departed updated(vessel)",
    "arriving container_arrived",
    "in_transit eta_changed updated(status)",
    "arriving updated(status)",
  );
  const keys = polled(line).flatMap(({ raised }) => raised.flatMap(({ dedupKey }) => dedupKey ?? []));
  assert.equal(new Set(keys).size, keys.length);
});
