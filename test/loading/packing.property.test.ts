import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import type { Item, Pose, Room } from "../../src/products/loading/planning/packing/item.ts";
import { fillRoom } from "../../src/products/loading/planning/packing/search.ts";
import { errorsOf, piecesIn } from "./pieces.ts";
import { forAll, runs } from "../support/runs.ts";

const STEPS = 20_000;

const side = fc.integer({ min: 1, max: 60 });
const round = fc.tuple(side, side);
const pose: fc.Arbitrary<Pose> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ dx: side, dy: side, dz: side }) },
  round.map(([dx, dz]) => ({ dx, dy: dx, dz, round: "upright" as const })),
  round.map(([dx, dy]) => ({ dx, dy, dz: dy, round: "lying" as const })),
);

function differing(poses: readonly Pose[]): readonly Pose[] {
  return [...new Map(poses.map((one) => [`${one.dx},${one.dy},${one.dz}`, one])).values()];
}

const room: fc.Arbitrary<Room> = fc.record({
  length: fc.integer({ min: 1, max: 200 }),
  width: fc.integer({ min: 1, max: 100 }),
  height: fc.integer({ min: 1, max: 100 }),
  payloadG: fc.integer({ min: 0, max: 5_000 }),
});

function itemIn({ length, width, height }: Room): fc.Arbitrary<Item> {
  return fc.record({
    count: fc.integer({ min: 0, max: 40 }),
    weightG: fc.integer({ min: 0, max: 200 }),
    stackable: fc.boolean(),
    maxLoadG: fc.oneof(fc.constant(Infinity), fc.integer({ min: 0, max: 600 })),
    layersMax: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 4 })),
    stop: fc.integer({ min: 1, max: 3 }),
    poses: fc
      .array(pose, { minLength: 0, maxLength: 6 })
      .map((poses) =>
        differing(poses).filter((one) => one.dx <= length && one.dy <= width && one.dz <= height),
      ),
  });
}

const scene = room.chain((one) =>
  fc.record({ room: fc.constant(one), items: fc.array(itemIn(one), { minLength: 1, maxLength: 8 }) }),
);

test("what is packed lies inside, apart, fully supported, within limits, and is something if any piece fits", () =>
  forAll(runs(300), scene, ({ room: given, items }) => {
    const filled = fillRoom(items, given, STEPS, { steps: 0 });
    assert.deepEqual(errorsOf(items, given, filled), []);
    const canGo = items.some(
      (item) => item.count > 0 && item.poses.length > 0 && item.weightG <= given.payloadG,
    );
    assert.equal(piecesIn(filled.stacks).length > 0, canGo);
  }));
