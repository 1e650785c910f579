/** Long work in short turns, so that nothing else waits for the event loop meanwhile. */
import { setImmediate } from "node:timers/promises";

import type { Clock } from "./clock.ts";

/** Work that may be left at each `yield` and taken up again; it returns its result. */
export type SlicedWork<Result> = Generator<void, Result, void>;

/** A turn ends at the first `yield` after so long. */
const SLICE_MS = 20;

/** Does all of it at once. */
export function runToEnd<Result>(work: SlicedWork<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Lets others have their turn whenever the work has had one by the clock; what is short is done at once. */
export async function runInSlices<Result>(
  work: SlicedWork<Result>,
  clock: Pick<Clock, "monotonicMs">,
): Promise<Result> {
  let sinceMs = clock.monotonicMs();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (clock.monotonicMs() - sinceMs < SLICE_MS) continue;
    await setImmediate();
    sinceMs = clock.monotonicMs();
  }
}
