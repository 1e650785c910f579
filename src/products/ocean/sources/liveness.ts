/**
 * Whether a carrier's answer tells of a trip that goes on. Carriers keep a box's history: the one that
 * carried it for somebody else last year still knows its number.
 */
import type { CarrierEvent } from "./carrier-event.ts";
import { currentTrip, isEmptyReturn } from "../timeline/trip.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

/** Beyond this a trip of which nothing more is said is over, whether or not its end was ever told. */
const QUIET_MS_MAX = 60 * DAY_MS;

/** Live: of some box the latest trip has not ended with its empty return, and something of it is recent or to come. */
export function isLive(events: readonly CarrierEvent[], nowMs: number): boolean {
  const named = Map.groupBy(events, ({ equipment }) => equipment);
  // What names no box is about all of them.
  const common = named.get(null) ?? [];
  named.delete(null);
  if (named.size === 0) return isOngoing(common, nowMs);
  return [...named.values()].some((own) => isOngoing([...own, ...common], nowMs));
}

function isOngoing(events: readonly CarrierEvent[], nowMs: number): boolean {
  const trip = currentTrip(events, null).events;
  const lastMove = trip
    .filter(({ kind, classifier }) => kind === "equipment" && classifier === "actual")
    .reduce<CarrierEvent | null>(
      (last, event) => (last !== null && last.at.ms > event.at.ms ? last : event),
      null,
    );
  if (lastMove !== null && isEmptyReturn(lastMove)) return false;
  return latestEventMs(trip) > nowMs - QUIET_MS_MAX;
}

/** The time of the latest event, planned ones included. */
export function latestEventMs(events: readonly CarrierEvent[]): number {
  return events.reduce((latest, { at }) => Math.max(latest, at.ms), Number.NEGATIVE_INFINITY);
}
