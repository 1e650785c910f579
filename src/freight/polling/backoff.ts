/** How long a shipment waits for its next look. */

export type BackoffSettings = {
  /** The wait after the first look without an answer; it doubles with every further one. */
  readonly backoffMs: number;
  readonly backoffMsMax: number;
  /** The part of every wait that is left to chance, 0 to 1, so that looks spread out. */
  readonly jitter: number;
};

/** After a look without an answer, the `failures`th in a row counted from 1. */
export function nextPollAfterFailure(
  failures: number,
  retryAfterMs: number | null,
  nowMs: number,
  settings: BackoffSettings,
  fraction: number,
): number {
  const grown = settings.backoffMs * 2 ** Math.min(failures - 1, DOUBLINGS_MAX);
  const waitMs = withJitter(Math.min(grown, settings.backoffMsMax), settings, fraction);
  return nowMs + Math.max(waitMs, retryAfterMs ?? 0);
}

/** Beyond these a wait is at its maximum by any setting. */
const DOUBLINGS_MAX = 30;

export function withJitter(waitMs: number, { jitter }: BackoffSettings, fraction: number): number {
  return Math.round(waitMs * (1 - jitter / 2 + jitter * fraction));
}
