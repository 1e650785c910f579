/**
 * How long one piece of work holds the event loop: the processor time of this thread between two turns of it, so that
 * other processes of a busy machine do not count. A timer that is due every millisecond sees the turns.
 */
export type Holds = { readonly longestMs: () => number; readonly stop: () => void };

export function watchHolds(): Holds {
  let longestMs = 0;
  let last = processorMs();
  let timer = setTimeout(look, 1);
  function look(): void {
    const now = processorMs();
    longestMs = Math.max(longestMs, now - last);
    last = now;
    timer = setTimeout(look, 1);
  }
  return { longestMs: () => longestMs, stop: () => clearTimeout(timer) };
}

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
