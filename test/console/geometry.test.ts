/** The map's view: all that is on it, ways over the antimeridian in one piece, and vessels between their ports. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import {
  cutAt,
  dragged,
  greatCircle,
  lineOf,
  pathOf,
  projectionOf,
  shareOf,
  viewOf,
  zoomed,
  type Point,
} from "../../packages/console/src/freight/ocean/geometry.ts";

const SIZE = { width: 1_000, height: 480 };
const YOKOHAMA: Point = [139.64, 35.46];
const OAKLAND: Point = [-122.29, 37.83];

test("a way over the Pacific lies in sight in one piece", () => {
  const view = viewOf([YOKOHAMA, OAKLAND], SIZE);
  const projection = projectionOf(view, SIZE);
  const ends = [YOKOHAMA, OAKLAND].map(([lon, lat]) => projection([lon, lat])!);
  assert.ok(ends[0]![0] > 0 && ends[1]![0] < SIZE.width && ends[0]![0] < ends[1]![0], String(ends));
  const way = pathOf(projection)(lineOf([YOKOHAMA, OAKLAND]))!;
  assert.equal(way.match(/M/g)?.length, 1);
  const turned = pathOf(projectionOf({ ...view, lon: 0, zoom: 1 }, SIZE));
  const cut = turned(lineOf([YOKOHAMA, OAKLAND]))!;
  assert.equal(cut.match(/M/g)?.length, 2, "seen from Greenwich it is cut at the antimeridian");
});

test("dragging over the antimeridian goes on, and what lies under the pointer stays there", () => {
  const view = { lon: 175, lat: 30, zoom: 2 };
  assert.ok(dragged(view, SIZE, -200, 0).lon < -140);
  const at: Point = [700, 150];
  const under = projectionOf(view, SIZE).invert!([...at])!;
  const [x, y] = projectionOf(zoomed(view, SIZE, 1.6, at), SIZE)(under)!;
  assert.ok(Math.hypot(x - at[0], y - at[1]) < 2, `${x} ${y}`);
});

test("the first view shows all that is on the map, however flat or narrow it is", () => {
  const point = fc.tuple(
    fc.double({ min: -180, max: 179, noNaN: true }),
    fc.double({ min: -70, max: 75, noNaN: true }),
  );
  const points = fc.array(point, { minLength: 1, maxLength: 6 });
  const size = fc.record({
    width: fc.integer({ min: 300, max: 1_600 }),
    height: fc.integer({ min: 280, max: 520 }),
  });
  fc.assert(
    fc.property(points, size, (all, { width, height }) => {
      const projection = projectionOf(viewOf(all, { width, height }), { width, height });
      for (const at of all) {
        const [x, y] = projection(at)!;
        assert.ok(
          x >= 0 && x <= width && y >= 0 && y <= height,
          `${at.join()}: ${x}, ${y} of ${width}, ${height}`,
        );
      }
    }),
  );
});

test("a vessel without AIS is never beyond its ports", () => {
  const way = greatCircle([0, 0], [10, 0]);
  for (const nowMs of [-1e9, 0, 50, 100, 1e12]) {
    const { past, coming } = cutAt(way, shareOf(0, 100, nowMs));
    const [lon] = past.at(-1)!;
    assert.ok(lon > 0 && lon < 10);
    assert.deepEqual(past.at(-1), coming[0]);
    assert.deepEqual([past[0], coming.at(-1)], [way[0], way.at(-1)]);
  }
  const [half] = cutAt(way, shareOf(0, 100, 50)).coming;
  assert.ok(Math.abs(half![0] - 5) < 1e-9);
});
