/**
 * Actual times that lie in the future. A wrong zone makes a time up to 14 hours late, and a clock some minutes: what
 * lies further ahead has not happened yet. It is an estimate until then, whatever the carrier calls it.
 */
import { HOUR_MS } from "../../../runtime/durations.ts";
import type { CarrierEvent } from "../sources/carrier-event.ts";

const AHEAD_MS_MAX = 15 * HOUR_MS;

/** The event as it counts at a time: believed as actual, or `early`. Judges its own results again at a later time. */
export function believedAt(event: CarrierEvent, nowMs: number): CarrierEvent {
  if (event.classifier !== "actual" && event.early !== true) return event;
  if (event.at.ms - nowMs > AHEAD_MS_MAX) return { ...event, classifier: "estimated", early: true };
  const { early, ...stated } = event;
  return early === true ? { ...stated, classifier: "actual" } : event;
}

/** When an early event becomes actual, milliseconds since the epoch. */
export function believedFromMs({ at }: CarrierEvent): number {
  return at.ms - AHEAD_MS_MAX;
}
