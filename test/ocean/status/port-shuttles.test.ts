/** Between its discharge and its pickup, a box may be carried from one terminal of the port to another. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CarrierEvent } from "../../../src/products/ocean/sources/carrier-event.ts";
import { documentEvent, event, march } from "../event.ts";
import { pollThrough, raisedIn } from "../life.ts";
import { place } from "../records.ts";

const heron = { vessel: { name: "HERON DAWN", imo: "9074729" } };
const [delta, city] = [
  place("NLRTM", { facility: "DDE", facilityType: "POTE" }),
  place("NLRTM", { facility: "RST", facilityType: "POTE" }),
];
const landed = [
  event("LOAD", "CNTAO", march(-26), heron),
  event("DEPA", "CNTAO", march(-25), heron),
  event("ARRI", "NLRTM", march(1), heron),
  event("DISC", "NLRTM", march(2), { ...heron, place: delta }),
];
const pickedUp = [documentEvent("SRM", "RELS", march(6)), event("GTOT", "NLRTM", march(7), { place: city })];

const moved = (code: string, atMs: number, mode: CarrierEvent["mode"], where = delta): CarrierEvent =>
  event(code, "NLRTM", atMs, { mode, place: where });

const SHUTTLES: Readonly<Record<string, readonly CarrierEvent[]>> = {
  "a barge": [moved("LOAD", march(3), "barge"), moved("DISC", march(4), "barge", city)],
  "a train": [moved("LOAD", march(3), "rail"), moved("DISC", march(4), "rail", city)],
  "a train through the gates": [moved("GTOT", march(3), "rail"), moved("GTIN", march(4), "rail", city)],
  "a barge that calls": [
    moved("LOAD", march(3), "barge"),
    moved("DEPA", march(3, 14), "barge"),
    moved("ARRI", march(3, 20), "barge", city),
    moved("DISC", march(4), "barge", city),
  ],
  "a truck": [moved("GTOT", march(3), "truck"), moved("GTIN", march(4), "truck", city)],
};

for (const [by, shuttle] of Object.entries(SHUTTLES)) {
  test(`spec 6.3: container_delivered: a box that ${by} takes to another terminal is delivered from there`, () => {
    const said = [...landed, ...shuttle, ...pickedUp];
    const polls = pollThrough(
      [march(2, 13), march(5), march(6, 13), march(8)].map((atMs) => [
        atMs,
        said.filter(({ at }) => at.ms < atMs),
      ]),
    );
    assert.deepEqual(
      raisedIn(polls).map((line) => line.slice("2026-03-10T10:50 ".length)),
      ["discharged", "discharged", "available container_available", "delivered container_delivered"],
    );
  });
}

test("spec 6.3: container_delivered: a box on the road to another terminal is handed over from there, too", () => {
  const said = [...landed, ...SHUTTLES["a truck"]!, ...pickedUp];
  const polls = pollThrough(
    [2, 3, 5, 6, 8].map((day) => [march(day, 13), said.filter(({ at }) => at.ms < march(day, 13))]),
  );
  assert.deepEqual(
    raisedIn(polls).map((line) => line.slice("2026-03-10T10:50 ".length)),
    [
      "discharged",
      "delivered container_delivered",
      "discharged updated(status)",
      "available container_available",
      "delivered container_delivered",
    ],
  );
});

for (const by of ["a barge", "a train through the gates"]) {
  test(`spec 6.3: container_available: the vessel that sails on while ${by} moves the box takes the journey's end nowhere`, () => {
    const onward = event("ARRI", "DEHAM", march(3, 20), heron);
    const [now] = pollThrough([
      [march(6, 13), [...landed, ...SHUTTLES[by]!, onward, ...pickedUp.slice(0, 1)]],
    ]);
    assert.equal(now?.record.status, "available");
    assert.equal(now?.record.boxes[0]?.destination?.unlocode, "NLRTM");
  });
}
