/** Which discharge ends the sea voyage, and which ramp the way over land. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { nextRecordAt } from "../../../src/products/ocean/record/record.ts";
import { march } from "../event.ts";
import { inLines } from "../in-lines.ts";
import { UNARMED } from "../life.ts";

const DAY_MS = 24 * 3_600_000;

const { assertStatus, box, last, status } = inLines({ madeOn: 1, today: 23 });

const sailed = "LOAD CNTAO 2 HERON; DEPA CNTAO 3 HERON";
const berthed = `${sailed}; ARRI NLRTM 20 HERON`;
const landed = `${berthed}; DISC NLRTM 21 HERON`;
const onTrain = `${landed}; LOAD NLRTM 22 rail`;

/** By Singapore, where the box was to change vessels and did not. */
const bySingapore = "DISC~ SGSIN 9 HERON; LOAD~ SGSIN 11 TERN; DEPA~ SGSIN 12 TERN";
/** By Hamburg, hardly a day's way from where it was discharged. */
const byHamburg = "DISC~ DEHAM 15 HERON; LOAD~ DEHAM 17 TERN";
const toFelixstowe = "ARRI~ GBFXT 26 TERN";
const toChicago = "DISC~ USCHI 30 rail";

test("a plan that the box has passed by is waited for on the same coast, and on no other", () =>
  assertStatus(
    [`${landed}; ${bySingapore}`, "discharged"],
    [`${landed}; ${byHamburg}`, "at_transshipment"],
    [`${landed}; ${toChicago}`, "at_transshipment", "across an ocean from the destination"],
  ));

test("what shows that no vessel was to come ends the wait for it", () =>
  assertStatus(
    [`${landed}; ${byHamburg}; GTOT NLRTM 22`, "delivered"],
    [`${landed}; ${byHamburg}; SRM:RELS 22`, "available"],
    [`${landed}; ${byHamburg}; AVPU NLRTM 22 modeless`, "available"],
    [`${landed}; ${byHamburg}; STRP NLRTM 22 modeless`, "delivered"],
    [`${landed}; ${byHamburg}; GTIN NLRTM 22 empty`, "returned_empty"],
    [`${landed}; ${byHamburg}; LOAD NLRTM 22 rail`, "in_transit"],
    [
      `${landed}; ${byHamburg}; GTOT NLRTM 22; GTIN NLRTM 22.18`,
      "at_transshipment",
      "between the terminals of a port a box is not handed over",
    ],
  ));

test("nobody waits for ever for a vessel that does not come, nor for a plan that is overdue by weeks", () => {
  const { record } = last(`${landed}; ${byHamburg}`);
  assert.equal(record.changesAtMs, march(15) + 30 * DAY_MS + 1);
  assert.equal(nextRecordAt(record, UNARMED, march(21) + 30 * DAY_MS).status, "at_transshipment");
  assert.equal(nextRecordAt(record, UNARMED, march(21) + 30 * DAY_MS + 1).status, "discharged");
  assertStatus(
    [`${landed}; LOAD~ NLRTM 22 TERN`, "at_transshipment"],
    [`@52.13 ${landed}; LOAD~ NLRTM 22 TERN`, "discharged"],
  );
});

test("time alone ends no wait against the carrier's word, an announced last port elsewhere, or a destination overseas", () => {
  const announced = `@10 ${sailed}; ${toFelixstowe}`;
  assertStatus(
    [`@111 ${landed} transshipment`, "at_transshipment"],
    [`${announced} | @22 ${landed}`, "at_transshipment"],
    [`${announced} | @111 ${landed}`, "at_transshipment", "its plan has left the answer"],
    [`@111 ${landed}; ${toFelixstowe}`, "at_transshipment", "or is overdue"],
    [`@111 ${landed}; ${toChicago}`, "at_transshipment"],
  );
});

test("evidence ends the wait for an announced port, and a call of the vessel there does not", () => {
  const announced = `@10 ${sailed}; ${toFelixstowe} | ${landed}`;
  assertStatus(
    [`${announced}; GTOT NLRTM 22`, "delivered"],
    [`${announced}; AVPU NLRTM 22 modeless`, "available"],
    [`${announced}; SRM:RELS 22`, "available"],
    [`@5 ${sailed}; ARRI~ SGSIN 8 HERON | ${landed}; ARRI SGSIN 8 HERON`, "at_transshipment"],
    [`@5 ${sailed}; ARRI~ SGSIN 8 HERON | ${landed} import; ARRI SGSIN 8 HERON`, "discharged"],
  );
  const left = `@10 ${sailed}; ${byHamburg}; ARRI~ NLRTM 20 TERN`;
  assert.equal(box(left).discharge?.unlocode, "NLRTM");
  assertStatus([`${left} | ${landed}; ${byHamburg}`, "discharged", "whatever is left in the plan"]);
});

