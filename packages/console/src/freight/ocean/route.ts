/** The way of a box: the places that it was at and is to come to, and where its vessel is. */
import type { Event, Journey, Place, Position } from "./answers.ts";
import { placeName } from "./answers.ts";
import type { Mark } from "./clusters.ts";
import { bearing, cutAt, greatCircle, isApart, shareOf, type Point } from "./geometry.ts";
import type { Way } from "./map.tsx";
import type { FindSeaRoute } from "./sea-routes.ts";

export type Drawn = { readonly marks: readonly Mark[]; readonly ways: readonly Way[] };

type Leg = Pick<Way, "points" | "isDirect">;

function direct(from: Point, to: Point): Leg {
  return { points: greatCircle(from, to), isDirect: true };
}

function atSea(find: FindSeaRoute, from: Point, to: Point): Leg {
  const points = find(from, to);
  return points === null ? direct(from, to) : { points, isDirect: false };
}

type Sailing = {
  readonly from: Point;
  readonly to: Point | null;
  /** By AIS. */
  readonly seen: Journey["vessel_position"];
  /** Milliseconds since the epoch; null: nobody says. */
  readonly leftMs: number | null;
  readonly dueMs: number | null;
};

type Sailed = Pick<Mark, "at" | "course" | "isEstimated"> & {
  readonly past: Leg;
  /** Null: nobody says where to. */
  readonly coming: Leg | null;
};

/** Where AIS saw the vessel; else as far along as its times say. */
function sailedOf(find: FindSeaRoute, { from, to, seen, leftMs, dueMs }: Sailing, nowMs: number): Sailed {
  if (seen !== null) {
    const at: Point = [seen.longitude, seen.latitude];
    // From the port on, which other vessels make for as well.
    const back = to === null ? null : atSea(find, to, at);
    const coming = back === null ? null : { ...back, points: back.points.toReversed() };
    const past = atSea(find, from, at);
    return { at, course: seen.course ?? courseOf(coming), isEstimated: false, past, coming };
  }
  const whole = to === null ? { points: [from], isDirect: false } : atSea(find, from, to);
  const share = leftMs === null || dueMs === null ? 0 : shareOf(leftMs, dueMs, nowMs);
  const cut = cutAt(whole.points, share);
  const coming = to === null ? null : { ...whole, points: cut.coming };
  const at = cut.coming[0]!;
  return { at, course: courseOf(coming), isEstimated: true, past: { ...whole, points: cut.past }, coming };
}

function courseOf(coming: Leg | null): number | null {
  const [at, next] = coming?.points ?? [];
  return at === undefined || next === undefined ? null : bearing(at, next);
}

type Stop = {
  readonly at: Point;
  readonly name: string;
  readonly isPast: boolean;
  /** Of the last event there, milliseconds since the epoch. */
  readonly lastMs: number;
  readonly firstMs: number;
  /** What comes or leaves by ship crosses no land. */
  readonly comesByShip: boolean;
  readonly leavesByShip: boolean;
  readonly hasLeft: boolean;
};

function pointOf(place: Pick<Place, "latitude" | "longitude"> | null): Point | null {
  if (place === null || place.latitude === null || place.longitude === null) return null;
  return [place.longitude, place.latitude];
}

/** Moves of the box and its vessels, in the order of the answer. */
export function routeOf(
  find: FindSeaRoute,
  journey: Journey,
  events: readonly Event[],
  nowMs: number,
): Drawn {
  const stops = stopsOf(events, journey);
  const here = stops.findLastIndex(({ isPast }) => isPast);
  const ways: Way[] = [];
  const marks: Mark[] = stops.map((stop, index) => ({
    ...{ key: `stop ${index}`, kind: "port", at: stop.at, course: null, isEstimated: !stop.isPast },
    ...{ name: stop.name, count: 0 },
  }));
  for (const [index, from] of stops.entries()) {
    const to = stops[index + 1];
    if (to === undefined) break;
    const seen = journey.vessel_position;
    if (index !== here || !from.hasLeft || (seen === null && !Number.isFinite(to.firstMs))) {
      const leg = from.leavesByShip || to.comesByShip ? atSea(find, from.at, to.at) : direct(from.at, to.at);
      ways.push({ key: `leg ${index}`, ...leg, isPast: to.isPast });
      continue;
    }
    const sailing = { from: from.at, to: to.at, seen, leftMs: from.lastMs, dueMs: to.firstMs };
    const { past, coming, ...vessel } = sailedOf(find, sailing, nowMs);
    ways.push({ key: `leg ${index} past`, ...past, isPast: true });
    if (coming !== null) ways.push({ key: `leg ${index} coming`, ...coming, isPast: false });
    const name = journey.vessel?.name ?? journey.vessel?.imo ?? "The vessel";
    marks.push({ key: "vessel", kind: "vessel", name, count: 0, ...vessel });
  }
  return { marks, ways };
}

