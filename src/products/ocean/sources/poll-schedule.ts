/** When a shipment is polled next. */
import type { BackoffSettings } from "../../../freight/work/backoff.ts";
import type { ContainerStatus } from "../event-data.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../runtime/durations.ts";

export type PollScheduleSettings = BackoffSettings & {
  /** Between two polls while no change is near: in mid-ocean, after the end. */
  readonly intervalMs: number;
  /** Between two polls near a change; never more than `intervalMs`. */
  readonly nearIntervalMs: number;
  /** How long before and after an arrival, and before a change by time, a change is near. */
  readonly nearMs: number;
  /** How long a box is polled after its empty return, for corrections. */
  readonly afterReturnMs: number;
  /** How long after its delivery, for the empty return. */
  readonly afterDeliveryMs: number;
  /** How long a reference is polled that no carrier knows, or knows any more. */
  readonly notFoundMs: number;
};

export const POLL_SCHEDULE_DEFAULTS: PollScheduleSettings = {
  intervalMs: 4 * HOUR_MS,
  nearIntervalMs: 20 * MINUTE_MS,
  nearMs: 2 * DAY_MS,
  backoffMs: MINUTE_MS,
  backoffMsMax: 6 * HOUR_MS,
  jitter: 0.1,
  afterReturnMs: 3 * DAY_MS,
  afterDeliveryMs: 30 * DAY_MS,
  notFoundMs: 14 * DAY_MS,
};

/** What the next poll depends on; times in milliseconds since the epoch. */
export type PollState = {
  /** `pending` until a carrier has answered. */
  readonly status: ContainerStatus | "pending";
  readonly etaMs: number | null;
  /** When time alone changes something. */
  readonly changesAtMs: number | null;
  /** When the end value was first seen. */
  readonly endedMs: number | null;
};

/** When an end value was first seen: stays while one holds, null while none does. */
export function endedAtMs(status: ContainerStatus, beforeMs: number | null, nowMs: number): number | null {
  const ended = status === "delivered" || status === "returned_empty" || status === "cancelled";
  return ended ? (beforeMs ?? nowMs) : null;
}

/** Until the next poll after an answer; null when the shipment's life is over. */
export function waitAfterAnswer(
  state: PollState,
  nowMs: number,
  settings: PollScheduleSettings,
): number | null {
  if (isOver(state, nowMs, settings)) return null;
  const { intervalMs, nearIntervalMs } = settings;
  return isNearChange(state, nowMs, settings) ? Math.min(nearIntervalMs, intervalMs) : intervalMs;
}

/** Whether the carrier is likely to report a change within hours. */
function isNearChange(
  { status, etaMs, changesAtMs }: PollState,
  nowMs: number,
  { nearMs }: PollScheduleSettings,
): boolean {
  switch (status) {
    // Each ends within hours or few days, at a moment that only the carrier knows.
    case "arriving":
    case "at_anchor":
    case "at_berth":
    case "discharged":
    case "customs_hold":
      return true;
    case "delivered":
    case "returned_empty":
    case "cancelled":
    // It may wait for its consignee for weeks, and free time runs out by the clock.
    case "available":
      return false;
    // Before a departure, the moment by which it would not have left as planned comes near.
    default:
      return (
        (etaMs !== null && Math.abs(etaMs - nowMs) <= nearMs) ||
        (changesAtMs !== null && changesAtMs - nowMs <= nearMs)
      );
  }
}

/** Whether a shipment's life has been over for so long that no correction is expected. */
function isOver({ status, endedMs }: PollState, nowMs: number, settings: PollScheduleSettings): boolean {
  const keepMs = status === "delivered" ? settings.afterDeliveryMs : settings.afterReturnMs;
  return endedMs !== null && nowMs - endedMs >= keepMs;
}

/**
 * Whether a reference that no carrier knows, or knows any more, is given up. `knownMs` is when a
 * carrier last knew it, or when it began to be tracked.
 */
export function isGivenUp(
  state: PollState,
  knownMs: number,
  nowMs: number,
  settings: PollScheduleSettings,
): boolean {
  return isOver(state, nowMs, settings) || nowMs - knownMs >= settings.notFoundMs;
}
