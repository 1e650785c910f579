/**
 * All events that sources reported of one waybill → what happened, in order of time.
 *
 * Sources send increments: they repeat a message, correct a time, or report a part of the shipment. Events of one
 * meaning are merged, so the timeline is a function of the set of events: neither their order nor a repeat changes it.
 */
import type { AirEvent } from "./air-event.ts";
import { byTime, sortEvents, minuteOf, timeOf } from "./event-order.ts";
import { enrichEvents } from "./enrich-events.ts";

/** Sorted by time, each event once. */
export type AirTimeline = readonly AirEvent[];

export function timelineOf(reported: readonly AirEvent[], totalPieces: number | null): AirTimeline {
  const byMeaning = Map.groupBy(enrichEvents(reported), identityKey);
  const events = [...byMeaning.values()].flatMap((same) => deduplicate(same, totalPieces));
  return sortEvents(withoutFulfilledPlans(events));
}

/** What an event means: everything but its time and its quantity. */
function identityKey({ code, planned, station, flight, from, to, discrepancy }: AirEvent): string {
  const flown = flight === null ? "" : `${flight.carrier}${flight.number} ${flight.date ?? ""}`;
  const plan = planned === true ? "planned" : "";
  return [code, plan, station, flown, from, to, discrepancy].join("|");
}

/**
 * Events of one meaning are one event, as reported last. Events of parts stay apart, as long as together they are no
 * more than the whole shipment.
 */
function deduplicate(same: readonly AirEvent[], totalPieces: number | null): readonly AirEvent[] {
  const whole = same.filter((event) => !isOfPart(event, totalPieces));
  if (whole.length > 0) return [whole.reduce(laterOf)];
  const byQuantity = Map.groupBy(same, (event) => `${event.pieces} ${occasionOf(event)}`);
  const parts = [...byQuantity.values()].map((repeats) => repeats.reduce(laterOf));
  return withoutCorrected(parts, totalPieces);
}

/** A flight leaves and arrives once, whatever times are reported. */
const ONCE_A_FLIGHT: readonly string[] = ["MAN", "DEP", "ARR"];

/** Two parts of as many pieces and of the same occasion are one part. */
function occasionOf(event: AirEvent): number | string {
  const { code, flight, at } = event;
  if (flight === null || !ONCE_A_FLIGHT.includes(code)) return minuteOf(event);
  return flight.date ?? at?.local.slice(0, "YYYY-MM-DD".length) ?? minuteOf(event);
}

/**
 * More than the whole shipment cannot have moved: a later part corrects an earlier one of as many pieces. That is
 * certain if the part is more than half of the whole. Then parts go whose removal leaves exactly the whole.
 */
function withoutCorrected(parts: readonly AirEvent[], totalPieces: number | null): readonly AirEvent[] {
  const sorted = parts.toSorted(byTime);
  if (totalPieces === null) return sorted;
  let kept = sorted.filter((part) => (part.pieces ?? 0) * 2 <= totalPieces || !isRepeated(part, sorted));
  for (;;) {
    const excess = sumOfPieces(kept) - totalPieces;
    const repeated = kept.filter((part) => isRepeated(part, kept));
    if (excess <= 0 || repeated.length === 0) return kept;
    const corrected =
      repeated.find(({ pieces }) => pieces === excess) ??
      repeated.reduce((a, b) => ((b.pieces ?? 0) > (a.pieces ?? 0) ? b : a));
    kept = kept.filter((part) => part !== corrected);
  }
}

/** Whether a later part has as many pieces. */
function isRepeated(part: AirEvent, sorted: readonly AirEvent[]): boolean {
  return sorted.slice(sorted.indexOf(part) + 1).some((other) => other.pieces === part.pieces);
}

export function sumOfPieces(events: readonly AirEvent[]): number {
  return events.reduce((sum, { pieces }) => sum + (pieces ?? 0), 0);
}

/** Whether an event is about less than the whole shipment. */
export function isOfPart(
  { shipmentPart, pieces, totalPieces }: AirEvent,
  waybillPieces: number | null,
): boolean {
  if (shipmentPart === "total" || pieces === null) return false;
  const total = totalPieces ?? waybillPieces;
  return total === null ? shipmentPart !== null : pieces < total;
}

/** A planned event goes once the same happened at its station and by its flight. */
function withoutFulfilledPlans(events: readonly AirEvent[]): readonly AirEvent[] {
  const happened = new Set(events.filter(({ planned }) => planned !== true).map(planKey));
  return events.filter((event) => event.planned !== true || !happened.has(planKey(event)));
}

function planKey({ code, station, flight }: AirEvent): string {
  return `${code} ${station} ${flight === null ? "" : flight.carrier + flight.number}`;
}

/** The text decides between equal times, never the order of arrival. */
function laterOf(a: AirEvent, b: AirEvent): AirEvent {
  const apart = timeOf(a) - timeOf(b);
  if (apart !== 0 && !Number.isNaN(apart)) return apart > 0 ? a : b;
  return JSON.stringify(a) > JSON.stringify(b) ? a : b;
}
