/**
 * What is raised once for each port and occasion of a trip, journeys lived through poll by poll: the events of each
 * poll with their statuses, `container_available(discharged, available)`.
 */
import assert from "node:assert/strict";
import { test } from "node:test";

import { inLines } from "../in-lines.ts";

const { polled } = inLines();

const sailed = "LOAD CNTAO 2 HERON; DEPA CNTAO 3 HERON";
const landed = `${sailed}; DISC NLRTM 20 HERON`;

/** The events of each poll but the first. */
function raisedIn(line: string): readonly string[] {
  return polled(line)
    .slice(1)
    .map(({ raised }) => raised.map(({ type, data }) => textOf(type, data)).join(" "));
}

function textOf(type: string, data: string): string {
  const { previous_status: from, new_status: to, changed_fields: fields } = JSON.parse(data) as Fields;
  return type === "shipment_updated" ? `updated(${String(fields)})` : `${type}(${from}, ${to})`;
}

type Fields = { readonly [name in "previous_status" | "new_status" | "changed_fields"]?: string };

function assertRaised(line: string, ...raised: readonly string[]): void {
  assert.deepEqual(raisedIn(line), raised, line);
}

/** What of one type is raised at each poll but the first. */
function raisedOf(type: string, line: string): readonly string[] {
  return raisedIn(line).map((one) => new RegExp(`${type}\\(.*?\\)|${type}`).exec(one)?.[0] ?? "");
}

const keysOf = (line: string) =>
  polled(line).flatMap(({ raised }) => raised.flatMap(({ dedupKey = [] }) => dedupKey));

const AVAILABLE = "container_available(discharged, available)";

test("spec 6.3: container_available: a port that proves not to be the last spends no availability of the right one", () => {
  const hub = `${sailed}; DISC SGSIN 9 HERON; AVPU SGSIN 10 modeless`;
  const onward = "LOAD SGSIN 12 TERN; DEPA SGSIN 13 TERN; DISC DEHAM 28 TERN";
  const line = `@4 ${sailed} | @10 ${hub} | @28 + ${onward} | @29 + AVPU DEHAM 29 modeless`;
  assertRaised(
    line,
    "container_available(in_transit, available) updated(eta,discharge)",
    "vessel_departed(available, in_transit) updated(status,eta,vessel,discharge)",
    AVAILABLE,
  );
  assert.equal(new Set(keysOf(line)).size, keysOf(line).length);
});

test("spec 6.3: container_available: again after a customs hold, and after a release that was withdrawn", () =>
  assertRaised(
    [
      `@20 ${landed} | @21 + SRM:RELS 21 | @22 + CUS:HOLD 22 | @23 + CUS:RELS 23 | @24 + SRM:HOLD 24`,
      "@25 + SRM:RELS 25 | @26 +",
    ].join(" | "),
    AVAILABLE,
    "customs_hold(available, customs_hold)",
    "container_available(customs_hold, available)",
    "updated(status)",
    AVAILABLE,
    "",
  ));

test("spec 3.3: genuine_transition: a release that is retracted and repeated is one, another one days later is not", () => {
  const released = (day: number): string => `${landed}; SRM:RELS ${day}`;
  const line = `@20 ${landed} | @21 ${released(21)} | @22 ${landed} | @22.13 ${released(21)} | @23 ${landed} | @25 ${released(25)} | @28 ${released(27)}`;
  const updated = "updated(status)";
  assertRaised(line, AVAILABLE, updated, updated, updated, AVAILABLE, "");
  assert.equal(new Set(keysOf(line)).size, 2);
});

test("spec 6.3: customs_hold: each hold, though the carrier drops the one before, and each once", () => {
  const held = "customs_hold(discharged, customs_hold)";
  assertRaised(
    `@20 ${landed} | @21 + CUS:HOLD 21 | @22 ${landed}; CUS:RELS 22 | @24 ${landed}; CUS:HOLD 24 | @26 ${landed}; CUS:HOLD 25 (24)`,
    held,
    "updated(status)",
    held,
    "",
  );
  const line = `@20 ${landed}; DISC~ DEMUC 26 rail | @21 + CUS:HOLD 21 | @23 + LOAD NLRTM 23 rail | @26 + DISC DEMUC 26 rail`;
  assertRaised(line, held, "updated(status)", "updated(status)");
});

test("spec 6.3: container_delivered: a handover that proves to be none spends no other, and each is raised once", () => {
  const out = `${landed}; GTOT NLRTM 21`;
  const further = `${out}; GTIN DEMUC 23; GTOT DEMUC 24`;
  const line = `@20 ${landed} | @21 ${out} | @24 ${further} | @25 ${further.replace("GTOT DEMUC", "GTOT -")} | @26 ${further} | @27 + LOAD NLRTM 22 rail`;
  assert.deepEqual(
    raisedOf("container_delivered", line).map((one) => one !== ""),
    [true, true, false, false, false],
  );
});

