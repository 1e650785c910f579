/** Cities and their airports, as the codes of waybills and of their events name them. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { airportOf } from "../../src/freight/places/airports.ts";
import { offsetMinutesIn } from "../../src/freight/places/local-time.ts";
import { airportsOfCity, isSameStation, stationZone } from "../../src/freight/places/stations.ts";
import { readTable } from "../../src/freight/places/table.ts";

const CITIES = readTable("./cities.csv", ["city", "name", "airports"]).map(([city]) => city!);

test("every city's airports exist, and have one time", () => {
  assert.ok(CITIES.length > 100);
  for (const city of CITIES) {
    const airports = airportsOfCity(city);
    assert.deepEqual(airports, [...new Set(airports)].toSorted(), city);
    for (const airport of airports) assert.ok(airportOf(airport), `${city}: ${airport}`);
    for (const month of ["01", "07"]) {
      const ms = Date.parse(`2026-${month}-15T12:00Z`);
      const offsets: readonly number[] = airports.map((airport) =>
        offsetMinutesIn(airportOf(airport)!.timeZone, ms),
      );
      assert.equal(new Set(offsets).size, 1, city);
    }
  }
});

test("cities are sorted, each once, and each tells something that its code alone does not", () => {
  assert.deepEqual(CITIES, [...new Set(CITIES)].toSorted());
  for (const city of CITIES) assert.notDeepEqual(airportsOfCity(city), [city]);
});

test("an airport of a city is at the city, and a city's code at its airports", () => {
  const same =
    "LHR LON,LON LHR,JFK NYC,EWR NYC,ARN STO,NRT TYO,ICN SEL,PVG SHA,IAH HOU,IKA THR,BSZ FRU,FRU BSZ";
  for (const pair of [...same.split(","), "FRA FRA", "QQQ QQQ"]) {
    const [station, place] = pair.split(" ") as [string, string];
    assert.ok(isSameStation(station, place), pair);
  }
});

test("two airports of a city are two places, even if one has the city's code", () => {
  const apart = [
    ["LHR", "LGW"],
    ["LHR", "NYC"],
    ["SHA", "PVG"],
    ["THR", "IKA"],
    ["HHN", "FRA"],
    [null, "FRA"],
    ["FRA", null],
    [null, null],
  ] as const;
  for (const [station, place] of apart) assert.ok(!isSameStation(station, place), `${station} at ${place}`);
});

test("a city has the zone of its airports, and an unknown code none", () => {
  assert.equal(stationZone("LON"), "Europe/London");
  assert.equal(stationZone("NYC"), "America/New_York");
  assert.equal(stationZone("FRA"), "Europe/Berlin");
  for (const code of ["QQQ", "", "lon", "constructor"]) assert.equal(stationZone(code), null);
});
