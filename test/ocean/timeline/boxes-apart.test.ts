/** Boxes of one bill of lading that travel apart: which calls are whose. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { inLines } from "../in-lines.ts";
import { statuses } from "../life.ts";

const { last } = inLines({ today: 22, about: { identifierType: "bill_of_lading" } });

const both = (text: string): string => `${text}; ${text.replaceAll(";", " second;")} second`;
const departure = "DEPA CNTAO 3 HERON";
const off = "DISC CNTAO 2.20 HERON";

const record = (line: string) => last(line).record;
/** Each box: its vessel and the day of its ETA. */
const shown = (line: string) =>
  record(line).boxes.map(({ vessel, eta }) => {
    const days = (((eta?.at.ms ?? 0) - Date.UTC(2026, 1, 28, 12)) / 86_400_000).toString();
    return `${vessel?.name} ${days}`;
  });

test("a box that is rolled over without a word waits for the next vessel, and the others keep theirs", () => {
  const loaded = `${both("GTIN CNTAO 1")}; LOAD CNTAO 2 HERON; ${departure}; ARRI? NLRTM 25 HERON (4)`;
  const eta = "ARRI? NLRTM 45 TERN (5)";
  for (const left of ["", "LOAD? CNTAO 2 HERON second (4)", "ARRI CNTAO 2 HERON; ARRI? CNTAO 23 TERN (4)"]) {
    const rolled = `${loaded}; ${left}; DEPA? CNTAO 24 TERN (4); ${eta}`;
    assert.deepEqual(statuses(record(rolled)), ["in_transit", "pre_departure"], left);
    assert.deepEqual(shown(rolled), ["HERON 25", "TERN 45"], left);
  }
  const sailed = `${loaded}; DEPA CNTAO 21 TERN (4); ${eta}`;
  assert.deepEqual(statuses(record(sailed)), ["in_transit", "in_transit"]);
  assert.deepEqual(
    record(sailed).boxes.map(({ vessel }) => vessel?.name),
    ["HERON", "TERN"],
    "the other ship has left with the other box",
  );
  assert.match(shown(`${loaded}; ${eta}`)[0]!, / 25$/, "of a vessel with only its arrival stated");
});

test("a box that is taken off again leaves with the vessel on which it is to be loaded next, and not with the others", () => {
  const loads = `${both("LOAD CNTAO 2 HERON")}; ${off} second`;
  const waiting = record(`${loads}; ${departure}; LOAD~ CNTAO 9 TERN second; DEPA~ CNTAO 10 TERN`);
  assert.deepEqual(statuses(waiting), ["in_transit", "pre_departure"]);
  assert.deepEqual(
    waiting.boxes.map(({ sailings }) => sailings.map(({ vessel }) => vessel)),
    [["HERON"], ["TERN"]],
  );
  const left = record(`${loads}; ${departure}; LOAD CNTAO 9 TERN second; DEPA CNTAO 10 TERN`);
  assert.deepEqual(
    left.boxes.map(({ status, vessel }) => [status, vessel?.name]),
    [
      ["in_transit", "HERON"],
      ["in_transit", "TERN"],
    ],
  );
});

test("boxes that are taken off again, or discharged on the way, have the plan of their next vessel", () => {
  const next = "DEPA~ CNTAO 24 TERN; ARRI~ NLRTM 45 TERN";
  const loads = both("LOAD CNTAO 2 HERON");
  for (const [line, ...etas] of [
    [`${loads}; ${both(off)}; ${next}`, "TERN 45", "TERN 45"],
    [`${loads}; ${off} second; ${departure}; ARRI~ NLRTM 25 HERON; ${next}`, "HERON 25", "TERN 45"],
  ] as const)
    assert.deepEqual(shown(line), etas, line);
  const hub = `${both("LOAD CNTAO 2 HERON; DISC SGSIN 9 HERON")}; ${departure}`;
  const line = `${hub}; DEPA~ SGSIN 23 TERN; ARRI? NLRTM 25 HERON (4); ARRI? NLRTM 45 TERN (9)`;
  for (const one of shown(line)) assert.match(one, / 45$/);
});

test("a vessel that left without the boxes comes for them elsewhere on a later voyage", () => {
  const stated = `${both("LOAD CNTAO 2 HERON; DISC KRPUS 9 HERON")}; ${departure}; DEPA CNTAO -6 TERN #033W`;
  const plan = (voyage: string): string => `DEPA~ KRPUS 23 TERN ${voyage}; ARRI~ USNYC 45 TERN ${voyage}`;
  for (const line of [
    `${stated}; ${plan("#036W")}`,
    // Under the same number, to load them there.
    `${stated}; ${both("LOAD~ KRPUS 22 TERN #033W")}; ${plan("#033W")}`,
  ])
    for (const one of shown(line)) assert.match(one, / 45$/, line);
});
