/** When a box changes by time alone. */
import { isVesselCall } from "../timeline/calls.ts";
import type { CarrierEvent } from "../sources/carrier-event.ts";
import { freeTimeChangesMs } from "../events/demurrage.ts";
import { disruptionDueMs } from "../events/disruption.ts";
import { OVERDUE_MS_MAX } from "../timeline/final-discharge.ts";
import type { BoxRecord } from "../record/shipment-record.ts";
import type { StatusReading } from "./status.ts";

/**
 * It becomes `arriving`, free time runs out, a sailing has not left, a ship is waited for no more: the
 * earliest that is still to come, milliseconds since the epoch. Null: nothing of these is.
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

/** A ship that is to carry the box on, or the discharge from the one before. */
function isAwaitedEvent(event: CarrierEvent): boolean {
  return event.kind !== "shipment" && (event.classifier !== "actual" || isVesselCall(event, "DISC"));
}
