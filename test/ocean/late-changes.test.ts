/** What carriers report late, leave out for a while, or report when it is over. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CarrierEvent } from "../../src/products/ocean/sources/carrier-event.ts";
import { event, march, documentEvent } from "./event.ts";
import { pollThrough, raisedIn, type Poll } from "./life.ts";

const heron = { vessel: { name: "HERON DAWN", imo: null } };
const inland = { unlocode: "DEMUC", name: null, facility: null, facilityType: "INTE" };

const sailed = [event("LOAD", "CNTAO", march(1), heron), event("DEPA", "CNTAO", march(2), heron)];

function estimate(code: string, unlocode: string, atMs: number, createdAtMs = march(1)): CarrierEvent {
  return event(code, unlocode, atMs, { ...heron, classifier: "estimated", createdAtMs });
}

/** The status and the events of each look, without its time. */
function lines(polls: readonly Poll[]): readonly string[] {
  return raisedIn(polls).map((line) => line.slice("2026-03-10T10:50 ".length));
}

test("a vessel that leaves the box's last port takes it nowhere, though its discharge is not reported yet", () => {
  const eta = estimate("ARRI", "DEHAM", march(20));
  const berthed = [...sailed, event("ARRI", "DEHAM", march(20), heron)];
  const left = [...berthed, event("DEPA", "DEHAM", march(21), heron)];
  const polls = pollThrough([
    [march(3), [...sailed, eta]],
    [march(20), berthed],
    [march(21), left],
    [march(22), [...left, event("DISC", "DEHAM", march(20, 20), heron)]],
  ]);
  assert.deepEqual(lines(polls), [
    "in_transit",
    "at_berth updated(status)",
    "at_berth",
    "discharged updated(status)",
  ]);
  const out = pollThrough([
    [march(3), [...sailed, eta]],
    [march(22), left],
    [march(23), [...left, event("GTOT", "DEHAM", march(23))]],
  ]);
  assert.deepEqual(lines(out).slice(1), ["at_berth updated(status)", "delivered container_delivered"]);
  const overcarried = pollThrough([
    [march(3), [...sailed, eta]],
    [march(23), [...left, event("ARRI", "DKAAR", march(23), heron)]],
  ]);
  assert.equal(overcarried[1]?.record.boxes[0]?.timeline.at(-1)?.place?.unlocode, "DKAAR");
  assert.equal(overcarried[1]?.record.status, "at_berth", "it may have stayed aboard");
});

test("a call on the way of a vessel that is late is not its arrival, and the new estimate has moved from the old", () => {
  const late = [...sailed, event("ARRI", "ESALG", march(21), heron)];
  const polls = pollThrough([
    [march(3), [...sailed, estimate("ARRI", "DEHAM", march(20))]],
    [march(21), [...late, estimate("ARRI", "DEHAM", march(20))]],
    [march(22), [...late, estimate("ARRI", "DEHAM", march(26), march(22))]],
  ]);
  assert.deepEqual(lines(polls), ["in_transit", "at_berth updated(status)", "at_berth eta_changed"]);
  assert.deepEqual(
    polls.map(({ record }) => record.boxes[0]?.discharge?.unlocode),
    ["DEHAM", "DEHAM", "DEHAM"],
  );
});

test("a call at another port of the coast, its plan left behind, is the arrival", () => {
  const [, looked] = pollThrough([
    [march(3), [...sailed, estimate("ARRI", "DEHAM", march(20))]],
    [march(21), [...sailed, estimate("ARRI", "DEHAM", march(20)), event("ARRI", "DEWVN", march(21), heron)]],
  ]);
  assert.deepEqual(lines([looked!]), ["at_berth updated(status,eta,discharge)"]);
});

test("a plan that one answer leaves out is no change when it is back", () => {
  const planned = [...sailed, estimate("ARRI", "DEHAM", march(20))];
  const polls = pollThrough([
    [march(3), planned],
    [march(4), sailed],
    [march(5), planned],
  ]);
  assert.deepEqual(lines(polls), ["in_transit", "in_transit", "in_transit"]);
});

test("spec 3.3: genuine_transition: a box that comes in laden again was not delivered, and documents from before are no transition", () => {
  const delivered = [...sailed, event("DISC", "DEHAM", march(20), heron), event("GTOT", "DEHAM", march(21))];
  const onward = [
    ...delivered,
    event("GTIN", "DEMUC", march(22), { place: inland }),
    event("GTOT", "DEMUC", march(23), { place: inland }),
  ];
  const polls = pollThrough([
    [march(19), sailed],
    [march(21), delivered],
    [march(22), onward.slice(0, -1)],
    [march(23), onward],
    [
      march(24),
      [
        ...[...onward, event("GTIN", "DEHAM", march(24), { laden: false })],
        ...[documentEvent("CUS", "HOLD", march(20, 20)), documentEvent("SRM", "RELS", march(20, 22))],
      ],
    ],
  ]);
  assert.deepEqual(lines(polls), [
    "in_transit",
    "delivered container_delivered updated(eta,discharge)",
    "available container_available",
    "delivered container_delivered",
    "returned_empty updated(status)",
  ]);
});

test("a plan that is stated leg by leg has the box arrive at the end of each leg", () => {
  const tern = { vessel: { name: "TERN SOLSTICE", imo: null } };
  const transshipped = { ...heron, movement: "transshipment" } as const;
  const hub = [
    ...sailed,
    event("ARRI", "SGSIN", march(8), heron),
    event("DISC", "SGSIN", march(9), transshipped),
  ];
  const onward = [...hub, event("LOAD", "SGSIN", march(12), tern), event("DEPA", "SGSIN", march(13), tern)];
  const eta = { ...estimate("ARRI", "DEHAM", march(28), march(11)), ...tern };
  const polls = pollThrough([
    [march(3), [...sailed, estimate("ARRI", "SGSIN", march(8))]],
    [march(7), [...sailed, estimate("ARRI", "SGSIN", march(8))]],
    [march(8), hub.slice(0, -1)],
    [march(9), hub],
    [march(11), [...hub, eta]],
    [march(14), [...onward, eta]],
    [march(27), [...onward, eta]],
    [
      march(27, 13),
      [...onward, { ...eta, at: event("ARRI", "DEHAM", march(31)).at, createdAtMs: march(27) }],
    ],
    [march(30), [...onward, { ...eta, at: event("ARRI", "DEHAM", march(31)).at, createdAtMs: march(27) }]],
  ]);
  assert.deepEqual(lines(polls), [
    "in_transit",
    "arriving container_arrived",
    "at_berth updated(status)",
    "at_transshipment updated(status)",
    "at_transshipment updated(eta,discharge)",
    "in_transit vessel_departed updated(vessel)",
    "arriving container_arrived",
    "in_transit eta_changed updated(status)",
    "arriving updated(status)",
  ]);
  const keys = polls.flatMap(({ raised }) => raised).map(({ dedupKey }) => dedupKey);
  assert.equal(
    new Set(keys.filter((key) => key !== undefined)).size,
    keys.filter((key) => key !== undefined).length,
  );
});
