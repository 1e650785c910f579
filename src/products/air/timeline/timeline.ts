/**
 * All that an airline has said about one waybill → what happened, in the order of time.
 *
 * Sources send increments and repeat themselves: a message is sent again, a time is put right, a part of a
 * shipment moves by itself. Statements are matched by what they mean, so the result is a function of the set
 * of them: neither their order nor a repeat changes it.
 */
import type { AirEvent } from "./air-event.ts";
import { byTime, sortEvents, minuteOf, timeOf } from "./event-order.ts";
import { enrichEvents } from "./enrich-events.ts";

/** What holds now: sorted by time, each happening once. */
export type AirTimeline = readonly AirEvent[];

export function timelineOf(statements: readonly AirEvent[], totalPieces: number | null): AirTimeline {
  const byMeaning = Map.groupBy(enrichEvents(statements), identityKey);
  const settled = [...byMeaning.values()].flatMap((same) => deduplicate(same, totalPieces));
  return sortEvents(withoutFulfilledPlans(settled));
}

/** Everything about an event but when it happened and how much of the shipment it moved. */
function identityKey({ code, planned, station, flight, from, to, discrepancy }: AirEvent): string {
  const flown = flight === null ? "" : `${flight.carrier}${flight.number} ${flight.date ?? ""}`;
  const plan = planned === true ? "planned" : "";
  return [code, plan, station, flown, from, to, discrepancy].join("|");
}

/**
 * Statements of one meaning are one happening, as told last, unless they are of parts: those happened each
 * by itself as long as together they are no more than the whole.
 */
function deduplicate(same: readonly AirEvent[], totalPieces: number | null): readonly AirEvent[] {
  const whole = same.filter((event) => !isOfPart(event, totalPieces));
  if (whole.length > 0) return [whole.reduce(laterOf)];
  const byQuantity = Map.groupBy(same, (event) => `${event.pieces} ${occasionOf(event)}`);
  const parts = [...byQuantity.values()].map((repeats) => repeats.reduce(laterOf));
  return withoutCorrected(parts, totalPieces);
}

/** A flight leaves once and arrives once, whatever times are told of it. */
const ONCE_A_FLIGHT: readonly string[] = ["MAN", "DEP", "ARR"];

/** Where it is the same of two parts of as many pieces, they are one. */
function occasionOf(event: AirEvent): number | string {
  const { code, flight, at } = event;
  if (flight === null || !ONCE_A_FLIGHT.includes(code)) return minuteOf(event);
  return flight.date ?? at?.local.slice(0, "YYYY-MM-DD".length) ?? minuteOf(event);
}

/**
 * More than the whole cannot have moved: of equal parts at several times the later corrects the earlier, for
 * certain where one is more than half of the whole, and else those first whose going leaves exactly the whole.
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

/** Whether a later one is of as many pieces. */
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

/** A plan that has come true, at its station and by its flight, is no longer one. */
function withoutFulfilledPlans(events: readonly AirEvent[]): readonly AirEvent[] {
  const happened = new Set(events.filter(({ planned }) => planned !== true).map(planKey));
  return events.filter((event) => event.planned !== true || !happened.has(planKey(event)));
}

function planKey({ code, station, flight }: AirEvent): string {
  return `${code} ${station} ${flight === null ? "" : flight.carrier + flight.number}`;
}

/** The later of two statements of one meaning; what is left is decided by the text, never by which came first. */
function laterOf(a: AirEvent, b: AirEvent): AirEvent {
  const apart = timeOf(a) - timeOf(b);
  if (apart !== 0 && !Number.isNaN(apart)) return apart > 0 ? a : b;
  return JSON.stringify(a) > JSON.stringify(b) ? a : b;
}
