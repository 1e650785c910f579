/** Drums and other cylinders in load plans. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { SentCargo, SentRequest } from "../../src/products/loading/request/request-schema.ts";
import { errorsOfPlan } from "./plan-errors.ts";
import { PALLET, planned } from "./planned.ts";

const DRUM: SentCargo = {
  ...{ id: "drum", shape: "cylinder", diameter_mm: 600, height_mm: 900, weight_kg: 190, count: 80 },
};
const ROOM = { type: "own", length_mm: 1_200, width_mm: 1_200, height_mm: 2_000, max_payload_kg: 9_000 };

function loaded(sent: SentRequest) {
  const plan = planned(sent);
  assert.deepEqual(errorsOfPlan(plan), []);
  return plan;
}

test("drums stand in two layers, each on one drum, and fill as much as cylinders fill", () => {
  const { summary, containers, left } = loaded({ cargo: [{ ...DRUM, count: 8 }], containers: [ROOM] });
  assert.deepEqual([containers.length, left], [1, []]);
  assert.deepEqual(new Set(containers[0]!.placements.map((one) => one.cylinder_axis)), new Set(["height"]));
  const m3 = (8 * Math.PI * 0.3 ** 2 * 0.9).toFixed(3);
  assert.equal(summary.volume_m3.toFixed(3), m3);
  assert.equal(summary.volume_fill, containers[0]!.volume_fill);
  assert.ok(Math.abs(summary.volume_fill - Number(m3) / (1.2 * 1.2 * 2)) < 1e-3);
});

test("staggered rows take more drums than a grid, across and along, in one layer and in two", () => {
  for (const [type, diameter, grid] of [
    ["20GP", 590, 60],
    ["40GP", 590, 120],
    ["40HC", 640, 108],
  ] as const) {
    const drums = { ...DRUM, diameter_mm: diameter, weight_kg: 90, count: 300 };
    const { containers } = loaded({ cargo: [drums], containers: [{ type, count: 1 }], max_off_centre: null });
    assert.ok(containers[0]!.pieces > grid, `${containers[0]!.pieces} in ${type}, and ${grid} in a grid`);
    const balanced = loaded({ cargo: [{ ...drums, count: grid + 5 }], containers: [{ type }] });
    assert.equal(balanced.containers.length, 1);
  }
});

test("what drums bear holds for drums above each other", () => {
  const one = loaded({
    cargo: [{ ...DRUM, count: 8, max_load_kg: 100 }],
    containers: [{ ...ROOM, count: 1 }],
  });
  assert.deepEqual([one.summary.pieces_placed, one.summary.pieces_left], [4, 4]);
});

test("no box stands on drums, and drums stand on boxes", () => {
  const box = { id: "box", length_mm: 1_200, width_mm: 1_200, height_mm: 1_000, weight_kg: 50, count: 1 };
  const four = { ...DRUM, count: 4 };
  const plan = loaded({ cargo: [four, box], containers: [{ ...ROOM, count: 1 }] });
  assert.equal(plan.left.length, 0);
  const { placements } = plan.containers[0]!;
  assert.deepEqual(
    placements.map(({ cargo, z_mm }) => [cargo, z_mm]),
    [["box", 0], ...Array.from({ length: 4 }, () => ["drum", 1_000])],
  );
  const weak = loaded({ cargo: [four, { ...box, stackable: false }], containers: [{ ...ROOM, count: 1 }] });
  assert.equal(weak.left.length, 1);
});

test("a roll lies only where it is allowed to, in one layer with nothing on it", () => {
  const roll: SentCargo = { ...DRUM, id: "roll", diameter_mm: 500, height_mm: 2_100, count: 3 };
  const refused = loaded({ cargo: [roll], containers: [{ ...ROOM, length_mm: 2_200, count: 1 }] });
  assert.deepEqual(refused.left, [{ cargo: "roll", count: 3, reason: "too_large" }]);
  const { containers, left } = loaded({
    cargo: [{ ...roll, lying: true }],
    containers: [{ ...ROOM, length_mm: 2_200, count: 1 }],
  });
  assert.deepEqual(left, [{ cargo: "roll", count: 1, reason: "no_room" }]);
  for (const { cylinder_axis, z_mm, length_mm } of containers[0]!.placements)
    assert.deepEqual([cylinder_axis, z_mm, length_mm], ["length", 0, 2_100]);
});

test("one as high as it is wide stands, even if it may lie", () => {
  const reel: SentCargo = { ...DRUM, id: "reel", height_mm: 600, lying: true, count: 12 };
  const { containers } = loaded({ cargo: [reel], containers: [ROOM] });
  assert.equal(containers.length, 1);
  assert.ok(containers[0]!.placements.every((one) => one.cylinder_axis === "height"));
});

test("a roll that is too high for an open top stands out of it, and is still a roll", () => {
  const tall: SentCargo = { ...DRUM, id: "tall", height_mm: 3_000, count: 1 };
  const { containers } = loaded({ cargo: [tall, { ...PALLET, count: 2 }], containers: [{ type: "20OT" }] });
  const own = containers[0]!.placements.find(({ cargo }) => cargo === "tall");
  assert.deepEqual([own!.cylinder_axis, own!.height_mm], ["height", 3_000]);
  assert.equal(containers[0]!.out_of_gauge!.over_height_mm, 653);
});
