import { float8Array } from "../binary.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import type { Statement } from "../sql.ts";
import * as sql from "./statements.ts";

/** Rows changed by one statement of pruning, so that none holds its locks for long. */
const ROWS_A_STEP_MAX = 2_000;

/** Ends what has been parked behind endpoints inactive since before `beforeMs`; true when there is more. */
export function expireParked(db: Connection, cell: Cell, beforeMs: number): Promise<boolean> {
  return step(db, sql.deliveryExpireParked(cell), [new Date(beforeMs), ROWS_A_STEP_MAX]);
}

/** Deletes deduplication keys made before `beforeMs`; true when there is more. */
export function pruneDedupKeys(db: Connection, cell: Cell, beforeMs: number): Promise<boolean> {
  return step(db, sql.dedupKeyPrune(cell), [new Date(beforeMs), ROWS_A_STEP_MAX]);
}

/**
 * Puts what waits for longer than its own wait back to that from now. `waitsMs[n]` is the wait before
 * attempt `n + 1`; clocks of nodes may differ by `skewMs`.
 */
export async function clampQueue(
  db: Connection,
  cell: Cell,
  nowMs: number,
  waitsMs: readonly number[],
  skewMs: number,
): Promise<void> {
  await db.rows(sql.queueClamp(cell), [new Date(nowMs), float8Array(waitsMs), skewMs]);
}

async function step<Parameters extends readonly unknown[]>(
  db: Connection,
  statement: Statement<{ count: number }, Parameters>,
  parameters: Readonly<NoInfer<Parameters>>,
): Promise<boolean> {
  const rows = await db.rows(statement, parameters);
  return rows[0]!.count === ROWS_A_STEP_MAX;
}
