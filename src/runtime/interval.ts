/**
 * Work that is done every so often, one round at a time.
 *
 *     waiting ─(everyMs, or a wake)─▶ a round ─▶ waiting
 *        │                              └─ it fails: reported, and the next one may do better ─▶ waiting
 *        └──── stop: the round under way ends ────▶ stopped
 */
import type { Cancel, Clock } from "./clock.ts";
import { waitAtMost } from "./cleanup.ts";
import type { LoopMonitor, LoopHandle } from "./loop-monitor.ts";

export type Interval = {
  /** Begins the first round at once, or after `firstAfterMs`. */
  start(): void;
  /** Begins the next round now, or right after the one under way. */
  wake(): void;
  /** Begins no further round; resolves when the one under way has ended, or after a bounded wait. */
  stop(): Promise<void>;
};

export type IntervalPorts = { readonly clock: Clock; readonly loops: LoopMonitor };

export type IntervalOptions = {
  /** Names the loop in the log and in metrics. */
  readonly name: string;
  readonly everyMs: number;
  readonly firstAfterMs?: number;
  /** A round that does not report for so long, beyond `everyMs`, hangs. */
  readonly runMsMax?: number;
};

/** A round looks between its steps whether it is to go on, and thereby reports that it gets on. */
export type IntervalTask = (isStopped: () => boolean) => Promise<void>;

const STOP_MS_MAX = 5_000;
/** Most steps are one statement; a slow database takes seconds over it, not minutes. */
const RUN_MS_MAX = 300_000;

export function createInterval(
  { clock, loops }: IntervalPorts,
  { name, everyMs, firstAfterMs = 0, runMsMax = RUN_MS_MAX }: IntervalOptions,
  round: IntervalTask,
  onFailed: (cause: unknown) => void,
): Interval {
  let pulse: LoopHandle | null = null;
  let isStopped = false;
  let isWoken = false;
  let isUnderWay = false;
  let cancel: Cancel = () => undefined;
  let underWay: Promise<void> | null = null;

  const look = (): boolean => {
    pulse?.progress();
    return isStopped;
  };

  async function runRound(): Promise<void> {
    try {
      await round(look);
    } catch (cause) {
      onFailed(cause);
    }
  }

  function go(): void {
    cancel();
    if (isStopped || isUnderWay) return;
    isWoken = false;
    // From before its first step: a round may wake its own interval.
    isUnderWay = true;
    pulse?.progress();
    underWay = runRound().finally(() => {
      underWay = null;
      isUnderWay = false;
      pulse?.progress();
      if (isWoken) go();
      else if (!isStopped) cancel = clock.after(everyMs, go);
    });
  }

  return {
    start() {
      if (pulse !== null || isStopped) return;
      pulse = loops.watch(name, Math.max(everyMs, firstAfterMs) + runMsMax);
      if (firstAfterMs === 0) go();
      else cancel = clock.after(firstAfterMs, go);
    },
    wake() {
      isWoken = true;
      if (pulse !== null) go();
    },
    async stop() {
      isStopped = true;
      cancel();
      if (underWay !== null) await waitAtMost(clock, STOP_MS_MAX, underWay);
      pulse?.end();
    },
  };
}
