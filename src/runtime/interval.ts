/**
 * Work that runs every so often, one round at a time.
 *
 *     waiting ─(everyMs, or a wake)─▶ a round ─▶ waiting
 *        │                              └─ it fails: reported, and the next one retries ─▶ waiting
 *        └──── stop: the running round ends ────▶ stopped
 */
import { waitAtMost } from "./cleanup.ts";
import type { Cancel, Clock } from "./clock.ts";
import { MINUTE_MS } from "./durations.ts";
import type { LoopHandle, LoopMonitor } from "./loop-monitor.ts";

export type Interval = {
  /** Begins the first round at once, or after `firstAfterMs`. */
  start(): void;
  /** Begins the next round now, or right after the running one. */
  wake(): void;
  /** Begins no further round; resolves when the running one has ended, or after a bounded wait. */
  stop(): Promise<void>;
};

export type IntervalPorts = { readonly clock: Clock; readonly loops: LoopMonitor };

export type IntervalOptions = {
  /** Names the loop in the log and in metrics. */
  readonly name: string;
  readonly everyMs: number;
  readonly firstAfterMs?: number;
  /** A round that reports no progress for so long, beyond `everyMs`, hangs. */
  readonly runMsMax?: number;
};

/** A round asks between its steps whether to stop, and thereby reports progress. */
export type IntervalTask = (isStopped: () => boolean) => Promise<void>;

const STOP_MS_MAX = 5_000;
/** Most steps are one statement; a slow database takes seconds over it, not minutes. */
const RUN_MS_MAX = 5 * MINUTE_MS;

export function createInterval(
  { clock, loops }: IntervalPorts,
  { name, everyMs, firstAfterMs = 0, runMsMax = RUN_MS_MAX }: IntervalOptions,
  task: IntervalTask,
  onFailed: (cause: unknown) => void,
): Interval {
  let loop: LoopHandle | null = null;
  let isStopped = false;
  let isWoken = false;
  let isUnderWay = false;
  let cancel: Cancel = () => undefined;
  let underWay: Promise<void> | null = null;

  const askStopped = (): boolean => {
    loop?.progress();
    return isStopped;
  };

  async function round(): Promise<void> {
    try {
      await task(askStopped);
    } catch (cause) {
      onFailed(cause);
    }
  }

  function go(): void {
    cancel();
    if (isStopped || isUnderWay) return;
    isWoken = false;
    // Set before the first step: a round may wake its own interval.
    isUnderWay = true;
    loop?.progress();
    underWay = round().finally(() => {
      underWay = null;
      isUnderWay = false;
      loop?.progress();
      if (isWoken) go();
      else if (!isStopped) cancel = clock.after(everyMs, go);
    });
  }

  return {
    start() {
      if (loop !== null || isStopped) return;
      loop = loops.watch(name, Math.max(everyMs, firstAfterMs) + runMsMax);
      if (firstAfterMs === 0) go();
      else cancel = clock.after(firstAfterMs, go);
    },
    wake() {
      isWoken = true;
      if (loop !== null) go();
    },
    async stop() {
      isStopped = true;
      cancel();
      if (underWay !== null) await waitAtMost(clock, STOP_MS_MAX, underWay);
      loop?.end();
    },
  };
}

/** Repeats a step of a round while it returns true, at most `timesMax` times: what is left waits for the next round. */
export async function repeat(
  timesMax: number,
  isStopped: () => boolean,
  step: () => Promise<boolean>,
): Promise<void> {
  for (let times = 0; times < timesMax && !isStopped() && (await step()); times += 1);
}
