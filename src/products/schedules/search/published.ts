/** The ways that carriers publish, as far as the record's calls still make them: with the latest times of those. */
import { DAY_MS } from "../../../runtime/durations.ts";
import type { SlicedWork } from "../../../runtime/time-slices.ts";
import type { PublishedLeg, PublishedWay } from "../calls/published-way.ts";
import { arrivalOf, type Journey } from "./connections.ts";
import type { Effort } from "./effort.ts";
import { groupInOrder } from "./in-order.ts";
import { createLegs, keyOf, type CallPoint, type Leg, type Legs } from "./legs.ts";

/** A call that has moved further is one of another round (match-calls.ts). */
const MOVED_MS_MAX = 60 * DAY_MS;
/** Without a voyage number, the vessel and the time tell a call. */
const UNNUMBERED_MS_MAX = 3 * DAY_MS;

/** By the id of their departure, the first to arrive first. */
export type PublishedJourneys = ReadonlyMap<string, readonly Journey[]>;

/**
 * A way of which a call is cancelled, or that the vessels no longer keep, is not among them. The least time for a
 * transshipment does not count: the carrier knows its own.
 */
export function* findPublished(
  ways: readonly PublishedWay[],
  points: readonly CallPoint[],
  transshipmentsMax: number,
  effort: Effort,
): SlicedWork<PublishedJourneys> {
  const legs = yield* createLegs(points, effort);
  const leaving = yield* groupInOrder(
    points,
    ({ carrier, port }) => keyOf(carrier, port),
    ({ departureMs }) => departureMs,
    effort,
  );
  const journeys: Journey[] = [];
  for (const { carrier, legs: published } of ways) {
    if (published.length > transshipmentsMax + 1) continue;
    const journey: Leg[] = [];
    for (const leg of published) {
      yield;
      const calls = leaving.get(keyOf(carrier, leg.from)) ?? [];
      effort.spend(calls.length);
      const made = legOf(leg, calls, legs);
      if (made !== null) journey.push(made);
    }
    if (journey.length === published.length && isKept(journey)) journeys.push(journey);
  }
  const byArrival = journeys.toSorted((one, other) => arrivalOf(one) - arrivalOf(other));
  return Map.groupBy(byArrival, ([first]) => first!.from.id);
}

function legOf(published: PublishedLeg, calls: readonly CallPoint[], legs: Legs): Leg | null {
  const { service, voyage, vesselImo, to, departureMs } = published;
  let nearest: CallPoint | null = null;
  let nearestMs = Number.POSITIVE_INFINITY;
  for (const call of calls) {
    if (call.departureMs === null) continue;
    const isNumbered = voyage !== "" && call.voyage === voyage;
    const isOfService = service === "" || call.service === "" || call.service === service;
    const isOfVessel = vesselImo !== null && call.vesselImo === vesselImo;
    if (!(isNumbered && isOfService) && !isOfVessel) continue;
    const movedMs = Math.abs(call.departureMs - departureMs);
    if (movedMs > (isNumbered ? MOVED_MS_MAX : UNNUMBERED_MS_MAX) || movedMs >= nearestMs) continue;
    nearest = call;
    nearestMs = movedMs;
  }
  return nearest === null ? null : legs.to(nearest, to);
}

/** Each vessel comes before the next one leaves. */
function isKept(journey: Journey): boolean {
  return journey.every((leg, index) => {
    const before = journey[index - 1];
    return before === undefined || before.arrivalMs < leg.departureMs;
  });
}
