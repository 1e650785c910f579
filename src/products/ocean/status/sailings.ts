/**
 * The sailing legs of a box, each with the departure first promised, against which slips are measured.
 *
 * The port of departure identifies a leg: a roll-over to another vessel, or a new voyage number, leaves it the
 * same leg; a re-route to another port of departure makes another one.
 */
import { isOffBerth, placeKey, samePlace, type CarrierEvent, type Place } from "../sources/carrier-event.ts";
import { isArrivalCall, isVesselCall, isNotOtherVessel } from "../timeline/calls.ts";
import type { Sailing } from "../record/shipment-record.ts";
import type { Timeline } from "../timeline/timeline.ts";

/** In order of time. `previous`, of the record before, keep the first promise. `departures` are the box's own. */
export function sailingsOf(
  timeline: Timeline,
  previous: readonly Sailing[],
  departures: readonly CarrierEvent[],
): readonly Sailing[] {
  const legs = [
    ...departures.flatMap((event) => legOf(event, event.at.ms)),
    ...timeline
      .filter((event) => isPlannedSailing(event, timeline))
      .filter((event) => !departures.some(({ place }) => samePlace(place, event.place)))
      .flatMap((event) => plannedLeg(event, timeline)),
  ];
  const hidden = previous.filter(
    (sailing) =>
      !legs.some(({ from }) => from === sailing.from) && isMaskedByOnwardDeparture(sailing, timeline),
  );
  return [...withPromisedTimes(legs, previous), ...hidden].toSorted((a, b) => timeOf(a) - timeOf(b));
}

/** Port and number among the sailings from there, from 1: the same in any record. */
export function sailingKey(sailing: Sailing, sailings: readonly Sailing[]): string {
  const fromThere = sailings.filter(({ from }) => from === sailing.from);
  return `${sailing.from}:${fromThere.indexOf(sailing) + 1}`;
}

type Leg = Omit<Sailing, "promisedMs">;

function legOf(event: CarrierEvent, departedMs: number | null): readonly Leg[] {
  const from = placeKey(event.place);
  if (from === null) return [];
  const vessel = event.vessel?.name ?? event.vessel?.imo ?? null;
  return [{ from, vessel, voyage: event.voyage, expectedMs: event.at.ms, departedMs }];
}

/** A future departure on a leg, not one from an intermediate call, where the box stays aboard. */
function isPlannedSailing(event: CarrierEvent, timeline: Timeline): boolean {
  if (event.classifier === "actual" || !isVesselCall(event, "DEPA") || event.place === null) return false;
  // A vessel leaves its anchorage and its pilot within one call.
  if (isOffBerth(event)) return false;
  const before = timeline
    .slice(0, timeline.indexOf(event))
    .filter((other) => isVesselCall(other, "LOAD", "DISC", "ARRI", "DEPA"));
  const isOrigin = before.every(({ place }) => samePlace(place, event.place));
  const isHandled = timeline.some(
    (other) => isVesselCall(other, "LOAD", "DISC") && samePlace(other.place, event.place),
  );
  // The vessel that arrives there; a left-over plan from elsewhere may lie in between.
  const named = before.filter(({ vessel }) => vessel !== null);
  const aboard =
    named.findLast((other) => isArrivalCall(other) && samePlace(other.place, event.place)) ?? named.at(-1);
  return isOrigin || isHandled || (aboard !== undefined && !isNotOtherVessel(aboard, event));
}

/**
 * Once the box has been elsewhere by vessel, an unreported departure was made if the box had been at its port,
 * and is a left-over plan if it had not.
 */
function plannedLeg(event: CarrierEvent, timeline: Timeline): readonly Leg[] {
  const { here, elsewhereMs } = sightings(event.place, timeline);
  if (elsewhereMs <= (here ?? event.at.ms)) return legOf(event, null);
  return here === null ? [] : legOf(event, Math.min(event.at.ms, elsewhereMs));
}

/** When the box was last reported at the place, and when last by vessel elsewhere. */
function sightings(
  place: Place | null,
  timeline: Timeline,
): { readonly here: number | null; readonly elsewhereMs: number } {
  const actual = timeline.filter((event) => event.classifier === "actual" && event.laden !== false);
  const here = actual.findLast((event) => samePlace(event.place, place))?.at.ms ?? null;
  const elsewhere = actual.findLast(
    (event) => event.mode === "vessel" && event.place !== null && !samePlace(event.place, place),
  );
  return { here, elsewhereMs: elsewhere?.at.ms ?? Number.NEGATIVE_INFINITY };
}

/**
 * In a timeline, the onward departure of the vessel that brought the box supersedes the planned departure of
 * the next one. While the box is to be loaded there, the previous sailing still holds.
 */
function isMaskedByOnwardDeparture(sailing: Sailing, timeline: Timeline): boolean {
  if (sailing.departedMs !== null) return false;
  const load = timeline.find(
    (event) => isVesselCall(event, "LOAD") && placeKey(event.place) === sailing.from,
  );
  if (load === undefined) return false;
  const { here, elsewhereMs } = sightings(load.place, timeline);
  return elsewhereMs <= (here ?? sailing.expectedMs);
}

function withPromisedTimes(legs: readonly Leg[], previous: readonly Sailing[]): readonly Sailing[] {
  const met = new Map<string, number>();
  return legs.map((now) => {
    const nth = met.get(now.from) ?? 0;
    met.set(now.from, nth + 1);
    const before = previous.filter(({ from }) => from === now.from)[nth];
    return {
      from: now.from,
      vessel: now.vessel ?? before?.vessel ?? null,
      voyage: now.voyage ?? before?.voyage ?? null,
      promisedMs: before?.promisedMs ?? now.expectedMs,
      expectedMs: now.expectedMs,
      departedMs: now.departedMs,
    };
  });
}

function timeOf(sailing: Sailing): number {
  return sailing.departedMs ?? sailing.expectedMs;
}