function stopsOf(events: readonly Event[], { discharge, destination }: Journey): readonly Stop[] {
  const stops: Stop[] = [];
  for (const event of events) {
    const at = pointOf(event.place);
    if (at === null || event.kind === "shipment") continue;
    const ms = Date.parse(event.event_date_time);
    const isPast = event.classifier === "actual";
    const isByShip = isOfShip(event);
    const comesByShip = isByShip && COMES.includes(event.code);
    const leavesByShip = isByShip && LEAVES.includes(event.code);
    const last = stops.at(-1);
    const here = { lastMs: ms, leavesByShip, hasLeft: isPast && leavesByShip && event.code === "DEPA" };
    if (last === undefined || isApart(last.at, at))
      stops.push({ at, name: placeName(event.place), isPast, firstMs: ms, comesByShip, ...here });
    else {
      const hasLeft = isPast ? here.hasLeft : last.hasLeft;
      stops[stops.length - 1] = { ...last, ...here, isPast: last.isPast || isPast, hasLeft };
    }
  }
  for (const place of [discharge, destination]) {
    const at = pointOf(place);
    if (at === null || stops.some((stop) => !isApart(stop.at, at))) continue;
    const ms = Number.POSITIVE_INFINITY;
    const still = { isPast: false, firstMs: ms, lastMs: ms, leavesByShip: false, hasLeft: false };
    stops.push({ at, name: placeName(place), comesByShip: place === discharge, ...still });
  }
  return stops;
}

const COMES = ["ARRI", "DISC"];
const LEAVES = ["LOAD", "DEPA"];

function isOfShip({ mode, code }: Event): boolean {
  return mode === null ? [...COMES, ...LEAVES].includes(code) : mode === "vessel" || mode === "barge";
}

/** Of a vessel itself, whatever its boxes' carriers say of its ways. */
export function keyOf({ vessel, place, departed_at: left }: Position): string {
  const ship = vessel?.imo ?? vessel?.name ?? null;
  return left === null || ship === null ? `place ${placeName(place)}` : `vessel ${ship}`;
}

/** What an account's containers are on and at. The latest departure tells best where a vessel is. */
export function fleetOf(find: FindSeaRoute, positions: readonly Position[], nowMs: number): Drawn {
  const ways = new Map<string, Way>();
  const marks = [...Map.groupBy(positions, keyOf)].map(([key, all]): Mark => {
    const latest = all.reduce((one, other) =>
      (other.departed_at ?? "") > (one.departed_at ?? "") ? other : one,
    );
    const { vessel, place } = latest;
    const count = all.reduce((sum, { containers }) => sum + containers, 0);
    const still = { course: null, isEstimated: false };
    if (latest.departed_at === null)
      return { key, kind: "port", at: portOf(place), name: placeName(place), count, ...still };
    const { past, coming, ...here } = sailedOf(find, sailingOf(latest), nowMs);
    // Its boxes are from several ports, and go to several.
    for (const one of [latest, ...all.filter((other) => other !== latest)]) {
      const { from, to } = sailingOf(one);
      const name = `${key} from ${from.join(" ")}`;
      if (!ways.has(name))
        ways.set(name, { key: name, isPast: true, ...(one === latest ? past : atSea(find, from, here.at)) });
      const next = `${key} to ${to?.join(" ")}`;
      const leg = one === latest || to === null ? coming : atSea(find, to, here.at);
      if (leg !== null && to !== null && !ways.has(next))
        ways.set(next, { key: next, isPast: false, ...leg });
    }
    return { key, kind: "vessel", name: vessel?.name ?? vessel?.imo ?? placeName(place), count, ...here };
  });
  return { marks, ways: drawnOnce([...ways.values()]) };
}

function portOf({ longitude, latitude }: Position["place"]): Point {
  return [longitude, latitude];
}

function sailingOf(one: Position): Sailing {
  const timeOf = (at: string | null): number | null => (at === null ? null : Date.parse(at));
  return {
    from: portOf(one.place),
    to: one.next_place === null ? null : portOf(one.next_place),
    seen: one.vessel_position,
    leftMs: timeOf(one.departed_at),
    dueMs: timeOf(one.arrives_at),
  };
}

/** Many vessels share a way. Each piece of it is one line, or its dashes would fill each other's gaps. */
function drawnOnce(ways: readonly Way[]): readonly Way[] {
  const drawn = new Set<string>();
  return ways.flatMap((way) => {
    const runs: Point[][] = [];
    let isOpen = false;
    for (const [index, to] of way.points.slice(1).entries()) {
      const from = way.points[index]!;
      const piece = [String(way.isPast), ...[from.join(), to.join()].toSorted()].join(" ");
      if (drawn.has(piece)) isOpen = false;
      else if (isOpen) runs.at(-1)!.push(to);
      else runs.push([from, to]);
      isOpen = !drawn.has(piece);
      drawn.add(piece);
    }
    return runs.map((points, index) => ({ ...way, key: `${way.key} ${index}`, points }));
  });
}
