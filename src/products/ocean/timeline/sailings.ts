/**
 * The sailing legs of a box, each with the departure that was promised first: what the vessel's later
 * word is measured by.
 *
 * A leg is known by where it begins. A roll-over to another vessel leaves it the same leg, and so does
 * a new voyage number; a re-route to another port of departure makes it another one.
 */
import { isOffBerth, samePlace, type CarrierEvent, type Place } from "../sources/carrier-event.ts";
import { isArrivalCall, isVesselCall, isNotOtherVessel } from "./calls.ts";
import type { Sailing } from "../record/shipment-record.ts";
import { deriveStatus } from "../status/status.ts";
import type { Timeline } from "./timeline.ts";

/**
 * The sailings as the timeline has them now, in the order of time. `previous` are those of the record
 * before: they keep what was promised first. `departures` are the box's own, of its voyage.
 */
export function sailingsOf(
  timeline: Timeline,
  previous: readonly Sailing[],
  departures: readonly CarrierEvent[] = deriveStatus(timeline, 0).journey.departures,
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

/** Which of the sailings from its port a sailing is, counted from 1: with the port, its name in any record. */
export function sailingKey(sailing: Sailing, sailings: readonly Sailing[]): string {
  const fromThere = sailings.filter(({ from }) => from === sailing.from);
  return `${sailing.from}:${fromThere.indexOf(sailing) + 1}`;
}

type Leg = Omit<Sailing, "promisedMs">;

function legOf(event: CarrierEvent, departedMs: number | null): readonly Leg[] {
  const from = portKey(event.place);
  if (from === null) return [];
  const vessel = event.vessel?.name ?? event.vessel?.imo ?? null;
  return [{ from, vessel, voyage: event.voyage, expectedMs: event.at.ms, departedMs }];
}

function portKey(place: Place | null): string | null {
  return place?.unlocode ?? place?.name ?? null;
}

/** A departure that is not made yet, of a leg and not of a call on the way, where the box stays aboard. */
function isPlannedSailing(event: CarrierEvent, timeline: Timeline): boolean {
  if (event.classifier === "actual" || !isVesselCall(event, "DEPA") || event.place === null) return false;
  // A vessel leaves its anchorage or its pilot within one call.
  if (isOffBerth(event)) return false;
  const before = timeline
    .slice(0, timeline.indexOf(event))
    .filter((other) => isVesselCall(other, "LOAD", "DISC", "ARRI", "DEPA"));
  const isOrigin = before.every(({ place }) => samePlace(place, event.place));
  const isHandled = timeline.some(
    (other) => isVesselCall(other, "LOAD", "DISC") && samePlace(other.place, event.place),
  );
  // The ship that comes there; a plan left behind from elsewhere may lie in between.
  const named = before.filter(({ vessel }) => vessel !== null);
  const aboard =
    named.findLast((other) => isArrivalCall(other) && samePlace(other.place, event.place)) ?? named.at(-1);
  return isOrigin || isHandled || (aboard !== undefined && !isNotOtherVessel(aboard, event));
}

/**
 * Once the box has been by ship elsewhere, a departure that nobody reported was made if the box had been
 * at its port, and is a plan left behind if it had not.
 */
function plannedLeg(event: CarrierEvent, timeline: Timeline): readonly Leg[] {
  const { here, elsewhereMs } = sightings(event.place, timeline);
  if (elsewhereMs <= (here ?? event.at.ms)) return legOf(event, null);
  return here === null ? [] : legOf(event, Math.min(event.at.ms, elsewhereMs));
}

/** When the box was last reported at the place, and when last by ship at any other. */
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
 * A departure of the ship that brought the box takes the place of the plan of the one that takes it on.
 * While the box is to be loaded there, the sailing still stands as it was told.
 */
function isMaskedByOnwardDeparture(sailing: Sailing, timeline: Timeline): boolean {
  if (sailing.departedMs !== null) return false;
  const load = timeline.find((event) => isVesselCall(event, "LOAD") && portKey(event.place) === sailing.from);
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
