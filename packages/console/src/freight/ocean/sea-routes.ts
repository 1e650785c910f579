/**
 * The shortest ways of ships over a network of sea routes, searoute's: docs/decisions/ocean-sea-routes.md. From one port
 * all places are searched at once, since many ships leave it.
 */
import { distanceRad, type Point } from "./geometry.ts";

/**
 * Lines by passage (suez, panama …, else open), each a text: longitude and latitude of its first point, and how far each
 * other one lies from the one before, in hundredths of a degree.
 */
export type SeaNetwork = Readonly<Record<string, readonly string[]>>;

/** Null: none is known. Much faster with a first point that was a first point before. */
export type FindSeaRoute = (from: Point, to: Point) => readonly Point[] | null;

const UNITS_PER_DEGREE = 100;
/** What lies farther from all ways at sea is no seaport. */
const JOIN_RAD_MAX = 300 / 6_371;
/** Some 80 kB each. */
const SEARCHES_MAX = 200;

export function findSeaRoutesOn(network: SeaNetwork): FindSeaRoute {
  const graph = readGraph(network);
  const searches = new Map<string, Search>();
  const searchFrom = (at: Point): Search => {
    const known = searches.get(at.join());
    if (known !== undefined) return known;
    if (searches.size >= SEARCHES_MAX) searches.clear();
    const made = search(graph, joinOf(graph, at));
    searches.set(at.join(), made);
    return made;
  };
  return (from, to) => {
    const { start, distances, before } = searchFrom(from);
    const end = joinOf(graph, to);
    // Berths of one harbour are nearer to each other than to the way that passes it.
    if (Math.max(start.away, end.away) > JOIN_RAD_MAX || distanceRad(from, to) < start.away + end.away)
      return null;
    if (start.edge === end.edge) return [from, start.at, end.at, to];
    const last = nearer(graph, end, distances);
    const way: Point[] = [to, end.at];
    for (let node = last; node !== -1; node = before[node]!) way.push(graph.points[node]!);
    return [...way, start.at, from].toReversed();
  };
}

type Graph = {
  readonly points: readonly Point[];
  /** By node: its edges, each a pair of the other node and the length in radians. */
  readonly edgesOf: readonly (readonly (readonly [node: number, length: number])[])[];
  readonly edges: readonly (readonly [from: number, to: number])[];
};

function readGraph(network: SeaNetwork): Graph {
  const points: Point[] = [];
  const edgesOf: [number, number][][] = [];
  const edges: [number, number][] = [];
  const nodes = new Map<number, number>();
  const nodeAt = (x: number, y: number): number => {
    const lon = wrapped(x / UNITS_PER_DEGREE);
    const place = Math.round(lon * UNITS_PER_DEGREE) * 100_000 + y;
    const known = nodes.get(place);
    if (known !== undefined) return known;
    nodes.set(place, points.length);
    edgesOf.push([]);
    return points.push([lon, y / UNITS_PER_DEGREE]) - 1;
  };
  const link = (one: number, other: number): void => {
    const length = distanceRad(points[one]!, points[other]!);
    edgesOf[one]!.push([other, length]);
    edgesOf[other]!.push([one, length]);
    edges.push([one, other]);
  };
  for (const line of Object.values(network).flat()) {
    let [x, y, last] = [0, 0, -1];
    const moves = line.split(" ").map(Number);
    for (let index = 0; index < moves.length; index += 2) {
      x += moves[index]!;
      y += moves[index + 1]!;
      const node = nodeAt(x, y);
      if (last !== -1) link(last, node);
      last = node;
    }
  }
  return { points, edgesOf, edges };
}

/** From -180 to below 180. */
function wrapped(lon: number): number {
  return lon >= -180 && lon < 180 ? lon : ((((lon + 180) % 360) + 360) % 360) - 180;
}

/** Where one comes to the network: the nearest point of its nearest edge, and how far that is, in radians. */
type Join = { readonly edge: number; readonly at: Point; readonly away: number };

