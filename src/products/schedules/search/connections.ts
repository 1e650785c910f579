/** Journeys with one or two transshipments between vessels of one carrier. */
import type { SlicedWork } from "../../../runtime/time-slices.ts";
import { createLegs, keyOf, type CallPoint, type Leg } from "./legs.ts";

export type ConnectionRules = {
  readonly destination: string;
  readonly transshipmentsMax: number;
  /** From a vessel's arrival to the departure of the next, at least and at most. */
  readonly waitMsMin: number;
  readonly waitMsMax: number;
};

/** Two or three legs, in their order. */
export type Journey = readonly Leg[];

/** Legs by carrier and the port that they leave, by departure. */
type LegsAt = ReadonlyMap<string, readonly Leg[]>;

const LEGS_A_STEP = 100;

/**
 * Of each departure the journey that arrives first with one transshipment, and the one with two where it arrives
 * earlier still. `points` has the departures' calls, too.
 */
export function* findJourneys(
  points: readonly CallPoint[],
  departures: readonly CallPoint[],
  rules: ConnectionRules,
): SlicedWork<readonly Journey[]> {
  const { destination, transshipmentsMax } = rules;
  const legsFrom = createLegs(points);
  const all: Leg[] = [];
  for (const [index, point] of points.entries()) {
    if (index % LEGS_A_STEP === 0) yield;
    all.push(...legsFrom(point));
  }
  const lastLegs = byDeparture(all.filter(({ to }) => to.port === destination));
  const middleLegs = byDeparture(
    transshipmentsMax < 2
      ? []
      : all.filter(({ from, to }) => from.port !== destination && lastLegs.has(keyOf(to.carrier, to.port))),
  );
  const lastAfter = createOnward(lastLegs, rules);
  const journeys: Journey[] = [];
  for (const departure of departures) {
    yield;
    const first = legsFrom(departure).filter(({ to }) => to.port !== destination);
    const one = firstToArrive(
      first.map((leg) => [leg]),
      lastAfter,
    );
    const twoLegs = first.flatMap((leg) =>
      inTime(leg, middleLegs, rules)
        .filter(({ from, to }) => to.port !== departure.port && !isOneVessel(leg.from, from))
        .map((middle) => [leg, middle]),
    );
    const two = firstToArrive(twoLegs, lastAfter);
    if (one !== null) journeys.push(one);
    if (two !== null && (one === null || arrivalOf(two) < arrivalOf(one))) journeys.push(two);
  }
  return journeys;
}

function byDeparture(legs: readonly Leg[]): LegsAt {
  const inOrder = legs.toSorted((one, other) => one.departureMs - other.departureMs);
  return Map.groupBy(inOrder, ({ from }) => keyOf(from.carrier, from.port));
}

/** Legs of the carrier that leave where a leg ends, neither too early nor too late. */
function inTime({ to, arrivalMs }: Leg, legsAt: LegsAt, rules: ConnectionRules): readonly Leg[] {
  const [earliestMs, latestMs] = [arrivalMs + rules.waitMsMin, arrivalMs + rules.waitMsMax];
  return (legsAt.get(keyOf(to.carrier, to.port)) ?? []).filter(
    ({ departureMs }) => departureMs >= earliestMs && departureMs <= latestMs,
  );
}

/** The last legs after a leg, the first to arrive first. */
function createOnward(lastLegs: LegsAt, rules: ConnectionRules): (leg: Leg) => readonly Leg[] {
  const known = new Map<Leg, readonly Leg[]>();
  return (leg) => {
    const legs =
      known.get(leg) ??
      inTime(leg, lastLegs, rules).toSorted((one, other) => one.arrivalMs - other.arrivalMs);
    known.set(leg, legs);
    return legs;
  };
}

/** Each leg is by another vessel. */
function firstToArrive(begun: readonly Journey[], lastAfter: (leg: Leg) => readonly Leg[]): Journey | null {
  let best: Journey | null = null;
  for (const journey of begun) {
    const last = lastAfter(journey.at(-1)!).find(({ from }) =>
      journey.every((leg) => !isOneVessel(leg.from, from)),
    );
    if (last === undefined) continue;
    if (best === null || last.arrivalMs < arrivalOf(best)) best = [...journey, last];
  }
  return best;
}

function isOneVessel(one: CallPoint, other: CallPoint): boolean {
  if (one.vesselImo !== null && other.vesselImo !== null) return one.vesselImo === other.vesselImo;
  return one.service === other.service && one.voyage === other.voyage;
}

export function arrivalOf(journey: Journey): number {
  return journey.at(-1)!.arrivalMs;
}
