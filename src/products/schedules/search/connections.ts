/**
 * Ways with one or two transshipments, joined from legs. What is found first bounds what is searched next:
 *
 *     legs that leave the origin ─┬─▶ ways with one transshipment ─▶ latest arrival of use, ports of use
 *     legs to the destination ────┘                                       └─▶ legs between ─▶ ways with two
 */
import type { SlicedWork } from "../../../runtime/time-slices.ts";
import { createLegs, isOneVessel, keyOf, type CallPoint, type Leg } from "./legs.ts";

export type ConnectionRules = {
  readonly destination: string;
  readonly transshipmentsMax: number;
  /** From a vessel's arrival to the departure of the next, at least and at most. */
  readonly waitMsMin: number;
  readonly waitMsMax: number;
};

/** Two or three legs, in their order. */
export type Journey = readonly Leg[];

/** Whose legs may be joined: those with the same key. */
export type JoinKey = (point: CallPoint) => string;

/** The first legs of each departure, by its id, and all last ones; `joinKey` says which of them fit. */
export type Ends = {
  readonly departures: readonly CallPoint[];
  readonly firstLegs: ReadonlyMap<string, readonly Leg[]>;
  readonly lastLegs: readonly Leg[];
};

/** Calls between two chances for others to go on. */
const POINTS_A_STEP = 100;

/** `points` has the departures' calls, and all of the vessels and voyages that come to the destination. */
export function* findEnds(
  points: readonly CallPoint[],
  departures: readonly CallPoint[],
  { destination }: ConnectionRules,
): SlicedWork<Ends> {
  const legs = createLegs(points);
  const firstLegs = new Map<string, readonly Leg[]>();
  for (const departure of departures) {
    yield;
    firstLegs.set(
      departure.id,
      legs.from(departure).filter(({ to }) => to.port !== destination),
    );
  }
  const lastLegs: Leg[] = [];
  for (const [index, point] of points.entries()) {
    if (index % POINTS_A_STEP === 0) yield;
    if (point.port === destination) continue;
    const last = legs.to(point, destination);
    if (last !== null) lastLegs.push(last);
  }
  return { departures, firstLegs, lastLegs };
}

/** Of each departure that has one, by its id, the way with one transshipment that arrives first. */
export type Ways = ReadonlyMap<string, Journey>;

export function* joinOnce(ends: Ends, rules: ConnectionRules, joinKey: JoinKey): SlicedWork<Ways> {
  const lastAfter = createOnward(ends.lastLegs, rules, joinKey);
  const ways = new Map<string, Journey>();
  for (const { id } of ends.departures) {
    yield;
    let best: Journey | null = null;
    for (const first of ends.firstLegs.get(id)!) {
      const last = lastAfter(first).find(({ from }) => !isOneVessel(first.from, from));
      if (last !== undefined && (best === null || last.arrivalMs < arrivalOf(best))) best = [first, last];
    }
    if (best !== null) ways.set(id, best);
  }
  return ways;
}

/** Where and when legs between a first and a last one are of use. */
export type Between = {
  readonly ports: readonly string[];
  readonly fromMs: number;
  /** Arrivals. */
  readonly beforeMs: number;
};

/** Null: no way with two transshipments would arrive earlier than one with one. */
export function usefulBetween(ends: Ends, ones: Ways, rules: ConnectionRules): Between | null {
  const { departures, firstLegs, lastLegs } = ends;
  const first = departures.flatMap(({ id }) => firstLegs.get(id)!);
  if (first.length === 0 || lastLegs.length === 0) return null;
  const fromMs = least(first.map(({ arrivalMs }) => arrivalMs)) + rules.waitMsMin;
  const latestMs = departures
    .filter(({ id }) => firstLegs.get(id)!.length > 0)
    .reduce((sofar, { id }) => Math.max(sofar, arrivalIn(ones, id)), Number.NEGATIVE_INFINITY);
  const last = lastLegs.filter(({ departureMs, arrivalMs }) => departureMs > fromMs && arrivalMs < latestMs);
  if (last.length === 0) return null;
  const beforeMs =
    last.reduce((sofar, { departureMs }) => Math.max(sofar, departureMs), fromMs) - rules.waitMsMin;
  if (beforeMs <= fromMs) return null;
  const ports = new Set([...first.map(({ to }) => to.port), ...last.map(({ from }) => from.port)]);
  return { ports: [...ports], fromMs, beforeMs };
}

const least = (values: readonly number[]): number =>
  values.reduce((sofar, value) => Math.min(sofar, value), Number.POSITIVE_INFINITY);

const arrivalIn = (ways: Ways, id: string): number => {
  const way = ways.get(id);
  return way === undefined ? Number.POSITIVE_INFINITY : arrivalOf(way);
};

