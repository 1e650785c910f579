/** Calls of two vessels at one port within a day, which are no correction of each other. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { FLEET, inLines } from "../in-lines.ts";
import { departures } from "../life.ts";

const { box, polled } = inLines({
  words: { ...FLEET, DAWN: { vessel: { name: "HERON DAWN", imo: null }, voyage: "012E" } },
  madeOn: 1,
});
const NUMBERED = ["HERON", "EGRET"];
const UNNUMBERED = ["DAWN", "BAY #044E"];

const departedAt = (line: string) => departures(polled(line)).map((at) => String(at).slice(8, 13));

test("a vessel leaves without a box whose plan has it leave on another one some hours later", () => {
  for (const [one, other] of [NUMBERED, UNNUMBERED]) {
    const booked = `GTIN CNTAO 1; DEPA~ CNTAO 5.8 ${one}`;
    const left = `${booked}; DEPA CNTAO 5 ${one}`;
    const next = `DEPA~ CNTAO 5.20 ${other} (4)`;
    const sailed = `${left}; LOAD CNTAO 5.16 ${other}; DEPA CNTAO 5.21 ${other}`;
    const waiting = `@2 ${booked} | @5 ${left}; ${next} | @6 ${sailed}; ${next}`;
    assert.equal(polled(waiting)[1]?.record.status, "pre_departure");
    assert.deepEqual(departedAt(waiting), ["05T21"]);
    const believed = `@2 ${booked} | @5 ${left} | @6 ${sailed}`;
    assert.deepEqual(departedAt(believed), ["05T12", "05T21"], "the true one, too");
    assert.deepEqual(departedAt(`@2 ${booked} | @6 ${sailed}`), ["05T21"]);
  }
});

test("a corrected name or time of a departure is no other departure", () => {
  for (const again of ["HERON", "DAWN", "Heron-Dawn #012E"]) {
    const corrected = `DEPA CNTAO 5.15 ${again}`;
    const line = `@2 GTIN CNTAO 1 | @5 + DEPA CNTAO 5 HERON | @6 + ${corrected} | @7 GTIN CNTAO 1; ${corrected}`;
    assert.equal(departedAt(line).length, 1, again);
  }
});

test("two vessels that call at a port on one day call twice", () => {
  const { timeline, vessel } = box(
    "@9 GTIN CNTAO 1; LOAD CNTAO 2 HERON; DEPA CNTAO 3 HERON; ARRI SGSIN 8 HERON; ARRI SGSIN 8.20 EGRET",
  );
  assert.equal(timeline.filter(({ code }) => code === "ARRI").length, 2);
  assert.equal(vessel?.name, "HERON DAWN", "the box is aboard still");
});
