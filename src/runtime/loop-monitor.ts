/**
 * Watches the loops of a process. A loop may end silently: an await that never returns, a timer that nobody sets again.
 * Each loop therefore reports progress, and is overdue after too long without.
 *
 *     on time ──(nothing reported for silentMsMax)──▶ overdue ──(reported)──▶ on time
 */
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";

export type LoopMonitor = {
  /** The loop counts as having made progress just now. */
  watch(name: string, silentMsMax: number): LoopHandle;
  /** How long each loop has been silent; 0 for an idle one. */
  silences(): readonly LoopSilence[];
  overdue(): string | null;
  /** Logs each loop that has become overdue since the last check, and each that has recovered. */
  check(): void;
};

export type LoopHandle = {
  /** There is work: the loop must make progress from now on. */
  busy(): void;
  progress(): void;
  /** There is no work. */
  idle(): void;
  /** The loop has ended on purpose. */
  end(): void;
};

export type LoopSilence = { readonly loop: string; readonly silentMs: number; readonly isOverdue: boolean };

type WatchedLoop = {
  readonly name: string;
  readonly silentMsMax: number;
  atMs: number | null;
  isReported: boolean;
};

export function createLoopMonitor(
  clock: Pick<Clock, "monotonicMs">,
  log: Pick<Log, "warn" | "error">,
): LoopMonitor {
  const watched = new Set<WatchedLoop>();

  const silentMs = ({ atMs }: WatchedLoop) => (atMs === null ? 0 : clock.monotonicMs() - atMs);
  const isOverdue = (one: WatchedLoop) => silentMs(one) > one.silentMsMax;

  return {
    watch(name, silentMsMax) {
      const one: WatchedLoop = { name, silentMsMax, atMs: clock.monotonicMs(), isReported: false };
      watched.add(one);
      return {
        busy() {
          one.atMs ??= clock.monotonicMs();
        },
        progress() {
          one.atMs = clock.monotonicMs();
        },
        idle() {
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
        if (one.isReported === isOverdue(one)) continue;
        one.isReported = !one.isReported;
        if (one.isReported) log.error({ loop: one.name, silentMs: silentMs(one) }, "a loop does not get on");
        else log.warn({ loop: one.name }, "a loop gets on again");
      }
    },
  };
}
