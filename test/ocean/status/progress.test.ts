/** How far boxes of one shipment have come beside each other: only the order counts. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { progressOf } from "../../../src/products/ocean/status/progress.ts";
import type { ContainerStatus } from "../../../src/products/ocean/event-data.ts";
import type { StatusReading } from "../../../src/products/ocean/status/status.ts";
import type { Position } from "../../../src/products/ocean/status/position.ts";
import { place } from "../records.ts";

type At = {
  readonly where: Position;
  readonly legs?: number;
  readonly unreported?: number;
  readonly held?: boolean;
  readonly inland?: boolean;
  readonly status?: ContainerStatus;
};

function progress({
  where,
  legs = 0,
  unreported = 0,
  held = false,
  inland = false,
  status = "in_transit",
}: At): number {
  const [port, town] = [place("NLRTM"), place("DEMUC")];
  const voyage = {
    position: where,
    departures: Array(legs).fill(null),
    unreportedDepartures: Array(unreported).fill(null),
    hold: held ? { place: port } : null,
    place: inland ? town : port,
  };
  return progressOf(
    { journey: voyage, route: { inland: { kind: "known", place: town } } } as unknown as StatusReading,
    status,
  );
}

/** Each further on than the one before it. */
const WAY: readonly At[] = [
  { where: "origin", status: "unknown" },
  { where: "origin", status: "pre_departure" },
  ...[1, 2, 3].flatMap((legs): At[] => [
    { where: "sailing", legs },
    { where: "anchored", legs },
    { where: "berthed", legs },
    { where: "transshipment", legs },
  ]),
  { where: "transshipment", legs: 999 },
  { where: "discharged", held: true },
  { where: "discharged" },
  { where: "on_carriage", held: true },
  { where: "on_carriage" },
  { where: "available", held: true },
  { where: "available" },
  { where: "discharged", held: true, inland: true },
  { where: "discharged", inland: true },
  { where: "on_carriage", inland: true },
  { where: "available", inland: true },
  { where: "delivered", status: "delivered" },
  { where: "returned", status: "returned_empty" },
  { where: "origin", status: "cancelled" },
];

test("a box is further on than one that has come less far, the whole way", () => {
  const all = WAY.map(progress);
  for (const [index, far] of all.entries()) {
    const before = all[index - 1] ?? Number.NEGATIVE_INFINITY;
    assert.ok(far > before, `${JSON.stringify(WAY[index])}: ${far} after ${before}`);
  }
});

test("a departure that nobody reported counts like one that was", () => {
  assert.equal(
    progress({ where: "sailing", legs: 1, unreported: 1 }),
    progress({ where: "sailing", legs: 2 }),
  );
});

test("no number of legs brings a box at sea beyond one ashore", () => {
  assert.ok(
    progress({ where: "transshipment", legs: 5_000 }) < progress({ where: "discharged", held: true }),
  );
});

test("what a status says of the end stands, wherever the box is", () => {
  for (const status of ["delivered", "returned_empty", "cancelled"] as const) {
    assert.equal(progress({ where: "sailing", status }), progress({ where: "available", status }));
  }
  assert.equal(progress({ where: "available", status: "unknown" }), 0);
});

test("an inland place counts only where it is known to be one", () => {
  const there = {
    journey: { position: "available", hold: null, place: null },
    route: { inland: { kind: "none" } },
  };
  assert.equal(progressOf(there as unknown as StatusReading, "available"), progress({ where: "available" }));
});
