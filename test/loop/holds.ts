import { PerformanceObserver } from "node:perf_hooks";
import { setImmediate as turn } from "node:timers/promises";

/**
 * How long one piece of work holds the event loop: the processor time of this thread between two turns of it, so that
 * other processes of a busy machine do not count. A timer that is due every millisecond sees the turns. The collection
 * of garbage does not count either: when it comes, and over how much, is the doing of the whole process, and most of
 * what is collected here is the test's own.
 */
export type Holds = {
  /** Ends the watch. */
  readonly stop: () => Promise<{ readonly longestMs: number; readonly collectedMs: number }>;
};

type Span = { readonly fromMs: number; readonly toMs: number };
type Hold = Span & { readonly usedMs: number };

/** Shorter holds need no second look. */
const NOTED_MS = 20;

export function watchHolds(): Holds {
  const holds: Hold[] = [];
  const collections: Span[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      collections.push({ fromMs: startTime, toMs: startTime + duration });
  });
  observer.observe({ entryTypes: ["gc"] });
  let [shortMs, last, lastMs] = [0, processorMs(), performance.now()];
  let timer = setTimeout(look, 1);
  function look(): void {
    const [now, nowMs] = [processorMs(), performance.now()];
    const usedMs = now - last;
    if (usedMs < NOTED_MS) shortMs = Math.max(shortMs, usedMs);
    else holds.push({ fromMs: lastMs, toMs: nowMs, usedMs });
    [last, lastMs] = [now, nowMs];
    timer = setTimeout(look, 1);
  }
  return {
    async stop() {
      clearTimeout(timer);
      // The observer receives collections a turn later.
      await turn();
      await turn();
      observer.disconnect();
      const counted = holds.map((hold) => {
        const collectedMs = collections.reduce((sum, one) => sum + overlapMs(hold, one), 0);
        return { longestMs: Math.max(0, hold.usedMs - collectedMs), collectedMs };
      });
      const longest = counted.toSorted((a, b) => b.longestMs - a.longestMs)[0];
      return longest !== undefined && longest.longestMs > shortMs
        ? longest
        : { longestMs: shortMs, collectedMs: 0 };
    },
  };
}

const overlapMs = (a: Span, b: Span): number =>
  Math.max(0, Math.min(a.toMs, b.toMs) - Math.max(a.fromMs, b.fromMs));

export function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** How many times slower this processor is at the moment than the one on which the bound was set; 1 if it is faster. */
export function slowness(): number {
  const text = `[${'{"name":["value",1.5]},'.repeat(20_000)}0]`;
  const from = processorMs();
  for (let run = 0; run < RUNS; run++) JSON.parse(text);
  return Math.max(1, (processorMs() - from) / RUNS_MS);
}

const RUNS = 10;
/** What the runs take there. */
const RUNS_MS = 150;
