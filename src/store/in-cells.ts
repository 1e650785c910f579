import { StoreUnavailable } from "../model/errors.ts";
import { waitAtMost } from "../runtime/cleanup.ts";
import type { Clock } from "../runtime/clock.ts";
import { sideBySide } from "../runtime/side-by-side.ts";
import type { Cell } from "./cell.ts";

export const CELLS_AT_ONCE_MAX = 16;

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
  atOnceMax: number = CELLS_AT_ONCE_MAX,
): Promise<InCells<T>> {
  const ended = await sideBySide(cells, atOnceMax, async (cell) => {
    const working = work(cell);
    return cells.length === 1 ? working : within(clock, waitMsMax, working);
  });
  return {
    answers: ended.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])),
    failures: ended.flatMap((one) => (one.status === "rejected" ? [asError(one.reason)] : [])),
  };
}

function asError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error("work in a cell failed", { cause });
}

/** Rejects with `StoreUnavailable` when `work` does not end in time. */
export async function within<T>(clock: Clock, waitMsMax: number, work: Promise<T>): Promise<T> {
  const ended = work.then(() => undefined);
  if (await waitAtMost(clock, waitMsMax, ended)) return work;
  throw new StoreUnavailable(`a cell has not answered in ${waitMsMax} ms`);
}
