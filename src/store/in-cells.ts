import { StoreUnavailable } from "../model/errors.ts";
import { waitAtMost } from "../runtime/cleanup.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Cell } from "./cell.ts";

const CELLS_AT_ONCE_MAX = 16;

/** What the cells answered, and why the others did not. */
export type InCells<T> = { readonly answers: readonly T[]; readonly failures: readonly Error[] };

/**
 * Runs `work` in the cells side by side. One that fails, or does not end within `waitMsMax`, stops no other; what hangs
 * goes on without being waited for. A single cell is waited for as long as it takes.
 */
export async function inCells<T>(
  clock: Clock,
  cells: readonly Cell[],
  waitMsMax: number,
  work: (cell: Cell) => Promise<T>,
): Promise<InCells<T>> {
  const waiting = [...cells];
  const answers: T[] = [];
  const failures: Error[] = [];
  const next = async (): Promise<void> => {
    for (let cell = waiting.shift(); cell !== undefined; cell = waiting.shift()) {
      try {
        const working = work(cell);
        answers.push(await (cells.length === 1 ? working : within(clock, waitMsMax, working)));
      } catch (cause) {
        failures.push(cause instanceof Error ? cause : new Error("work in a cell failed", { cause }));
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(CELLS_AT_ONCE_MAX, cells.length) }, next));
  return { answers, failures };
}

/** Rejects with `StoreUnavailable` when `work` does not end in time. */
export async function within<T>(clock: Clock, waitMsMax: number, work: Promise<T>): Promise<T> {
  const ended = work.then(() => undefined);
  if (await waitAtMost(clock, waitMsMax, ended)) return work;
  throw new StoreUnavailable(`a cell has not answered in ${waitMsMax} ms`);
}
