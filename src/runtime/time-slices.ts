/** Long work in short slices, so that it does not block the event loop. */
import { setImmediate } from "node:timers/promises";

import type { Clock } from "./clock.ts";

/** Work that may pause at each `yield`. */
export type SlicedWork<Result> = Generator<void, Result, void>;

/** A slice ends at the first `yield` after this time. */
const SLICE_MS = 10;

export function runToEnd<Result>(work: SlicedWork<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Yields to the event loop after each slice; short work is done at once. */
export async function runInSlices<Result>(
  work: SlicedWork<Result>,
  clock: Pick<Clock, "monotonicMs">,
): Promise<Result> {
  const done = await runInSlicesWhile(() => true, work, clock);
  // Nothing stopped it.
  return done as Result;
}

/** Like {@link runInSlices}; the work is given up once its own slices have taken longer. */
export function runInSlicesWithin<Result>(
  msMax: number,
  work: SlicedWork<Result>,
  clock: Pick<Clock, "monotonicMs">,
): Promise<Result | "stopped"> {
  return runInSlicesWhile((usedMs) => usedMs <= msMax, work, clock);
}

/** Like {@link runInSlices}; the work is given up at the first `yield` at which it may not go on. */
export async function runInSlicesWhile<Result>(
  mayGoOn: (usedMs: number) => boolean,
  work: SlicedWork<Result>,
  clock: Pick<Clock, "monotonicMs">,
): Promise<Result | "stopped"> {
  let sinceMs = clock.monotonicMs();
  let usedMs = 0;
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    const sliceMs = clock.monotonicMs() - sinceMs;
    if (!mayGoOn(usedMs + sliceMs)) return "stopped";
    if (sliceMs < SLICE_MS) continue;
    usedMs += sliceMs;
    await setImmediate();
    sinceMs = clock.monotonicMs();
  }
}

/** For work that awaits between its steps, which lets nobody else in by itself: yields once a slice is over. */
export function createPause(clock: Pick<Clock, "monotonicMs">): () => Promise<void> {
  let sinceMs = clock.monotonicMs();
  return async () => {
    if (clock.monotonicMs() - sinceMs < SLICE_MS) return;
    await setImmediate();
    sinceMs = clock.monotonicMs();
  };
}
