/** What the map draws of a box and of a fleet: who sails, who goes over land, and where a vessel lies. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { Event, Journey, Position } from "../../packages/console/src/freight/ocean/answers.ts";
import { fleetOf, routeOf } from "../../packages/console/src/freight/ocean/route.ts";
import type { FindSeaRoute } from "../../packages/console/src/freight/ocean/sea-routes.ts";

/** By a point in the south, as ships go around a cape. */
const find: FindSeaRoute = (from, to) => [from, [(from[0] + to[0]) / 2, -30], to];

const PLACES = { Here: [0, 0], There: [20, 0], Inland: [25, 10] } as const;
type Name = keyof typeof PLACES;

function placeAt(name: Name) {
  const [longitude, latitude] = PLACES[name];
  return { unlocode: null, name, longitude, latitude, time_zone: null, facility: null };
}

function eventAt(
  name: Name,
  day: number,
  code: string,
  mode: Event["mode"],
  classifier: Event["classifier"],
) {
  const time = new Date(day * 86_400_000).toISOString();
  return {
    ...{ kind: "transport", classifier, code, mode },
    event_date_time: time,
    place: placeAt(name),
  } as Event;
}

const EVENTS = [
  eventAt("Here", 10, "DEPA", "vessel", "actual"),
  eventAt("There", 20, "ARRI", "vessel", "estimated"),
  eventAt("There", 22, "DEPA", "rail", "planned"),
  eventAt("Inland", 23, "ARRI", "rail", "planned"),
];
const VESSEL = { name: "ANSON", imo: "9321483" };
const JOURNEY = {
  vessel: VESSEL,
  vessel_position: null,
  discharge: null,
  destination: null,
} as unknown as Journey;
const SEEN = {
  imo: VESSEL.imo,
  longitude: 4.5,
  latitude: -7.25,
  course: 100,
  seen_at: "1970-01-12T00:00:00.000Z",
};
const DAY_12_MS = 12 * 86_400_000;

test("a box sails to its port and goes on over land; its vessel is as far along as its times say", () => {
  const { marks, ways } = routeOf(find, JOURNEY, EVENTS, DAY_12_MS);
  assert.deepEqual(
    ways.map(({ isPast, isDirect }) => [isPast, isDirect]),
    [
      [true, false],
      [false, false],
      [false, true],
    ],
  );
  const vessel = marks.find(({ kind }) => kind === "vessel")!;
  assert.ok(
    vessel.isEstimated && vessel.at[0] > 1 && vessel.at[0] < 9 && vessel.at[1] < -5,
    vessel.at.join(),
  );
  assert.deepEqual([ways[0]!.points.at(-1), ways[1]!.points[0]], [vessel.at, vessel.at]);
});

test("what a ship has brought goes on over land, though nobody says by what", () => {
  const events = [
    eventAt("Here", 1, "DEPA", "vessel", "actual"),
    eventAt("There", 2, "DISC", "vessel", "actual"),
    { ...eventAt("Inland", 3, "GTOT", null, "actual"), kind: "equipment" } as Event,
  ];
  const { ways } = routeOf(find, JOURNEY, events, DAY_12_MS);
  assert.deepEqual(
    ways.map(({ isDirect }) => isDirect),
    [false, true],
  );
});

test("a vessel by AIS lies where it was seen, at the end and the start of its ways", () => {
  const { marks, ways } = routeOf(find, { ...JOURNEY, vessel_position: SEEN }, EVENTS, DAY_12_MS);
  const vessel = marks.find(({ kind }) => kind === "vessel")!;
  assert.deepEqual([vessel.at, vessel.course, vessel.isEstimated], [[4.5, -7.25], 100, false]);
  assert.deepEqual([ways[0]!.points.at(-1), ways[1]!.points[0]], [vessel.at, vessel.at]);
  assert.deepEqual(
    [ways[0]!.points[0], ways[1]!.points.at(-1)],
    [
      [0, 0],
      [20, 0],
    ],
  );
});

test("of a fleet, each piece of a way is drawn once", () => {
  const sailing = (name: string): Position => ({
    ...{ vessel: { name, imo: null }, vessel_position: null, containers: 1, newest: [] },
    ...{ place: placeAt("Here"), departed_at: "1970-01-11T00:00:00.000Z" },
    ...{ next_place: placeAt("There"), arrives_at: "1970-01-21T00:00:00.000Z" },
  });
  const { marks, ways } = fleetOf(find, [sailing("ANSON"), sailing("BLIGH")], DAY_12_MS);
  assert.equal(marks.length, 2);
  assert.deepEqual(
    ways.map(({ isPast }) => isPast),
    [true, false],
  );
});
