/**
 * Work that is done again and again, one round at a time.
 *
 *     waiting ─(some time)─▶ a round ─▶ waiting
 *        │                     └─ it fails: told, and the next may do better ─▶ waiting
 *        └──── stop: the round under way ends ────▶ stopped
 */
import type { Cancel, Clock } from "./clock.ts";
import { within } from "./closing.ts";

export type Rounds = {
  /** The first at once. */
  start(): void;
  /** Begins no round any more; resolves when the one under way has ended, or after a bounded wait. */
  stop(): Promise<void>;
};

/** Rounds look between their steps whether they are to go on. */
const STOP_MS_MAX = 5_000;

export function createRounds(
  clock: Clock,
  everyMs: number,
  round: (isStopped: () => boolean) => Promise<void>,
  failed: (cause: unknown) => void,
): Rounds {
  let isStopped = false;
  let cancel: Cancel = () => undefined;
  let underWay: Promise<void> | null = null;

  const go = (): void => {
    underWay = round(() => isStopped)
      .catch(failed)
      .finally(() => {
        underWay = null;
        if (!isStopped) cancel = clock.after(everyMs, go);
      });
  };

  return {
    start: go,
    async stop() {
      isStopped = true;
      cancel();
      if (underWay !== null) await within(clock, STOP_MS_MAX, underWay);
    },
  };
}
