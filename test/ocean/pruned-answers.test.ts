/** Answers from which the carrier has removed the moves that came before. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { isAwaitingNextTrip } from "../../src/products/ocean/record/box-trip.ts";
import { inLines } from "./in-lines.ts";

const { looks, polled } = inLines();

const loaded = "GTIN CNTAO -38; LOAD CNTAO -36; DEPA CNTAO -35";
const [arrived, discharged, out] = ["ARRI NLRTM -10", "DISC NLRTM -9", "GTOT NLRTM -6"];
const landed = `${loaded}; ${arrived}; ${discharged}`;
const delivered = `${landed}; ${out}`;
const back = "GTIN NLRTM -3 empty";

const statuses = (line: string) => polled(line).map(({ record }) => record.status);

test("an answer that holds only the end returns a box, tracked from before or awaiting its next trip", () => {
  for (const pruned of [`${out}; ${back}`, back, `${arrived}; ${back}`])
    for (const before of ["", `@-20 ${loaded} | `]) {
      const polls = polled(`${before}@-5 ${delivered} | @-2 ${pruned} | @-1 ${pruned} | @0 ${back}`).slice(
        -4,
      );
      assert.deepEqual(
        polls.map(({ record }) => record.status),
        ["delivered", "returned_empty", "returned_empty", "returned_empty"],
      );
      assert.equal(isAwaitingNextTrip(polls.at(-1)!.record.boxes[0]!), before === "");
    }
});

test("a delivered box keeps its voyage while its carrier prunes ever more of it", () => {
  const line = `@-20 ${loaded} | @-5 ${delivered} | @-4 ${out} | @-2 ${out}; ${back} | @-1 ${back}`;
  const [, whole, ...later] = polled(line).map(({ record }) => record);
  for (const { eta, boxes } of later) {
    assert.deepEqual(eta, whole?.eta);
    assert.deepEqual(boxes[0]?.discharge, whole?.boxes[0]?.discharge);
  }
  assert.deepEqual(looks(line).slice(2), ["delivered", "returned_empty updated(status)", "returned_empty"]);
});

test("a box is delivered by an answer that holds only its last moves", () => {
  for (const pruned of [out, `${discharged}; ${out}`, `DEPA CNTAO -35; ${arrived}; ${discharged}; ${out}`]) {
    const [, , now, last] = polled(`@-20 ${loaded} | @-8 ${landed} | @-5 ${pruned} | @-2 ${back}`);
    assert.deepEqual(
      now?.raised.map(({ type }) => type),
      ["container_delivered"],
    );
    assert.deepEqual([now?.record.status, last?.record.status], ["delivered", "returned_empty"]);
  }
});

test("an empty return without a delivery before it, or with the next trip behind it, ends nothing", () => {
  assert.notEqual(statuses(`@-20 ${loaded} | @-2 ${back}`)[1], "delivered");
  const next = "GTIN NLRTM 5; LOAD NLRTM 7; DEPA~ NLRTM 9";
  const [, , kept] = statuses(`@-20 ${loaded} | @-5 ${delivered} | @8 ${back}; ${next}`);
  assert.ok(["delivered", "returned_empty"].includes(kept!));
});

test("a returned box is delivered, and nothing less, while its pruned answers leave out the return", () => {
  const line = `@-20 ${loaded} | @-2 ${delivered}; ${back} | @-1 ${delivered} | @0 ${out} | @1 + ${back}`;
  assert.deepEqual(statuses(line).slice(1), [
    "returned_empty",
    "returned_empty",
    "delivered",
    "returned_empty",
  ]);
});

test("a later call of the vessel that brought the box does not explain that its return is missing", () => {
  const brought = delivered.replaceAll(/((LOAD|DEPA|ARRI|DISC) [^;]*)/g, "$1 HERON");
  const call = "ARRI DEHAM -2 HERON";
  const [, , dropped] = statuses(`@-5 ${brought} | @-2.13 + ${back}; ${call} | @-1 ${brought}; ${call}`);
  assert.equal(dropped, "returned_empty");
});

test("spec 3.3: repoll: a delivery that an answer shows by a later gate-out alone stands when it is repeated", () => {
  const outAgain = "GTOT NLRTM -4";
  const line = `@-20 ${loaded} | @-4 ${delivered}; GTIN NLRTM -4 | @-3 ${outAgain} | @-2 + | @-1 + | @0 +`;
  const [, , now, ...later] = polled(line);
  assert.equal(now?.record.status, "delivered");
  for (const { record, raised } of later) assert.deepEqual([record.status, raised], ["delivered", []]);
});

test("spec 3.3: repoll: an end that is gone keeps no pruned move, and the same answer again changes nothing", () => {
  const pruned = `GTIN CNTAO -38; LOAD CNTAO -36; ${discharged}; ${out}; ARRI~ DEHAM 5`;
  const line = `@-20 ${loaded} | @-5 GTOT CNTAO -40 empty; ${delivered} | @-4 ${pruned} | @-3 + | @-2 + | @-1 +`;
  const [, , , gone, ...later] = polled(line);
  assert.equal(gone?.record.status, "at_transshipment");
  for (const { record, raised } of later) {
    assert.deepEqual(record.boxes, gone?.record.boxes);
    assert.deepEqual(raised, []);
  }
});
