/** Answers from which the carrier has removed the moves that came before. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { isAwaitingNextTrip } from "../../src/products/ocean/record/box-trip.ts";
import { event, march } from "./event.ts";
import { pollThrough } from "./life.ts";

const loaded = [
  event("GTIN", "CNTAO", march(-38)),
  event("LOAD", "CNTAO", march(-36)),
  event("DEPA", "CNTAO", march(-35)),
];
const out = event("GTOT", "NLRTM", march(-6));
const delivered = [...loaded, event("ARRI", "NLRTM", march(-10)), event("DISC", "NLRTM", march(-9)), out];
const back = event("GTIN", "NLRTM", march(-3), { laden: false });
const plan = event("DEPA", "NLRTM", march(9), { classifier: "planned" });

for (const [pruned, what] of [
  [[out, back], "the gate-out and the empty return"],
  [[back], "the empty return"],
  [[event("ARRI", "NLRTM", march(-10)), back], "a call of the vessel and the empty return"],
] as const) {
  for (const [before, who] of [
    [[[march(-20), loaded]], "a box tracked from before"],
    [[], "a box that awaits its next trip"],
  ] as const) {
    test(`an answer that holds only ${what} returns ${who}`, () => {
      const polls = pollThrough([
        ...before,
        [march(-5), delivered],
        [march(-2), pruned],
        [march(-1), pruned],
        [march(0), [back]],
      ]);
      const statuses = polls.slice(before.length).map(({ record }) => record.status);
      assert.deepEqual(statuses, ["delivered", "returned_empty", "returned_empty", "returned_empty"]);
      const box = polls.at(-1)!.record.boxes[0]!;
      assert.equal(isAwaitingNextTrip(box), before.length === 0);
    });
  }
}

test("a delivered box keeps its voyage while its carrier prunes ever more of it", () => {
  const polls = pollThrough([
    [march(-20), loaded],
    [march(-5), delivered],
    [march(-4), [out]],
    [march(-2), [out, back]],
    [march(-1), [back]],
  ]);
  const [, whole, ...later] = polls.map(({ record }) => record);
  assert.deepEqual(
    later.map(({ status }) => status),
    ["delivered", "returned_empty", "returned_empty"],
  );
  for (const { eta, boxes } of later) {
    assert.deepEqual(eta, whole?.eta);
    assert.deepEqual(boxes[0]?.discharge, whole?.boxes[0]?.discharge);
  }
  const raised = polls.slice(2).flatMap(({ raised: events }) => events.map(({ type }) => type));
  assert.deepEqual(raised, ["shipment_updated"]);
});

for (const [pruned, what] of [
  [[out], "the gate-out"],
  [delivered.slice(-2), "the discharge and the gate-out"],
  [delivered.slice(2), "what followed the loading"],
] as const) {
  test(`a box is delivered by an answer that holds only ${what}`, () => {
    const [, , now, last] = pollThrough([
      [march(-20), loaded],
      [march(-8), delivered.slice(0, -1)],
      [march(-5), pruned],
      [march(-2), [back]],
    ]);
    assert.deepEqual(
      now?.raised.map(({ type }) => type),
      ["container_delivered"],
    );
    assert.equal(now?.record.status, "delivered");
    assert.equal(last?.record.status, "returned_empty");
  });
}

test("an empty return without a delivery before it, or with the next trip behind it, ends nothing", () => {
  const [, early] = pollThrough([
    [march(-20), loaded],
    [march(-2), [back]],
  ]);
  assert.notEqual(early?.record.status, "delivered");
  const next = [event("GTIN", "NLRTM", march(5)), event("LOAD", "NLRTM", march(7)), plan];
  const [, , kept] = pollThrough([
    [march(-20), loaded],
    [march(-5), delivered],
    [march(8), [back, ...next]],
  ]);
  assert.ok(["delivered", "returned_empty"].includes(kept!.record.status));
});

test("a returned box is delivered, and nothing less, while its pruned answers leave out the return", () => {
  const polls = pollThrough([
    [march(-20), loaded],
    [march(-2), [...delivered, back]],
    [march(-1), delivered],
    [march(0), [out]],
    [march(1), [out, back]],
  ]);
  assert.deepEqual(
    polls.slice(1).map(({ record }) => record.status),
    ["returned_empty", "returned_empty", "delivered", "returned_empty"],
  );
});

test("a later call of the vessel that brought the box does not explain that its return is missing", () => {
  const heron = { vessel: { name: "HERON DAWN", imo: "9074729" } };
  const brought = delivered.map((one) => (one.mode === "vessel" ? { ...one, ...heron } : one));
  const call = event("ARRI", "DEHAM", march(-2), heron);
  const [, , dropped] = pollThrough([
    [march(-5), brought],
    [march(-2, 13), [...brought, back, call]],
    [march(-1), [...brought, call]],
  ]);
  assert.equal(dropped?.record.status, "returned_empty");
});

test("spec 3.3: repoll: a delivery that an answer shows by a later gate-out alone stands when it is repeated", () => {
  const [cameBack, outAgain] = [event("GTIN", "NLRTM", march(-4)), event("GTOT", "NLRTM", march(-4))];
  const [, , now, ...later] = pollThrough([
    [march(-20), loaded],
    [march(-4), [...delivered, cameBack]],
    ...[-3, -2, -1, 0].map((day) => [march(day), [outAgain]] as const),
  ]);
  assert.equal(now?.record.status, "delivered");
  for (const { record, raised } of later) assert.deepEqual([record.status, raised], ["delivered", []]);
});

test("spec 3.3: repoll: an end that is gone keeps no pruned move, and the same answer again changes nothing", () => {
  const fetched = event("GTOT", "CNTAO", march(-40), { laden: false });
  const onward = event("ARRI", "DEHAM", march(5), { classifier: "planned" });
  const pruned = [...delivered.filter(({ code }) => !["DEPA", "ARRI"].includes(code)), onward];
  const [, , , gone, ...later] = pollThrough([
    [march(-20), loaded],
    [march(-5), [fetched, ...delivered]],
    ...[-4, -3, -2, -1].map((day) => [march(day), pruned] as const),
  ]);
  assert.equal(gone?.record.status, "at_transshipment");
  for (const { record, raised } of later) {
    assert.deepEqual(record.boxes, gone?.record.boxes);
    assert.deepEqual(raised, []);
  }
});
