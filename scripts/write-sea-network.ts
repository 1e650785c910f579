/**
 * Writes packages/console/src/freight/ocean/sea-network.json. By hand, when searoute has a new version:
 *
 *     node scripts/write-sea-network.ts <searoute/data/marnet_searoute.geojson>
 *
 * Without the Northwest Passage, and what only it connects: no container vessel sails there.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Within a pixel on the map as near as it comes. */
const UNITS_PER_DEGREE = 100;
const NOT_SAILED = ["northwest"];

type Point = readonly [number, number];
type Line = { readonly passage: string; readonly points: readonly Point[] };
type Feature = {
  readonly properties: { readonly passage?: string };
  readonly geometry:
    | { readonly type: "LineString"; readonly coordinates: readonly Point[] }
    | { readonly type: "MultiLineString"; readonly coordinates: readonly (readonly Point[])[] };
};

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error("usage: node scripts/write-sea-network.ts <searoute's marnet_searoute.geojson>");
  process.exit(2);
}

const { features } = JSON.parse(readFileSync(file, "utf8")) as { readonly features: readonly Feature[] };
const lines = features.flatMap(linesOf).filter(({ passage }) => !NOT_SAILED.includes(passage));
const kept = mostConnected(lines);
const network = Object.fromEntries(
  [...Map.groupBy(kept, ({ passage }) => passage)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([passage, all]) => [passage, all.map(textOf)]),
);
const written = join(import.meta.dirname, "../packages/console/src/freight/ocean/sea-network.json");
writeFileSync(written, `${JSON.stringify(network, null, 2)}\n`);
console.log(`${kept.length} lines; left out as unconnected: ${lines.length - kept.length}`);

function linesOf({ properties: { passage = "open" }, geometry }: Feature): readonly Line[] {
  const all = geometry.type === "LineString" ? [geometry.coordinates] : geometry.coordinates;
  return all.flatMap((coordinates) => {
    const points = coordinates
      .map(([lon, lat]): Point => [Math.round(lon * UNITS_PER_DEGREE), Math.round(lat * UNITS_PER_DEGREE)])
      .filter(([x, y], index, rounded) => x !== rounded[index - 1]?.[0] || y !== rounded[index - 1]?.[1]);
    return points.length < 2 ? [] : [{ passage, points }];
  });
}

/** The lines that most others can be reached from. */
function mostConnected(all: readonly Line[]): readonly Line[] {
  const around = 360 * UNITS_PER_DEGREE;
  const nameOf = ([x, y]: Point): string => `${((x % around) + around) % around} ${y}`;
  const at = new Map<string, Line[]>();
  for (const line of all) for (const name of line.points.map(nameOf)) at.getOrInsert(name, []).push(line);
  const seen = new Set<Line>();
  const groups = all.map((first) => {
    const group = seen.has(first) ? [] : [first];
    seen.add(first);
    for (const line of group)
      for (const next of line.points.flatMap((point) => at.get(nameOf(point)) ?? []))
        if (!seen.has(next)) {
          seen.add(next);
          group.push(next);
        }
    return group;
  });
  return groups.reduce((largest, group) => (group.length > largest.length ? group : largest), []);
}

/** Longitude and latitude of the first point; of each other one, how far it lies from the one before. */
function textOf({ points }: Line): string {
  return points
    .flatMap(([x, y], index) => [x - (points[index - 1]?.[0] ?? 0), y - (points[index - 1]?.[1] ?? 0)])
    .join(" ");
}
