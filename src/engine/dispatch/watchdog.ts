import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";

/**
 * Notices an engine that could send and does not.
 *
 *               nothing started since the last check, and something could
 *      working ───────────────────────────────────────────────────────────▶ idle
 *         ▲ ◀─────────────────────────────────────────────────────────────── │ for IDLE_MS_MAX
 *         │         something started, or nothing waits                      ▼
 *         └──────────────────────────────────────────────────────────────  wedged: logged, not ready
 */
export type Watchdog = ReturnType<typeof createWatchdog>;

/** Attempts start within milliseconds of being possible. */
const IDLE_MS_MAX = 5_000;

/** An endpoint queue pauses for a second after the sender threw, then tries again. */
const THROWS_APART_MS_MAX = 3_000;

const WEDGED = "deliveries are ready and no attempt starts";
const THROWING = "the sender fails whenever an attempt starts";

export function createWatchdog(clock: Clock, log: Log) {
  let hasStarted = false;
  let idleSinceMs: number | null = null;
  let throwingSinceMs: number | null = null;
  let threwMs = Number.NEGATIVE_INFINITY;
  let isWedged = false;

  const isLate = (sinceMs: number | null) => sinceMs !== null && clock.monotonicMs() - sinceMs >= IDLE_MS_MAX;

  const isThrowing = () => clock.monotonicMs() - threwMs < THROWS_APART_MS_MAX;

  function recover(): void {
    idleSinceMs = null;
    if (isWedged) log.warn({}, "attempts start again");
    isWedged = false;
  }

  return {
    /** An attempt started. */
    started(): void {
      hasStarted = true;
      throwingSinceMs = null;
    },
    /** The sender threw instead of starting an attempt. */
    threw(): void {
      // Throws far apart are separate faults.
      if (!isThrowing()) throwingSinceMs = null;
      threwMs = clock.monotonicMs();
      throwingSinceMs ??= threwMs;
    },
    /** Call it at an interval. `couldStart` says whether a delivery waits whose attempt nothing prevents. */
    check(couldStart: () => boolean): void {
      const isIdle = !hasStarted && couldStart();
      hasStarted = false;
      if (!isIdle) return recover();
      idleSinceMs ??= clock.monotonicMs();
      if (isWedged || !isLate(idleSinceMs)) return;
      isWedged = true;
      log.error({ idleMs: IDLE_MS_MAX }, WEDGED);
    },
    /** Why the engine makes no progress, or null. */
    unhealthyReason(): string | null {
      if (isWedged) return WEDGED;
      return isThrowing() && isLate(throwingSinceMs) ? THROWING : null;
    },
  };
}
