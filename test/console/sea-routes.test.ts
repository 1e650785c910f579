/** Ways at sea: as long as the tables of the sea say, open and shut; ships on them lie in the sea. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { geoContains } from "d3-geo";
import { feature } from "topojson-client";

import { cutAt, distanceRad, type Point } from "../../packages/console/src/freight/ocean/geometry.ts";
import { findSeaRoutesOn, type SeaNetwork } from "../../packages/console/src/freight/ocean/sea-routes.ts";
import { portOf } from "../../src/freight/places/ports.ts";

const root = join(import.meta.dirname, "..", "..");
const json = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));
const network: SeaNetwork = json("packages/console/src/freight/ocean/sea-network.json");

/**
 * Nautical miles of Pub. 151, Distances Between Ports (NGA, 2001). Where it has no row for a pair, the sum by its
 * junctions: Ile d'Ouessant, Bishop Rock, Gibraltar, Port Said, Singapore, Skagen, Panama.
 */
const OPEN = `
  NLRTM-FRLEH 250    GBFXT-NLRTM 121    NLRTM-NOOSL 554    FIHEL-DEHAM 1047   NLRTM-SGSIN 8340   NLRTM-CNSHA 10547
  DEHAM-USNYC 3654   GBFXT-USNYC 3314   NLRTM-BRSSZ 5446   NLRTM-ZACPT 6187   SGSIN-HKHKG 1454   SGSIN-JPYOK 2889
  SGSIN-INBOM 2441   SGSIN-ZADUR 4872   SGSIN-KRPUS 2502   CNSHA-KRPUS 491    CNSHA-HKHKG 831    CNSHA-USLAX 5699
  HKHKG-USLAX 6380   JPYOK-USLAX 4839   JPYOK-CAVAN 4262   AUSYD-NZAKL 1280   AUSYD-USLAX 6511   USLAX-CLVAP 4808
  USLAX-USNYC 4931   CNSHA-USNYC 10584  USNYC-BRSSZ 4957   BRSSZ-ZACPT 3409   ITGOA-EGPSD 1426   EGPSD-INBOM 3046`;
const SUEZ_SHUT = "NLRTM-SGSIN 11769  NLRTM-CNSHA 13976";
const PANAMA_SHUT = "USLAX-USNYC 12787  CNSHA-USNYC 12365  USLAX-NLRTM 13301  PECLL-USNYC 9587";
const BOTH_SHUT = "CNSHA-USNYC 14600";

type Distance = { readonly name: string; readonly ends: readonly [Point, Point]; readonly miles: number };

function distancesIn(table: string): readonly Distance[] {
  return [...table.matchAll(/(\w{5})-(\w{5}) (\d+)/g)].map(([name, from, to, miles]) => {
    const [one, other] = [from, to].map((code) => portOf(code!)!);
    const ends = [one!, other!].map(({ longitude, latitude }) => [longitude, latitude] as Point);
    return { name, ends: ends as unknown as [Point, Point], miles: Number(miles) };
  });
}

const EARTH_RADIUS_NM = 6371 / 1.852;

function milesOf(way: readonly Point[]): number {
  return way.slice(1).reduce((sum, at, index) => sum + distanceRad(way[index]!, at), 0) * EARTH_RADIUS_NM;
}

/** In hundredths of what the table says. */
function errorsOf(open: SeaNetwork, table: string): readonly number[] {
  const find = findSeaRoutesOn(open);
  return distancesIn(table).map(({ name, ends, miles }) => {
    const found = milesOf(find(...ends) ?? []);
    const error = (found / miles - 1) * 100;
    assert.ok(Math.abs(error) < 5, `${name}: ${found.toFixed(0)}, off by ${error.toFixed(1)} %`);
    return Math.abs(error);
  });
}

test("ways between 30 pairs of ports are as long as Pub. 151 says, to 5 %, most to 2 %", (t) => {
  const errors = errorsOf(network, OPEN).toSorted((one, other) => one - other);
  assert.equal(errors.length, 30);
  t.diagnostic(`median ${errors[15]!.toFixed(1)} %, at most ${errors.at(-1)!.toFixed(1)} %`);
  assert.ok(errors[15]! < 2, errors.join());
});

test("without a passage they go around: Suez, Panama, or both shut", () => {
  const { suez, panama, ...others } = network;
  assert.ok(suez !== undefined && panama !== undefined);
  assert.equal(errorsOf({ ...others, panama }, SUEZ_SHUT).length, 2);
  assert.equal(errorsOf({ ...others, suez }, PANAMA_SHUT).length, 4);
  assert.equal(errorsOf(others, BOTH_SHUT).length, 1);
});

/** In degrees: the coasts of the map are no finer. */
const COAST = 0.4;

test("a vessel on a way lies in the sea, and the ends of the way where they are, whichever is first", () => {
  const atlas = json("node_modules/world-atlas/land-110m.json");
  const land = feature(atlas, atlas.objects.land) as never;
  const find = findSeaRoutesOn(network);
  const isAshore = ([lon, lat]: Point): boolean =>
    [
      [0, 0],
      [COAST, 0],
      [-COAST, 0],
      [0, COAST],
      [0, -COAST],
    ].every(([east, north]) => geoContains(land, [lon + east!, lat + north!]));
  const ashore: string[] = [];
  for (const { name, ends } of distancesIn(OPEN)) {
    const way = find(...ends)!;
    assert.deepEqual([way[0], way.at(-1)], ends, name);
    assert.ok(Math.abs(milesOf(find(ends[1], ends[0])!) - milesOf(way)) < 0.01, name);
    for (const tenths of [1, 2, 3, 4, 5, 6, 7, 8, 9])
      if (isAshore(cutAt(way, tenths / 10).coming[0]!)) ashore.push(`${name} ${tenths}`);
  }
  assert.deepEqual(ashore, ["NLRTM-SGSIN 8340 4"], "in the Suez Canal");
});

test("a way over the antimeridian is in one piece, and a ship in mid-ocean lies where it is", () => {
  const find = findSeaRoutesOn(network);
  const yokohama: Point = [139.64, 35.46];
  const seen: Point = [-179.5, 44.4];
  const way = find(yokohama, seen)!;
  assert.deepEqual(way.at(-1), seen);
  assert.ok(milesOf(way) < 2_400, milesOf(way).toFixed(0));
});

test("none is known from inland, nor between berths of one harbour", () => {
  const find = findSeaRoutesOn(network);
  assert.equal(find([106.5, 29.6], [121.5, 31.4]), null, "Chongqing");
  assert.equal(find([4.05, 51.96], [4.08, 51.95]), null, "Maasvlakte");
});
