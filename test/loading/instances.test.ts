/** Samples of the test problems equal the published ones. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { CONTAINER, instance, SETS } from "../../bench/packing/instances.ts";

test("the first problem of BR1 is the published one, with the sides that may stand upright", () => {
  assert.deepEqual(instance("BR1", 1).boxes, [
    { dimensions: [108, 30, 76], upright: [false, true, false], count: 40 },
    { dimensions: [110, 25, 43], upright: [false, true, true], count: 33 },
    { dimensions: [92, 81, 55], upright: [true, true, true], count: 39 },
  ]);
});

test("the second problem of BR2 is the published one", () => {
  assert.deepEqual(
    instance("BR2", 2).boxes.map(({ dimensions, count }) => [...dimensions, count]),
    [
      [49, 25, 21, 22],
      [60, 51, 41, 22],
      [103, 64, 76, 28],
      [95, 62, 70, 25],
      [111, 26, 49, 17],
    ],
  );
});

test("the first problem of BR8 begins as the published one", () => {
  assert.deepEqual(
    instance("BR8", 1)
      .boxes.slice(0, 3)
      .map(({ dimensions, count }) => [...dimensions, count]),
    [
      [108, 30, 76, 7],
      [110, 25, 43, 4],
      [92, 81, 55, 5],
    ],
  );
});

test("no problem has more cargo than the container has room", () => {
  const room = CONTAINER.length * CONTAINER.width * CONTAINER.height;
  for (const [set, types] of Object.entries(SETS)) {
    const { boxes } = instance(set, 7);
    const cargo = boxes.reduce((sum, { dimensions: [a, b, c], count }) => sum + a * b * c * count, 0);
    assert.equal(boxes.length, types);
    assert.ok(cargo <= room && cargo > 0.95 * room, `${set}: ${cargo / room}`);
  }
});
