/** Which port a place is that is written without a known UN/LOCODE, and by which clocks it lives. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { portsAt, zoneAt } from "../../src/freight/places/known-ports.ts";
import { allPorts } from "../../src/freight/places/ports.ts";

const named = (name: string, unlocode: string | null = null) => ({ unlocode, name });
const codes = (...place: Parameters<typeof portsAt>) => portsAt(...place).map(({ unlocode }) => unlocode);

test("a place is known by its code, else by its name in any case, with or without its country", () => {
  assert.deepEqual(codes(named("Antwerp", "NLRTM")), ["NLRTM"], "the code comes first");
  for (const name of [
    "Rotterdam",
    "ROTTERDAM",
    "Rotterdam, NL",
    "Rotterdam (Netherlands)",
    "ROTTERDAM,ZH,NL",
  ])
    assert.deepEqual(codes(named(name)), ["NLRTM"], name);
  assert.deepEqual(codes(named("Nhava Sheva")), ["INNSA"], "by the name in brackets");
  assert.deepEqual(codes(named("Bombay")), ["INBOM"], "by the name of before");
  assert.equal(zoneAt(named("QINGDAO")), "Asia/Shanghai");
  assert.ok(codes(named("QINGDAO")).includes("CNTAO"), "all of its codes");
  assert.deepEqual(codes(named("Boston, United Kingdom")), ["GBBOS"]);
  assert.deepEqual(codes(named("Boston", "USXXX")), ["USBOS"], "the country of a code that is unknown");
});

test("a name that several far places have, or that stands before anything but a country, tells nothing", () => {
  for (const name of [
    "Georgetown",
    "Portland",
    "San Juan",
    "Rotterdam, Maasvlakte",
    "Terminal 4",
    "-",
    "Los Angeles, CA",
  ])
    assert.deepEqual([codes(named(name)), zoneAt(named(name))], [[], null], name);
  assert.deepEqual(codes(named("Rotterdam", "USXXX")), []);
});

test("coordinates tell the nearest port, if there is one near", () => {
  const rotterdam = { latitude: 51.95, longitude: 4.05 };
  assert.equal(zoneAt({ ...named("Gate 7"), position: rotterdam }), "Europe/Amsterdam");
  const portland = { latitude: 45.6, longitude: -122.7 };
  assert.equal(zoneAt({ ...named("Portland"), position: portland }), "America/Los_Angeles", "of several");
  assert.equal(zoneAt({ ...named("Ocean"), position: { latitude: 40, longitude: -40 } }), null);
});

test("a code that the table lacks has the clocks of its country, if they are all alike", () => {
  assert.equal(zoneAt({ unlocode: "NLX9X", name: null }), "Europe/Amsterdam");
  assert.equal(zoneAt({ unlocode: "USX9X", name: null }), null);
  assert.equal(zoneAt({ unlocode: "XXAAA", name: null }), null);
  assert.deepEqual(codes({ unlocode: "NLX9X", name: null }), [], "and is no port of it");
});

test("a name of the table tells that port's zone, or none", () => {
  for (const { name, timeZone, country } of allPorts()) {
    assert.ok([timeZone, null].includes(zoneAt(named(name))), name);
    assert.ok([timeZone, null].includes(zoneAt(named(`${name}, ${country}`))), name);
  }
});
