/**
 * The sailing legs of a box, each with the departure first promised, against which slips are measured.
 *
 * The port of departure identifies a leg: a swap of vessels, or a new voyage number, leaves it the same leg. A
 * roll-over begins a new promise (see `roll-overs.ts`); a re-route to another port of departure makes another leg.
 */
import { isOffBerth, placeKey, samePlace, type CarrierEvent } from "../sources/carrier-event.ts";
import { isArrivalCall, isVesselCall, isNotOtherVessel } from "../timeline/calls.ts";
import type { BoxRecord, MissedSailing, Sailing } from "../record/shipment-record.ts";
import type { Timeline } from "../timeline/timeline.ts";
import type { Journey } from "./position.ts";
import {
  isOtherSailing,
  isSameMissed,
  leftOut,
  missedSailingsOf,
  nameOf,
  rolledOver,
  sightings,
  type KnownSailings,
  type Leg,
} from "./roll-overs.ts";

/** In order of time. `before`, of the record before, keeps the first promises. */
export function sailingsOf(
  timeline: Timeline,
  before: KnownSailings,
  journey: Journey,
): Required<Pick<BoxRecord, "sailings" | "missedSailings">> {
  const { departures } = journey;
  const legs = [
    ...departures.flatMap((event) => legOf(event, event.at.ms)),
    ...timeline
      .filter((event) => isPlannedLeg(event, timeline))
      .filter((event) => !departures.some(({ place }) => samePlace(place, event.place)))
      .flatMap((event) => plannedLeg(event, timeline)),
  ];
  const missedSailings = missedSailingsOf(legs, before, timeline, journey);
  const hidden = before.sailings.filter(
    (sailing) =>
      !legs.some(({ from }) => from === sailing.from) &&
      !rolledOver(missedSailings).some((missed) => isSameMissed(missed, sailing)) &&
      isMaskedByOnwardDeparture(sailing, timeline),
  );
  const sailings = [...withPromisedTimes(legs, before, missedSailings), ...hidden];
  return { sailings: sailings.toSorted((a, b) => timeOf(a) - timeOf(b)), missedSailings };
}

/** With the moment when an answer first left their departure out. */
export function withTakenBack(
  sailings: readonly Sailing[],
  before: readonly Sailing[],
  nowMs: number,
): readonly Sailing[] {
  return sailings.map((sailing) => {
    if (sailing.departedMs !== null) return sailing;
    const known = before.filter(({ from }) => from === sailing.from);
    const wasMade = known.some(({ departedMs }) => departedMs !== null);
    const takenBackMs = wasMade ? nowMs : known.find((one) => one.takenBackMs !== undefined)?.takenBackMs;
    return takenBackMs === undefined ? sailing : { ...sailing, takenBackMs };
  });
}

function legOf(event: CarrierEvent, departedMs: number | null): readonly Leg[] {
  const from = placeKey(event.place);
  if (from === null) return [];
  return [{ from, ...nameOf(event), expectedMs: event.at.ms, departedMs }];
}

/** A future departure on a leg, not one from an intermediate call, where the box stays aboard. */
function isPlannedLeg(event: CarrierEvent, timeline: Timeline): boolean {
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
  const { hereMs, elsewhereMs } = sightings(placeKey(event.place), timeline);
  if (elsewhereMs <= (hereMs ?? event.at.ms)) return legOf(event, null);
  return hereMs === null ? [] : legOf(event, Math.min(event.at.ms, elsewhereMs));
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
  const { hereMs, elsewhereMs } = sightings(sailing.from, timeline);
  return elsewhereMs <= (hereMs ?? sailing.expectedMs);
}

/** The promise of a sailing to which the box is rolled over is what the roll-over tells. */
function withPromisedTimes(
  legs: readonly Leg[],
  known: KnownSailings,
  missedNow: readonly MissedSailing[],
): readonly Sailing[] {
  const rolledBefore = rolledOver(known.missedSailings ?? []);
  const rolled = rolledOver(missedNow);
  const met = new Map<string, number>();
  return legs.map((now) => {
    const nth = met.get(now.from) ?? 0;
    met.set(now.from, nth + 1);
    const fromThere = known.sailings.filter(({ from }) => from === now.from);
    const before = fromThere.length > 0 ? fromThere[nth] : (leftOut(now.from, known) ?? undefined);
    const isMissed = before !== undefined && rolled.some((missed) => isSameMissed(missed, before));
    const isRolledOver = rolled.some(
      (missed) => missed.from === now.from && !rolledBefore.some((other) => isSameMissed(other, missed)),
    );
    const isOther = before === undefined || isOtherSailing(before, now);
    const stays = before !== undefined && !isRolledOver && !(isMissed && isOther);
    const same = stays && !isOther ? before : null;
    return {
      ...now,
      vessel: now.vessel ?? same?.vessel ?? null,
      imo: now.imo ?? same?.imo ?? null,
      voyage: now.voyage ?? same?.voyage ?? null,
      promisedMs: stays ? before.promisedMs : now.expectedMs,
    };
  });
}

function timeOf(sailing: Sailing): number {
  return sailing.departedMs ?? sailing.expectedMs;
}
