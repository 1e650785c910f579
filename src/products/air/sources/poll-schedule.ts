/** When a waybill's airline is asked next. */
import { withJitter, type BackoffSettings } from "../../../freight/work/backoff.ts";
import type { AirStatus } from "../status.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../runtime/durations.ts";

export type AirPollSettings = BackoffSettings & {
  readonly intervalMs: number;
  /** The longest wait of a waybill that its airline does not know. */
  readonly notFoundWaitMsMax: number;
  /** How long a waybill is still looked at after its delivery, for corrections. */
  readonly afterDeliveryMs: number;
  /** How long a waybill is looked at of which nothing new is told: many are never said to be delivered. */
  readonly silentMs: number;
};

export const AIR_POLL_DEFAULTS: AirPollSettings = {
  intervalMs: 30 * MINUTE_MS,
  notFoundWaitMsMax: 2 * HOUR_MS,
  // Shorter than at sea: a client may wait for it, and cargo flies within hours.
  backoffMs: MINUTE_MS,
  backoffMsMax: 30 * MINUTE_MS,
  jitter: 0.1,
  afterDeliveryMs: 3 * DAY_MS,
  silentMs: 30 * DAY_MS,
};

/** What the next look depends on; times in milliseconds since the epoch. */
export type TrackingState = {
  /** `pending` until there was a first look. */
  readonly status: AirStatus | "pending";
  /** When the delivery was first seen. */
  readonly deliveredMs: number | null;
  /** The latest that happened to it, or when tracking began. */
  readonly lastEventMs: number;
};

/** When a delivery was first seen: stays while it holds. */
export function deliverySeenAtMs(status: AirStatus, beforeMs: number | null, nowMs: number): number | null {
  return status === "delivered" ? (beforeMs ?? nowMs) : null;
}

/** After an answer; null when the waybill's life is over. `fraction` is chance, 0 to 1. */
export function nextPollTime(
  standing: TrackingState,
  nowMs: number,
  settings: AirPollSettings,
  fraction: number,
): number | null {
  return isTrackingOver(standing, nowMs, settings)
    ? null
    : nowMs + withJitter(settings.intervalMs, settings, fraction);
}

/** Whether tracking has come to its end. */
export function isTrackingOver(
  { deliveredMs, lastEventMs }: TrackingState,
  nowMs: number,
  { afterDeliveryMs, silentMs }: AirPollSettings,
): boolean {
  return (deliveredMs !== null && nowMs - deliveredMs >= afterDeliveryMs) || nowMs - lastEventMs >= silentMs;
}
