/** When a shipment is looked at next. */
import type { ShipmentRecord } from "./record.ts";

export type PollSettings = {
  /** Between two looks at a shipment under way. */
  readonly intervalMs: number;
  /** The wait after the first look without an answer; it doubles with every further one. */
  readonly failureWaitMs: number;
  readonly failureWaitMsMax: number;
  /** The part of every wait that is left to chance, 0 to 1, so that looks spread out. */
  readonly jitter: number;
  /** How long a box is still looked at after its empty return, for corrections. */
  readonly afterReturnMs: number;
  /** How long after its delivery, for the empty return. */
  readonly afterDeliveryMs: number;
  /** How long a reference is asked for that no carrier knows, or knows any more. */
  readonly notFoundMs: number;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const POLL_DEFAULTS: PollSettings = {
  intervalMs: HOUR_MS,
  failureWaitMs: 60_000,
  failureWaitMsMax: 6 * HOUR_MS,
  jitter: 0.1,
  afterReturnMs: 3 * DAY_MS,
  afterDeliveryMs: 30 * DAY_MS,
  notFoundMs: 14 * DAY_MS,
};

/** When an end value was first seen: stays while one holds, null while none does. */
export function endedAtMs(record: ShipmentRecord, beforeMs: number | null, nowMs: number): number | null {
  const { status } = record;
  const ended = status === "delivered" || status === "returned_empty" || status === "cancelled";
  return ended ? (beforeMs ?? nowMs) : null;
}

/** After an answer; null when the shipment's life is over. `fraction` is chance, 0 to 1. */
export function nextPollAfterAnswer(
  record: ShipmentRecord,
  endedMs: number | null,
  nowMs: number,
  settings: PollSettings,
  fraction: number,
): number | null {
  if (isOver(record, endedMs, nowMs, settings)) return null;
  const regular = nowMs + spread(settings.intervalMs, settings, fraction);
  // Time alone makes it `arriving`: look when it does.
  const arriving = record.arrivingFromMs === null ? regular : record.arrivingFromMs + 1;
  return arriving > nowMs ? Math.min(regular, arriving) : regular;
}

/** Whether a shipment's life has been over for so long that no correction is expected. */
function isOver(
  record: ShipmentRecord,
  endedMs: number | null,
  nowMs: number,
  settings: PollSettings,
): boolean {
  const keepMs = record.status === "delivered" ? settings.afterDeliveryMs : settings.afterReturnMs;
  return endedMs !== null && nowMs - endedMs >= keepMs;
}

/**
 * Whether a reference that no carrier knows, or knows any more, is given up. `knownMs` is when a
 * carrier last knew it, or when it began to be tracked.
 */
export function isGivenUp(
  record: ShipmentRecord | null,
  endedMs: number | null,
  knownMs: number,
  nowMs: number,
  settings: PollSettings,
): boolean {
  if (record !== null && isOver(record, endedMs, nowMs, settings)) return true;
  return nowMs - knownMs >= settings.notFoundMs;
}

/** After a look without an answer, the `failures`th in a row counted from 1. */
export function nextPollAfterFailure(
  failures: number,
  retryAfterMs: number | null,
  nowMs: number,
  settings: PollSettings,
  fraction: number,
): number {
  const grown = settings.failureWaitMs * 2 ** Math.min(failures - 1, DOUBLINGS_MAX);
  const waitMs = spread(Math.min(grown, settings.failureWaitMsMax), settings, fraction);
  return nowMs + Math.max(waitMs, retryAfterMs ?? 0);
}

/** Beyond these a wait is at its maximum by any setting. */
const DOUBLINGS_MAX = 30;

function spread(waitMs: number, { jitter }: PollSettings, fraction: number): number {
  return Math.round(waitMs * (1 - jitter / 2 + jitter * fraction));
}
