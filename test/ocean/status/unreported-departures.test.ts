/** Ships that leave with the box, which nobody reports. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { inLines } from "../in-lines.ts";

const { assertLooks, looks, polled } = inLines({ madeOn: 1 });

const loaded = "GTIN CNTAO 1; LOAD CNTAO 2 HERON";
const departed = "DEPA CNTAO 3 HERON";
const arrived = "ARRI DEHAM 20 HERON";
const discharged = "DISC DEHAM 21 HERON";
const toHub = `${loaded}; ${departed}; DISC SGSIN 8 HERON`;
const onward = "ARRI? DEHAM 25 EGRET";

/** Each departure that was raised: its statuses, and its day or `untimed`. */
function departures(line: string): readonly string[] {
  return polled(line)
    .flatMap(({ raised }) => raised)
    .filter(({ type }) => type === "vessel_departed")
    .map(({ data }) => {
      const { previous_status, new_status, event_date_time } = JSON.parse(data) as Record<string, string>;
      return `${previous_status}>${new_status} ${event_date_time?.slice(8, 10) ?? "untimed"}`;
    });
}

const IMPLIED = ["pre_departure>in_transit untimed"];

test("a vessel that has come to another port had left, and when is not made up", () => {
  const line = `@3 ${loaded}; ARRI? DEHAM 20 HERON | @20 ${loaded}; ${arrived} | @21 + ${discharged}`;
  assertLooks(
    line,
    "pre_departure",
    "at_berth vessel_departed updated(status)",
    "discharged updated(status)",
  );
  assert.deepEqual(departures(line), IMPLIED);
});

test("what shows the box elsewhere implies the departure, and one that is reported late is not raised again", () => {
  for (const line of [
    `@3 ${loaded} | @22 + ${discharged}`,
    `@3 ${loaded} | @22 + GTOT DEHAM 22`,
    `@2 GTIN CNTAO 1; DEPA~ CNTAO 3 HERON (3) | @21 + ${discharged} | @22 GTIN CNTAO 1; ${departed}; ${discharged}`,
    `@2 GTIN CNTNA 1 | @21 + ${discharged} | @22 GTIN CNTNA 1; ${departed}; ${discharged}`,
  ])
    assert.equal(departures(line).length, 1, line);
  for (const late of [departed, "DEPA CNQIN 3 HERON"]) {
    const line = `@3 ${loaded} | @20 + ${arrived} | @21 + ${late} | @22 + ${discharged} | @23 ${loaded}; ${arrived}; ${discharged}`;
    assert.equal(departures(line).length, 1, line);
  }
});

test("the order of statements does not matter", () => {
  for (const order of [
    [loaded, arrived, discharged],
    [discharged, arrived, loaded],
    [arrived, loaded, discharged],
  ]) {
    const line = `@1 GTOT CNTAO 1.1 empty | ${order.map((one, nth) => `@${22 + nth} ${nth === 0 ? "" : "+ "}${one}`).join(" | ")}`;
    assert.match(looks(line).at(-1)!, /^discharged/);
    assert.equal(departures(line).length, 1, line);
  }
});

test("a box goes on from where it changed vessels, and comes near its destination, without a word of its sailing", () => {
  const hub = `${loaded}; ${departed}; ARRI SGSIN 8 HERON; DISC SGSIN 8.20 HERON`;
  const called = `${hub}; LOAD SGSIN 10 EGRET; ARRI LKCMB 14; DEPA LKCMB 15`;
  const line = `@9 ${hub}; ${onward} | @10 + LOAD SGSIN 10 EGRET | @16 ${called}; ${onward} | @24 ${called}; ${onward} (24)`;
  assertLooks(
    line,
    "at_transshipment",
    "at_transshipment updated(vessel)",
    "in_transit vessel_departed",
    "arriving container_arrived",
  );
  assert.match(departures(line)[0]!, /untimed$/, "the port of call is not where it set out");
});

test("a box that is loaded on its last vessel comes near its destination, though its departure is not even planned", () => {
  const known = `${toHub}; LOAD SGSIN 10 EGRET; ${onward}`;
  assertLooks(
    `@10 ${known} | @22 ${known} | @24 ${known} | @25 + ARRI DEHAM 25 EGRET`,
    "at_transshipment",
    "at_transshipment",
    "arriving container_arrived",
    "at_berth vessel_departed updated(status)",
  );
  const planned = `${known}; DEPA~ SGSIN 11 EGRET (11)`;
  const [, near] = looks(`@10 ${planned} | @24 ${planned}`);
  assert.ok(!near?.includes("container_arrived"), "its ship has not left by its carrier's own plan");
});

test("spec 6.3: vessel_departed: the next port that the vessel of a gated-in box comes to implies it, though the plan left the answer", () => {
  const plan = "DEPA~ NLRTM 3 HERON (3); ARRI? SEGOT 6 HERON";
  const unnamed = (line: string): string => line.replaceAll(" HERON", "");
  for (const seen of [
    "ARRI SEGOT 6 HERON",
    "DISC SEGOT 6 HERON",
    // A call on the way, and the last port still to come.
    "ARRI DEBRV 5 HERON; ARRI? SEGOT 7 HERON",
  ]) {
    const [gone, gateIn] = ["DEPA NLRTM 3 HERON", "GTIN NLRTM 1"];
    const first = `@2 ${gateIn}; ${plan} | @4 ${gateIn}; ARRI? SEGOT 6 HERON | @6 ${gateIn}; ${seen} | @6.13 ${gateIn}; ${seen}`;
    for (const line of [
      `${first} | @7 ${gateIn}; ${gone}; ${seen}`,
      `${unnamed(first)} | @7 ${gateIn}; ${gone}; ${unnamed(seen)}`,
    ])
      assert.deepEqual(departures(line), IMPLIED, line);
  }
  for (const [line, why] of [
    [`@2 GTIN NLRTM 1; ${plan} | @6 GTIN NLRTM 1; ARRI SEGOT 6 EGRET`, "another vessel's arrival"],
    [`@2 GTIN DEDUI 1; ${plan} | @6 GTIN DEDUI 1; ARRI SEGOT 6 HERON`, "no vessel was to leave from there"],
    [`@9 ${toHub}; ${onward} | @12 + ARRI LKCMB 12 HERON`, "the vessel that brought it goes on without it"],
  ] as const)
    assert.deepEqual(departures(line), [], why);
});

test("spec 6.3: customs_hold: a hold near the arrival of a box whose departure nobody reports is one at its destination", () => {
  for (const [hold, shown] of [
    ["CUS:HOLD 3", "discharged updated(status)"],
    ["CUS:HOLD 18", "customs_hold customs_hold"],
    ["CUSI CNTAO 18 modeless", "discharged updated(status)"],
    ["CUSI DEHAM 3 modeless", "customs_hold customs_hold"],
  ] as const) {
    const line = `@3 ${loaded}; ${hold} | @20 + ${arrived} | @21 + ${discharged}`;
    assert.equal(looks(line).at(-1), shown, hold);
  }
});