/** Of each departure, by its id, the way with two transshipments that arrives first, if before the one with one. */
export function* joinTwice(
  points: readonly CallPoint[],
  ends: Ends,
  ones: Ways,
  rules: ConnectionRules,
  joinKey: JoinKey,
): SlicedWork<Ways> {
  const { departures, firstLegs, lastLegs } = ends;
  const legs = createLegs(points);
  const lastAfter = createOnward(lastLegs, rules, joinKey);
  const lastFrom = new Set(lastLegs.map(({ from }) => keyOf(joinKey(from), from.port)));
  const leaving = pointsByPort(points, joinKey);
  const middle = new Map<CallPoint, readonly Leg[]>();
  const legsBetween = (from: CallPoint): readonly Leg[] => {
    const known = middle.get(from);
    if (known !== undefined) return known;
    const found = legs.from(from).filter(({ to }) => lastFrom.has(keyOf(joinKey(to), to.port)));
    middle.set(from, found);
    return found;
  };
  const ways = new Map<string, Journey>();
  for (const departure of departures) {
    yield;
    let best: Journey | null = null;
    let bestMs = arrivalIn(ones, departure.id);
    for (const first of firstLegs.get(departure.id)!) {
      if (first.arrivalMs + 2 * rules.waitMsMin >= bestMs) break;
      for (const from of inTime(first, leaving, rules, joinKey)) {
        if (isOneVessel(first.from, from)) continue;
        yield;
        for (const second of legsBetween(from)) {
          // By arrival: those behind arrive too late, too.
          if (second.arrivalMs + rules.waitMsMin >= bestMs) break;
          if (second.to.port === departure.port) continue;
          const last = lastAfter(second).find(
            (leg) => !isOneVessel(first.from, leg.from) && !isOneVessel(from, leg.from),
          );
          if (last === undefined || last.arrivalMs >= bestMs) continue;
          best = [first, second, last];
          bestMs = last.arrivalMs;
        }
      }
    }
    if (best !== null) ways.set(departure.id, best);
  }
  return ways;
}

/** By join key and port, in the order of departures. */
type Leaving<Item> = ReadonlyMap<string, readonly { readonly departureMs: number; readonly item: Item }[]>;

function pointsByPort(points: readonly CallPoint[], joinKey: JoinKey): Leaving<CallPoint> {
  return byDeparture(
    points.flatMap((item) => {
      const { departureMs, isLeaving } = item;
      return departureMs === null || !isLeaving ? [] : [{ from: item, departureMs, item }];
    }),
    joinKey,
  );
}

function byDeparture<Item extends { readonly from: CallPoint; readonly departureMs: number }>(
  items: readonly Item[],
  joinKey: JoinKey,
) {
  const inOrder = items.toSorted((one, other) => one.departureMs - other.departureMs);
  return Map.groupBy(inOrder, ({ from }) => keyOf(joinKey(from), from.port));
}

/** What leaves where a leg ends, neither too early nor too late. */
function inTime<Item>(
  { to, arrivalMs }: Leg,
  leaving: Leaving<Item>,
  rules: ConnectionRules,
  joinKey: JoinKey,
): readonly Item[] {
  const [earliestMs, latestMs] = [arrivalMs + rules.waitMsMin, arrivalMs + rules.waitMsMax];
  const all = leaving.get(keyOf(joinKey(to), to.port)) ?? [];
  const found: Item[] = [];
  for (let index = firstFrom(all, earliestMs); index < all.length; index += 1) {
    const { departureMs, item } = all[index]!;
    if (departureMs > latestMs) break;
    found.push(item);
  }
  return found;
}

/** The place of the first that leaves then or later. */
function firstFrom(all: readonly { readonly departureMs: number }[], earliestMs: number): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (all[middle]!.departureMs < earliestMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last legs after a leg, the first to arrive first. */
function createOnward(
  lastLegs: readonly Leg[],
  rules: ConnectionRules,
  joinKey: JoinKey,
): (leg: Leg) => readonly Leg[] {
  const leaving = byDeparture(
    lastLegs.map((item) => ({ from: item.from, departureMs: item.departureMs, item })),
    joinKey,
  );
  const known = new Map<CallPoint, readonly Leg[]>();
  return ({ to, ...leg }) => {
    const legs =
      known.get(to) ??
      inTime({ to, ...leg }, leaving, rules, joinKey).toSorted(
        (one, other) => one.arrivalMs - other.arrivalMs,
      );
    known.set(to, legs);
    return legs;
  };
}

export function arrivalOf(journey: Journey): number {
  return journey.at(-1)!.arrivalMs;
}
