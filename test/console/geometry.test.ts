/** The map's view: ways over the antimeridian in one piece, and vessels between their ports. */
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  between,
  dragged,
  lineOf,
  pathOf,
  projectionOf,
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

test("a vessel without AIS is never beyond its ports", () => {
  for (const nowMs of [-1e9, 0, 50, 100, 1e12]) {
    const [lon] = between([0, 0], [10, 0], 0, 100, nowMs);
    assert.ok(lon > 0 && lon < 10);
  }
  assert.ok(Math.abs(between([0, 0], [10, 0], 0, 100, 50)[0] - 5) < 1e-9);
});
