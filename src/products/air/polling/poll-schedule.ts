/** When a waybill is polled next. */
import type { AirStatus } from "../status.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../runtime/durations.ts";

export const AIR_POLL_DEFAULTS = {
  intervalMs: 30 * MINUTE_MS,
  /** The longest wait of a waybill that its airline does not know. */
  notFoundWaitMsMax: 2 * HOUR_MS,
  // Shorter than at sea: a client may wait for it, and cargo flies within hours.
  backoffMs: MINUTE_MS,
  backoffMsMax: 30 * MINUTE_MS,
  jitter: 0.1,
  /** How long a waybill is polled after its delivery, for corrections. */
  afterDeliveryMs: 3 * DAY_MS,
  /** How long a waybill is polled without anything new: airlines never report many deliveries. */
  silentMs: 30 * DAY_MS,
};

export type AirPollSettings = Readonly<typeof AIR_POLL_DEFAULTS>;

/** What the next poll depends on; times in milliseconds since the epoch. */
export type TrackingState = {
  /** `pending` until the first poll. */
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

/** Until the next poll after an answer; null when the waybill's life is over. */
export function waitAfterAnswer(
  state: TrackingState,
  nowMs: number,
  settings: AirPollSettings,
): number | null {
  return isTrackingOver(state, nowMs, settings) ? null : settings.intervalMs;
}

/** Whether tracking has come to its end. */
export function isTrackingOver(
  { deliveredMs, lastEventMs }: TrackingState,
  nowMs: number,
  { afterDeliveryMs, silentMs }: AirPollSettings,
): boolean {
  return (deliveredMs !== null && nowMs - deliveredMs >= afterDeliveryMs) || nowMs - lastEventMs >= silentMs;
}
