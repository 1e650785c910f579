import { isVesselCall } from "../timeline/calls.ts";
import type { CarrierEvent } from "../sources/carrier-event.ts";
import { freeTimeChangesMs } from "../events/demurrage.ts";
import { disruptionDueMs } from "../events/disruption.ts";
import { OVERDUE_MS_MAX } from "../timeline/final-discharge.ts";
import type { BoxRecord } from "./shipment-record.ts";
import type { StatusReading } from "../status/status.ts";

/**
 * When time alone next changes a box: it becomes `arriving`, free time runs out, a sailing is overdue, or an
 * onward vessel is awaited no longer. Milliseconds since the epoch; null: never.
 */
export function changesAtMs(box: BoxRecord, reading: StatusReading, nowMs: number): number | null {
  const { arrivingFromMs } = box;
  const times = [
    ...(arrivingFromMs !== null && arrivingFromMs >= nowMs ? [arrivingFromMs + 1] : []),
    ...overdueMs(reading, nowMs),
    freeTimeChangesMs(box, nowMs) ?? [],
    disruptionDueMs(box, nowMs) ?? [],
  ].flat();
  return times.length === 0 ? null : Math.min(...times);
}

function overdueMs({ route, journey }: StatusReading, nowMs: number): readonly number[] {
  if (journey.position !== "transshipment" || journey.loaded) return [];
  const moments = route.timeline.filter(isAwaitedEvent).map(({ at }) => at.ms + OVERDUE_MS_MAX + 1);
  return moments.filter((ms) => ms > nowMs);
}

/** A planned move that may carry the box on, or the discharge that it waits since. */
function isAwaitedEvent(event: CarrierEvent): boolean {
  return event.kind !== "shipment" && (event.classifier !== "actual" || isVesselCall(event, "DISC"));
}