function joinOf({ points, edges }: Graph, [lon, lat]: Point): Join {
  // As if the earth were flat around the place.
  const narrowing = Math.cos((lat * Math.PI) / 180);
  const best = { away: Number.POSITIVE_INFINITY, edge: -1, at: [lon, lat] as Point };
  for (let edge = 0; edge < edges.length; edge += 1) {
    // By index: taking pairs apart costs most of the time here.
    const from = points[edges[edge]![0]]!;
    const to = points[edges[edge]![1]]!;
    const y = from[1] - lat;
    const height = to[1] - from[1];
    // Most lie too far north or south.
    if (Math.min(y, y + height) > best.away || Math.max(y, y + height) < -best.away) continue;
    const x = wrapped(from[0] - lon) * narrowing;
    const width = wrapped(to[0] - from[0]) * narrowing;
    const share = -(x * width + y * height) / (width * width + height * height);
    const along = Math.max(0, Math.min(1, share));
    const away = Math.sqrt((x + along * width) ** 2 + (y + along * height) ** 2);
    if (away >= best.away) continue;
    best.away = away;
    best.edge = edge;
    best.at = [wrapped(lon + (x + along * width) / narrowing), lat + y + along * height];
  }
  return { ...best, away: (best.away * Math.PI) / 180 };
}

type Search = {
  readonly start: Join;
  /** By node, in radians from the start. */
  readonly distances: Float64Array;
  /** By node, the one before it on the way; -1: the start. */
  readonly before: Int32Array;
};

/** Dijkstra's. */
function search({ points, edgesOf, edges }: Graph, start: Join): Search {
  const distances = new Float64Array(points.length).fill(Number.POSITIVE_INFINITY);
  const before = new Int32Array(points.length).fill(-1);
  const waiting: Heap = [];
  const reach = (node: number, distance: number, from: number): void => {
    if (distance >= distances[node]!) return;
    distances[node] = distance;
    before[node] = from;
    push(waiting, [distance, node]);
  };
  for (const node of edges[start.edge]!) reach(node, distanceRad(start.at, points[node]!), -1);
  for (let nearest = pop(waiting); nearest !== undefined; nearest = pop(waiting)) {
    const [distance, node] = nearest;
    // It was reached by a shorter way since.
    if (distance > distances[node]!) continue;
    for (const [other, length] of edgesOf[node]!) reach(other, distance + length, node);
  }
  return { start, distances, before };
}

/** The nearest one is first; each is nearer than the two at twice its index. */
type Heap = (readonly [distance: number, node: number])[];

function push(heap: Heap, added: Heap[number]): void {
  let at = heap.length;
  for (let above = (at - 1) >> 1; at > 0 && heap[above]![0] > added[0]; above = (at - 1) >> 1) {
    heap[at] = heap[above]!;
    at = above;
  }
  heap[at] = added;
}

function pop(heap: Heap): Heap[number] | undefined {
  const [first] = heap;
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return first;
  let at = 0;
  for (let below = 1; below < heap.length; below = 2 * at + 1) {
    if (below + 1 < heap.length && heap[below + 1]![0] < heap[below]![0]) below += 1;
    if (heap[below]![0] >= last[0]) break;
    heap[at] = heap[below]!;
    at = below;
  }
  heap[at] = last;
  return first;
}

function nearer({ points, edges }: Graph, { edge, at }: Join, distances: Float64Array): number {
  const lengthBy = (node: number): number => distances[node]! + distanceRad(at, points[node]!);
  const [one, other] = edges[edge]!;
  return lengthBy(one) <= lengthBy(other) ? one : other;
}

let loaded: Promise<FindSeaRoute> | null = null;

/** Finds none if the network could not be loaded. */
export function loadSeaRoutes(): Promise<FindSeaRoute> {
  loaded ??= import("./sea-network.json").then(
    ({ default: network }) => findSeaRoutesOn(network),
    () => {
      loaded = null;
      return () => null;
    },
  );
  return loaded;
}
