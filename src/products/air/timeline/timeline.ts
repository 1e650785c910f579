/**
 * All events that sources reported of one waybill → what happened, in order of time.
 *
 * Sources send increments: they repeat a message, correct a time, or report a part of the shipment. Events of one
 * meaning are merged by when each was said, so the timeline is a function of the set of events.
 */
import type { AirEvent } from "./air-event.ts";
import { enrichEvents } from "./enrich-events.ts";
import { minuteOf, sortEvents } from "./event-order.ts";
import { deduplicate, isDelivery } from "./parts.ts";

/** Sorted by time, each event once. */
export type AirTimeline = readonly AirEvent[];

export function timelineOf(reported: readonly AirEvent[], totalPieces: number | null): AirTimeline {
  const byMeaning = Map.groupBy(enrichEvents(reported), identityKey);
  const events = [...byMeaning.values()].flatMap((same) => deduplicate(same, totalPieces));
  return sortEvents(withoutFulfilledPlans(events));
}

/**
 * What an event means: everything but its time and its quantity. Of a delivery some sources leave out the station or
 * the flight, and some name the city.
 */
function identityKey(event: AirEvent): string {
  const { code, planned, station, flight, from, to, discrepancy } = event;
  const flown = flight === null ? "" : `${flight.carrier}${flight.number} ${flight.date ?? ""}`;
  const plan = planned === true ? "planned" : "";
  if (isDelivery(event)) return [code, plan].join("|");
  return [code, plan, station, flown, from, to, discrepancy].join("|");
}

/** Of events alike that one message says, each after the first as a copy: two parts alike are two. */
export function numberCopies(events: readonly AirEvent[]): readonly AirEvent[] {
  const counts = new Map<string, number>();
  return events.map((event) => {
    const key = `${identityKey(event)} ${event.pieces} ${minuteOf(event)}`;
    const before = counts.get(key) ?? 0;
    counts.set(key, before + 1);
    return before === 0 ? event : { ...event, copy: String(before) };
  });
}

/** A planned event goes once the same happened at its station and by its flight. */
function withoutFulfilledPlans(events: readonly AirEvent[]): readonly AirEvent[] {
  const happened = new Set(events.filter(({ planned }) => planned !== true).map(planKey));
  return events.filter((event) => event.planned !== true || !happened.has(planKey(event)));
}

function planKey({ code, station, flight }: AirEvent): string {
  return `${code} ${station} ${flight === null ? "" : flight.carrier + flight.number}`;
}