test("the carrier's own word for a move outweighs what its plans leave open", () =>
  assertStatus(
    [`${landed} transshipment`, "at_transshipment"],
    [`${landed} import; ${byHamburg}`, "discharged"],
    [`${landed} transshipment; GTOT NLRTM 22 transshipment`, "at_transshipment"],
  ));

test("the departure of the vessel that brought the box is no sailing to wait for", () => {
  const leaves = "DEPA~ NLRTM 22 HERON";
  assertStatus(
    [`${landed}; ${leaves}`, "discharged"],
    [`${landed}; ${leaves}; INSP NLRTM 22.18 modeless`, "discharged", "also once it is overtaken"],
    [`@19 ${sailed}; ARRI~ NLRTM 20 HERON; ${leaves}`, "arriving", "nor does it keep the box from arriving"],
  );
});

test("a ramp on the way is not where the journey ends, with nothing left of the plan", () => {
  const atRamp = `${onTrain}; DISC DEDUI 23 rail; GTIN DEDUI 23.14 rail`;
  const further = `${atRamp}; LOAD DEDUI 23.18 rail; GTIN DEMUC 24 rail`;
  assertStatus(
    [atRamp, "in_transit"],
    [further, "in_transit"],
    [`@25 ${further}; GTOT DEMUC 25`, "delivered"],
  );
});

test("the inland end of a plan is remembered once it has come true and left the carrier's answers", () => {
  const line = `${onTrain}; DISC~ DEMUC 24 rail (24) | @24 ${onTrain}; DISC DEMUC 24 rail`;
  assert.deepEqual([status(line), box(line).destination?.unlocode], ["discharged", "DEMUC"]);
  assertStatus(
    [line.split(" | ")[0]!, "in_transit"],
    [`${line}; ARRI~ DEDUI 23 rail`, "discharged", "ramps left over do not count"],
  );
});

test("a truck between two vessels changes no destination", () => {
  const line = `${landed}; LOAD~ NLRTM 28 TERN; DISC~ GBFXT 30 TERN; GTOT NLRTM 22; GTIN NLRTM 22.15`;
  assert.deepEqual([status(line), box(line).destination?.unlocode], ["at_transshipment", "GBFXT"]);
});

test("spec 6.3: container_available: a release at sea, or for elsewhere, is none before the final discharge", () => {
  assertStatus(
    [`@18 ${sailed}; AVPU NLRTM 18 modeless`, "in_transit"],
    [`${berthed}; AVPU DEMUC 21 modeless`, "at_berth"],
  );
  const announced = `@10 ${sailed}; ARRI~ NLRTM 20 HERON | ${landed}`;
  for (const [line, ...made] of [
    [`${landed}; AVPU NLRTM 18 modeless`, march(21)],
    [`${announced}; SRM:RELS 18`, march(21)],
    [`${landed} import; SRM:RELS 18`, march(21)],
    [`${landed}; SRM:RELS 20.12`, march(21)],
    // Given at sea for no port, and nothing shows that the voyage ends here.
    [`${landed}; SRM:RELS 18`],
  ] as const)
    assert.deepEqual(
      box(line)
        .milestones.filter(({ type }) => type === "container_available")
        .map(({ at }) => at.ms),
      made,
      line,
    );
  const hub = `${sailed}; DISC SGSIN 9 HERON transshipment`;
  for (const [release, expected] of [
    ["AVPU NLRTM 10 modeless", "available"],
    ["SRM:RELS 10", "discharged"],
  ] as const)
    assertStatus(
      [`${hub}; ${release}`, "at_transshipment"],
      [`${hub}; ${release}; LOAD SGSIN 12 TERN; DISC NLRTM 21 TERN`, expected, "holds where it was given"],
    );
});

test("a plan left over for a port that the box has sailed from announces no last port", () => {
  const moved = `${sailed}; ARRI~ SGSIN 8 HERON; DISC SGSIN 9 HERON; LOAD SGSIN 12 TERN`;
  const arrived = box(`@13 ${moved}; ARRI~ NLRTM 20 TERN | ${moved}; ARRI NLRTM 20 TERN`);
  assert.equal(arrived.announced?.port?.unlocode, "NLRTM");
});

test("ready for pick-up at the berth implies the discharge, unless it is to come", () =>
  assertStatus(
    [`${berthed}; AVPU NLRTM 21 modeless`, "available"],
    [`${berthed}; AVPU NLRTM 21 modeless; DISC~ NLRTM 22 HERON`, "at_berth"],
  ));

test("transshipments are those made and those to come, in the order of the route", () => {
  const onward = "LOAD~ NLRTM 24 TERN; ARRI~ GBFXT 26 TERN; LOAD~ GBFXT 27 HERON; ARRI~ IEDUB 29 HERON";
  const names = (line: string) => box(line).transshipments.map(({ unlocode }) => unlocode);
  assert.deepEqual(names(`${landed}; ${onward}`), ["NLRTM", "GBFXT"]);
  assert.deepEqual(names(`${landed}; ${bySingapore}`), [], "a plan left over is none");
});
