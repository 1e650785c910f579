/** How long work waits for its next turn. */

export type BackoffSettings = {
  /** The wait after the first failure; it doubles with every further one. */
  readonly backoffMs: number;
  readonly backoffMsMax: number;
  /** The share of every wait that is left to chance, 0 to 1, so that polls spread out. */
  readonly jitter: number;
};

/** After an answer; null: never. `fraction` is chance, 0 to 1. */
export function nextPollAfter(
  waitMs: number | null,
  nowMs: number,
  settings: BackoffSettings,
  fraction: number,
): number | null {
  return waitMs === null ? null : nowMs + withJitter(waitMs, settings, fraction);
}

/** When to retry after the `failures`th failure in a row, counted from 1; never before `retryAfterMs`. */
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

/** Any setting reaches its maximum within so many. */
const DOUBLINGS_MAX = 30;

export function withJitter(waitMs: number, { jitter }: BackoffSettings, fraction: number): number {
  return Math.round(waitMs * (1 - jitter / 2 + jitter * fraction));
}
