/**
 * Watches the loops of a process. A loop may end silently: an await that never returns, a timer that nobody set
 * again. Each loop therefore reports that it gets on, and one that has not for too long is overdue.
 *
 *     on time ──(nothing reported for silentMsMax)──▶ overdue ──(reported)──▶ on time
 */
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";

export type Loops = {
  /** Watches one more loop. It counts as having got on just now. */
  watch(name: string, silentMsMax: number): Pulse;
  /** How long each loop has been silent, in milliseconds; a loop that rests has not. */
  silences(): readonly Silence[];
  /** The name of a loop that is overdue, or null. */
  overdue(): string | null;
  /** Logs each loop that has become overdue since the last check, and each that gets on again. */
  check(): void;
};

export type Pulse = {
  /** The loop gets on. */
  beat(): void;
  /** The loop has nothing to do until its next beat. */
  rest(): void;
  /** The loop has ended on purpose, and is watched no more. */
  end(): void;
};

export type Silence = { readonly loop: string; readonly silentMs: number; readonly isOverdue: boolean };

type Watched = { readonly name: string; readonly silentMsMax: number; atMs: number | null; isTold: boolean };

export function createLoops(clock: Pick<Clock, "monotonicMs">, log: Pick<Log, "warn" | "error">): Loops {
  const watched = new Set<Watched>();

  const silentMs = ({ atMs }: Watched) => (atMs === null ? 0 : clock.monotonicMs() - atMs);
  const isOverdue = (one: Watched) => silentMs(one) > one.silentMsMax;

  return {
    watch(name, silentMsMax) {
      const one: Watched = { name, silentMsMax, atMs: clock.monotonicMs(), isTold: false };
      watched.add(one);
      return {
        beat() {
          one.atMs = clock.monotonicMs();
        },
        rest() {
          one.atMs = null;
        },
        end: () => void watched.delete(one),
      };
    },
    silences: () =>
      [...watched].map((one) => ({
        loop: one.name,
        silentMs: silentMs(one),
        isOverdue: isOverdue(one),
      })),
    overdue: () => watched.values().find(isOverdue)?.name ?? null,
    check() {
      for (const one of watched) {
        if (one.isTold === isOverdue(one)) continue;
        one.isTold = !one.isTold;
        if (one.isTold) log.error({ loop: one.name, silentMs: silentMs(one) }, "a loop does not get on");
        else log.warn({ loop: one.name }, "a loop gets on again");
      }
    },
  };
}
