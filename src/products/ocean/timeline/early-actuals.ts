/** Actual times that lie in the future: estimates until then, whatever the carrier calls them. */
import { BELIEVED_AHEAD_MS_MAX } from "../../../freight/places/local-time.ts";
import type { CarrierEvent } from "../sources/carrier-event.ts";

/** The event as it counts at a time: believed as actual, or `early`. Judges its own results again at a later time. */
export function believedAt(event: CarrierEvent, nowMs: number): CarrierEvent {
  if (event.classifier !== "actual" && event.early !== true) return event;
  if (event.at.ms - nowMs > BELIEVED_AHEAD_MS_MAX) return { ...event, classifier: "estimated", early: true };
  const { early, ...stated } = event;
  return early === true ? { ...stated, classifier: "actual" } : event;
}

/** When an early event becomes actual, milliseconds since the epoch. */
export function believedFromMs({ at }: CarrierEvent): number {
  return at.ms - BELIEVED_AHEAD_MS_MAX;
}