test("spec 6.3: container_arrived: once for each destination port, and of each only once", () => {
  const to = (port: string, day: number): string => `${sailed}; ARRI? ${port} ${day} HERON`;
  const line = [
    `@10 ${to("NLRTM", 20)} | @19 + | @19.13 ${to("BEANR", 21)} | @20 + | @20.13 ${to("NLRTM", 22)}`,
    `@20.14 ${to("NLRTM", 24)} | @23 +`,
  ].join(" | ");
  const [first, second, ...later] = raisedOf("container_arrived", line);
  assert.equal(first, "container_arrived(in_transit, arriving)");
  assert.equal(second, "container_arrived(in_transit, arriving)");
  assert.deepEqual(later, ["", "", "", ""]);
});

test("spec 6.3: container_misrouted: once for each port of discharge", () => {
  const planned = `${sailed}; ARRI? NLRTM 21 HERON`;
  const wrong = `${planned}; DISC BEANR 19 HERON`;
  const again = "LOAD BEANR 22 TERN; DEPA BEANR 23 TERN; ARRI? NLRTM 26 TERN; DISC GBFXT 25 TERN";
  const line = `@10 ${planned} | @19 ${wrong} | @20 ${planned} | @20.13 ${wrong} | @25 + ${again}`;
  const one = "container_misrouted(undefined, undefined)";
  assert.deepEqual(raisedOf("container_misrouted", line), [one, "", "", one]);
});

test("spec 2.4: previous_status: a departure reported late leaves a box that is arriving as it is", () => {
  const loaded = "LOAD CNTAO 2 HERON; ARRI? NLRTM 20 HERON";
  assertRaised(
    `@10 ${loaded} | @19 + | @19.13 + DEPA CNTAO 3 HERON | @20 ${sailed}; ARRI NLRTM 20 HERON`,
    "container_arrived(pre_departure, arriving)",
    "vessel_departed(pre_departure, arriving)",
    "updated(status)",
  );
});

test("spec 2.4: previous_status: implied steps and inland rail go from the status shown before", () => {
  const atDoor =
    "LOAD CNTAO 2 HERON; DISC NLRTM 20 HERON; LOAD NLRTM 23 rail; DISC DEMUC 26 rail; AVPU DEMUC 26.18 modeless";
  const line = `@10 LOAD CNTAO 2 HERON; DISC~ DEMUC 26 rail | @26.18 ${atDoor} | @29 + GTIN DEMUC 29 empty`;
  assert.deepEqual(
    raisedIn(line).map((one) => one.split(" updated")[0]),
    [
      "vessel_departed(pre_departure, in_transit) container_available(in_transit, available)",
      "container_delivered(available, delivered)",
    ],
  );
});

test("spec 6.2: vessel_departed, container_available, container_delivered; 2.4: previous_status: events of one poll go from the status before to the next", () =>
  assertRaised(
    `@2 LOAD CNTAO 2 HERON | @23 ${landed}; SRM:RELS 22; GTOT NLRTM 23`,
    "vessel_departed(pre_departure, in_transit) container_available(in_transit, available) " +
      "container_delivered(available, delivered) updated(eta,discharge)",
  ));

test("spec 3.3: genuine_transition: a box that is available again by one answer is no more available than it was", () => {
  const ready = `${landed}; SRM:RELS 21`;
  for (const between of ["GTOT NLRTM 22; GTIN NLRTM:T2 23", "SRM:HOLD 22; SRM:RELS 23"]) {
    assertRaised(
      `@20 ${landed} | @21 ${ready} | @24 ${ready}; ${between} | @25 + | @26 + GTOT NLRTM 26`,
      AVAILABLE,
      "",
      "",
      "container_delivered(available, delivered)",
    );
    assertRaised(`@20 ${landed} | @24 ${ready}; ${between}`, AVAILABLE);
  }
  const elsewhere = `@20 ${landed} | @21 ${ready} | @26 + LOAD NLRTM 23 rail; AVPU DEMUC 26 modeless`;
  assert.match(raisedIn(elsewhere)[1]!, /^container_available/, "at another place");
});

test("spec 6.3: container_delivered: a box that comes back empty was delivered before, without an event time if unreported", () => {
  const [out, back] = ["GTOT NLRTM 23", "GTIN NLRTM 25 empty"];
  const implied = `@22 ${landed} | @25 + ${back}`;
  assertRaised(
    `${implied} | @26 ${landed}; ${out}; ${back}`,
    "container_delivered(discharged, delivered) updated(status)",
    "",
  );
  const data = JSON.parse(polled(implied)[1]!.raised[0]!.data) as object;
  assert.ok(!("event_date_time" in data) && !("event_local_datetime" in data));
  assertRaised(`@24 ${landed}; ${out} | @25 + ${back}`, "updated(status)");
});
