/**
 * Writes src/freight/places/ports.csv. By hand, when its sources have a new version:
 *
 *     node scripts/write-ports.ts <sea-ports/lib/ports.json> <searoute/data/ports.geojson>
 *
 * Neither list is right everywhere (sea-ports has Yantian 700 km away from itself), so a row needs both,
 * or a good reason; see ports/place-sources.ts. What is known better is in ports/by-hand.csv.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { believed, readByHand, readSeaPorts, readSearoute, type ListedPlace } from "./ports/place-sources.ts";
import { hasOneClock, zoneAt } from "./ports/time-zones.ts";

const [seaPortsFile, searouteFile] = process.argv.slice(2);
if (seaPortsFile === undefined || searouteFile === undefined) {
  console.error("usage: node scripts/write-ports.ts <sea-ports' ports.json> <searoute's ports.geojson>");
  process.exit(2);
}

const byCode = <Place extends ListedPlace>(places: readonly Place[]): ReadonlyMap<string, Place> =>
  new Map(places.map((place) => [place.unlocode, place]));
const json = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));
const seaPorts = byCode(readSeaPorts(json(seaPortsFile)));
const searoute = byCode(readSearoute(json(searouteFile)));
const byHand = byCode(readByHand(readFileSync(join(import.meta.dirname, "ports/by-hand.csv"), "utf8")));

const rows: string[] = [];
const left = { doubtful: 0, abroad: 0 };
const codes = new Set([...seaPorts.keys(), ...searoute.keys(), ...byHand.keys()]);
for (const unlocode of [...codes].filter((code) => /^[A-Z]{2}[A-Z2-9]{3}$/.test(code)).toSorted()) {
  const country = unlocode.slice(0, 2);
  const oneClock = hasOneClock(country);
  const known = byHand.get(unlocode);
  const place = known ?? believed(seaPorts.get(unlocode), searoute.get(unlocode), oneClock);
  const timeZone = known?.timeZone ?? (place === null ? null : zoneAt(place, country));
  if (place === null) left.doubtful += 1;
  else if (timeZone === null) {
    left.abroad += 1;
    if (known !== undefined) console.error(`${unlocode} of by-hand.csv does not lie in ${country}`);
  } else rows.push(rowOf(unlocode, place, timeZone));
}

function rowOf(unlocode: string, { name, latitude, longitude }: ListedPlace, timeZone: string): string {
  const plain = name
    .replaceAll(/[,"\s]+/g, " ")
    .normalize("NFC")
    .trim();
  return [unlocode, plain, Number(latitude.toFixed(3)), Number(longitude.toFixed(3)), timeZone].join(",");
}

const file = join(import.meta.dirname, "../src/freight/places/ports.csv");
writeFileSync(file, `unlocode,name,latitude,longitude,time_zone\n${rows.join("\n")}\n`);
console.log(`${rows.length} places; left out: ${JSON.stringify(left)}`);
