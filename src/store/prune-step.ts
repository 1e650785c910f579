import { repeat } from "../runtime/interval.ts";

/** Rows changed by one statement of pruning, so that none holds its locks for long. */
export const ROWS_PER_STEP_MAX = 2_000;

/** Runs a statement that changes at most so many rows; true when there are more. */
export async function pruneStep(
  prune: (limit: number) => Promise<{ readonly count: number }>,
): Promise<boolean> {
  return (await prune(ROWS_PER_STEP_MAX)).count === ROWS_PER_STEP_MAX;
}

/** Prunes for so many statements at most: what is left waits for the next round. */
export async function pruneAll(
  statementsMax: number,
  isStopped: () => boolean,
  prune: Parameters<typeof pruneStep>[0],
): Promise<void> {
  await repeat(statementsMax, isStopped, () => pruneStep(prune));
}
