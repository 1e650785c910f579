/** The way of a box: the places that it was at and is to come to, and where its vessel is. */
import type { Event, Journey, Place, Position } from "./answers.ts";
import { placeName } from "./answers.ts";
import type { Mark } from "./clusters.ts";
import { bearing, between, isApart, type Point } from "./geometry.ts";
import type { Way } from "./map.tsx";

export type Drawn = { readonly marks: readonly Mark[]; readonly ways: readonly Way[] };

type Stop = {
  readonly at: Point;
  readonly name: string;
  readonly isPast: boolean;
  /** Of the last event there, milliseconds since the epoch. */
  readonly lastMs: number;
  readonly firstMs: number;
  readonly hasLeft: boolean;
};

function pointOf(place: Pick<Place, "latitude" | "longitude"> | null): Point | null {
  if (place === null || place.latitude === null || place.longitude === null) return null;
  return [place.longitude, place.latitude];
}

/** Moves of the box and its vessels, in the order of the answer. */
export function routeOf(journey: Journey, events: readonly Event[], nowMs: number): Drawn {
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
    const vessel = index === here && from.hasLeft ? vesselOn(journey, from, to, nowMs) : null;
    if (vessel === null) {
      ways.push({ key: `leg ${index}`, points: [from.at, to.at], isPast: to.isPast });
      continue;
    }
    ways.push({ key: `leg ${index} past`, points: [from.at, vessel.at], isPast: true });
    ways.push({ key: `leg ${index} coming`, points: [vessel.at, to.at], isPast: false });
    marks.push(vessel);
  }
  return { marks, ways };
}

function stopsOf(events: readonly Event[], { discharge, destination }: Journey): readonly Stop[] {
  const stops: Stop[] = [];
  for (const { place, classifier, kind, code, event_date_time: time } of events) {
    const at = pointOf(place);
    if (at === null || kind === "shipment") continue;
    const ms = Date.parse(time);
    const isPast = classifier === "actual";
    const last = stops.at(-1);
    if (last !== undefined && !isApart(last.at, at)) {
      const hasLeft = isPast ? code === "DEPA" : last.hasLeft;
      stops[stops.length - 1] = { ...last, isPast: last.isPast || isPast, lastMs: ms, hasLeft };
      continue;
    }
    stops.push({
      at,
      name: placeName(place),
      isPast,
      firstMs: ms,
      lastMs: ms,
      hasLeft: isPast && code === "DEPA",
    });
  }
  for (const place of [discharge, destination]) {
    const at = pointOf(place);
    if (at === null || stops.some((stop) => !isApart(stop.at, at))) continue;
    const ms = Number.POSITIVE_INFINITY;
    stops.push({ at, name: placeName(place), isPast: false, firstMs: ms, lastMs: ms, hasLeft: false });
  }
  return stops;
}

function vesselOn(journey: Journey, from: Stop, to: Stop, nowMs: number): Mark | null {
  const { vessel, vessel_position: seen } = journey;
  const name = vessel?.name ?? vessel?.imo ?? "The vessel";
  const common = { key: "vessel", kind: "vessel" as const, name, count: 0 };
  if (seen !== null) {
    const at: Point = [seen.longitude, seen.latitude];
    return { ...common, at, course: seen.course ?? bearing(at, to.at), isEstimated: false };
  }
  if (!Number.isFinite(to.firstMs)) return null;
  const at = between(from.at, to.at, from.lastMs, to.firstMs, nowMs);
  return { ...common, at, course: bearing(at, to.at), isEstimated: true };
}

/** Of a vessel itself, whatever its boxes' carriers say of its ways. */
export function keyOf({ vessel, place, departed_at: left }: Position): string {
  const ship = vessel?.imo ?? vessel?.name ?? null;
  return left === null || ship === null ? `place ${placeName(place)}` : `vessel ${ship}`;
}

/** What an account's containers are on and at. The latest departure tells best where a vessel is. */
export function fleetOf(positions: readonly Position[], nowMs: number): Drawn {
  const ways = new Map<string, Way>();
  const marks = [...Map.groupBy(positions, keyOf)].map(([key, all]) => {
    const latest = all.reduce((one, other) =>
      (other.departed_at ?? "") > (one.departed_at ?? "") ? other : one,
    );
    const mark = { ...markOf(latest, nowMs), key, count: countOf(all) };
    for (const one of mark.kind === "port" ? [] : all) {
      const from: Point = [one.place.longitude, one.place.latitude];
      const to = pointOf(one.next_place);
      const past = `${key} from ${from.join(" ")}`;
      ways.set(past, { key: past, points: [from, mark.at], isPast: true });
      const coming = `${key} to ${(to ?? []).join(" ")}`;
      if (to !== null) ways.set(coming, { key: coming, points: [mark.at, to], isPast: false });
    }
    return mark;
  });
  return { marks, ways: [...ways.values()] };
}

function countOf(positions: readonly Position[]): number {
  return positions.reduce((sum, { containers }) => sum + containers, 0);
}

function markOf(one: Position, nowMs: number): Mark {
  const { vessel, vessel_position: seen, place, next_place: next, containers: count } = one;
  const from: Point = [place.longitude, place.latitude];
  const key = keyOf(one);
  if (one.departed_at === null)
    return { key, kind: "port", at: from, course: null, isEstimated: false, name: placeName(place), count };
  const to = pointOf(next);
  const name = vessel?.name ?? vessel?.imo ?? placeName(place);
  const isReckoned = seen === null;
  const at = seen !== null ? ([seen.longitude, seen.latitude] as const) : reckoned(one, from, to, nowMs);
  const course = seen?.course ?? (to === null ? null : bearing(at, to));
  return { key, kind: "vessel", at, course, isEstimated: isReckoned, name, count };
}

function reckoned(one: Position, from: Point, to: Point | null, nowMs: number): Point {
  if (to === null || one.departed_at === null || one.arrives_at === null) return from;
  return between(from, to, Date.parse(one.departed_at), Date.parse(one.arrives_at), nowMs);
}
