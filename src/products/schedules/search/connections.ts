/**
 * Ways with one or two transshipments, joined from legs. What is found first bounds what is searched next:
 *
 *     legs that leave the origin ─┬─▶ ways with one transshipment ─▶ latest arrival of use, ports of use
 *     legs to the destination ────┘                                       └─▶ legs between ─▶ ways with two
 */
import type { SlicedWork } from "../../../runtime/time-slices.ts";
import type { Effort } from "./effort.ts";
import { createLegs, isOneVessel, type CallPoint, type Leg } from "./legs.ts";
import { createOnward, vesselsOf, type JoinKey, type Waits } from "./onward.ts";

export type ConnectionRules = Waits & {
  readonly destination: string;
  readonly transshipmentsMax: number;
};

/** Two or three legs, in their order. */
export type Journey = readonly Leg[];

/** The first legs of each departure, by its id, and all last ones. The departures are of one port. */
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
  effort: Effort,
): SlicedWork<Ends> {
  const legs = yield* createLegs(points, effort);
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

export function* joinOnce(
  { departures, firstLegs, lastLegs }: Ends,
  rules: ConnectionRules,
  joinKey: JoinKey,
  effort: Effort,
): SlicedWork<Ways> {
  const vessels = vesselsOf([...departures, ...lastLegs.map(({ from }) => from)]);
  const onward = yield* createOnward(lastLegs, vessels, rules, joinKey, effort);
  const ways = new Map<string, Journey>();
  for (const { id } of departures) {
    yield;
    let best: Journey | null = null;
    for (const first of firstLegs.get(id)!) {
      if (best !== null && first.arrivalMs + rules.waitMsMin >= arrivalOf(best)) break;
      const last = onward(first).find(({ from }) => !isOneVessel(first.from, from));
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
export function* usefulBetween(
  ends: Ends,
  ones: Ways,
  { waitMsMin }: ConnectionRules,
): SlicedWork<Between | null> {
  const ports = new Set<string>();
  let fromMs = Number.POSITIVE_INFINITY;
  for (const { id } of ends.departures) {
    yield;
    for (const { to, arrivalMs } of ends.firstLegs.get(id)!) {
      ports.add(to.port);
      fromMs = Math.min(fromMs, arrivalMs + waitMsMin);
    }
  }
  const latestMs = latestOf(ends, ones);
  let beforeMs = Number.NEGATIVE_INFINITY;
  for (const { from, departureMs, arrivalMs } of ends.lastLegs) {
    if (departureMs <= fromMs || arrivalMs >= latestMs) continue;
    ports.add(from.port);
    beforeMs = Math.max(beforeMs, departureMs - waitMsMin);
  }
  return beforeMs <= fromMs ? null : { ports: [...ports], fromMs, beforeMs };
}

/** Of all departures, when the last arrival is so far; infinite: one that vessels leave has no way so far. */
export function latestOf({ departures, firstLegs }: Ends, ways: Ways): number {
  return departures
    .filter(({ id }) => firstLegs.get(id)!.length > 0)
    .reduce((sofar, { id }) => Math.max(sofar, arrivalIn(ways, id)), Number.NEGATIVE_INFINITY);
}

export function arrivalIn(ways: Ways, id: string): number {
  const way = ways.get(id);
  return way === undefined ? Number.POSITIVE_INFINITY : arrivalOf(way);
}

export function arrivalOf(journey: Journey): number {
  return journey.at(-1)!.arrivalMs;
}
