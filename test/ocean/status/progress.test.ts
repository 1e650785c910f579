/** How far boxes of one shipment have come beside each other: only the order counts. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { progressOf } from "../../../src/products/ocean/status/progress.ts";
import type { ContainerStatus } from "../../../src/products/ocean/event-data.ts";
import type { StatusReading } from "../../../src/products/ocean/status/status.ts";
import type { Position } from "../../../src/products/ocean/status/position.ts";
import { place } from "../records.ts";

type At = { legs?: number; unreported?: number; held?: boolean; inland?: boolean; status?: ContainerStatus };

function progress(position: Position, at: At = {}): number {
  const { legs = 0, unreported = 0, held = false, inland = false, status = "in_transit" } = at;
  const [port, town] = [place("NLRTM"), place("DEMUC")];
  const journey = {
    position,
    departures: Array(legs).fill(null),
    unreportedDepartures: Array(unreported).fill(null),
    hold: held ? { place: port } : null,
    place: inland ? town : port,
  };
  return progressOf(
    { journey, route: { inland: { kind: "known", place: town } } } as unknown as StatusReading,
    status,
  );
}

/** Each further on than the one before it. */
const WAY: readonly (readonly [Position, At?])[] = [
  ["origin", { status: "unknown" }],
  ["origin", { status: "pre_departure" }],
  ...[1, 2, 3].flatMap((legs) =>
    (["sailing", "anchored", "berthed", "transshipment"] as const).map((at) => [at, { legs }] as const),
  ),
  ["transshipment", { legs: 999 }],
  ["discharged", { held: true }],
  ["discharged"],
  ["on_carriage", { held: true }],
  ["on_carriage"],
  ["available", { held: true }],
  ["available"],
  ["discharged", { held: true, inland: true }],
  ["discharged", { inland: true }],
  ["on_carriage", { inland: true }],
  ["available", { inland: true }],
  ["delivered", { status: "delivered" }],
  ["returned", { status: "returned_empty" }],
  ["origin", { status: "cancelled" }],
];

test("a box is further on than one that has come less far, the whole way", () => {
  let before = Number.NEGATIVE_INFINITY;
  for (const [where, at] of WAY) {
    const far = progress(where, at);
    assert.ok(far > before, `${where} ${JSON.stringify(at)}: ${far} after ${before}`);
    before = far;
  }
});

test("a departure that nobody reported counts like one that was, and no number of legs brings a box ashore", () => {
  assert.equal(progress("sailing", { legs: 1, unreported: 1 }), progress("sailing", { legs: 2 }));
  assert.ok(progress("transshipment", { legs: 5_000 }) < progress("discharged", { held: true }));
});

test("what a status says of the end stands, wherever the box is", () => {
  for (const status of ["delivered", "returned_empty", "cancelled"] as const)
    assert.equal(progress("sailing", { status }), progress("available", { status }));
  assert.equal(progress("available", { status: "unknown" }), 0);
});

test("an inland place counts only where it is known to be one", () => {
  const journey = { position: "available", hold: null, place: null };
  const there = { journey, route: { inland: { kind: "none" } } } as unknown as StatusReading;
  assert.equal(progressOf(there, "available"), progress("available"));
});
