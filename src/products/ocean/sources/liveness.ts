import type { CarrierEvent } from "./carrier-event.ts";
import { currentTrip, isEmptyReturn } from "../timeline/trip.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

/** A trip without events for so long is over, even if its end was never reported. */
const QUIET_MS_MAX = 60 * DAY_MS;

/**
 * Whether the latest trip of some box has not ended with its empty return and has a recent or future event. A
 * carrier that carried the box last year still knows its number.
 */
export function isLive(events: readonly CarrierEvent[], nowMs: number): boolean {
  const named = Map.groupBy(events, ({ equipment }) => equipment);
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

/** Planned events included. */
export function latestEventMs(events: readonly CarrierEvent[]): number {
  return events.reduce((latest, { at }) => Math.max(latest, at.ms), Number.NEGATIVE_INFINITY);
}
