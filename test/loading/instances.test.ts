/** Samples of the test problems equal the published ones. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { CONTAINER, instance, SETS } from "../../bench/packing/instances.ts";

test("the first problem of BR1 is the published one, with the sides that may stand upright, and so begin others", () => {
  assert.deepEqual(instance("BR1", 1).boxes, [
    { dimensions: [108, 30, 76], upright: [false, true, false], count: 40 },
    { dimensions: [110, 25, 43], upright: [false, true, true], count: 33 },
    { dimensions: [92, 81, 55], upright: [true, true, true], count: 39 },
  ]);
  for (const [set, number, boxes] of [
    ["BR2", 2, "49,25,21,22 60,51,41,22 103,64,76,28 95,62,70,25 111,26,49,17"],
    ["BR8", 1, "108,30,76,7 110,25,43,4 92,81,55,5"],
  ] as const) {
    const texts = instance(set, number).boxes.map(({ dimensions, count }) => [...dimensions, count].join());
    assert.ok(texts.join(" ").startsWith(boxes), set);
  }
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
