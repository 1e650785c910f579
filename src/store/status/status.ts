/** What an operator asks first: what waits, what fails and why. */
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import { queueCount } from "../deliveries/queue.sql.ts";
import { secretCountSeals } from "../endpoints/secrets.sql.ts";
import { listKnownNodes } from "../nodes/known-nodes.ts";
import { deliveryCountFailures, endpointCountStates, pollCountFailures } from "./status.sql.ts";

/** About a fifth of a second's work; beyond it the numbers are too low. */
const ROWS_MAX = 500_000;

/** One statement after the other: many cells may be read at once. */
export async function readCellStatus(db: Connection, cell: Cell, nowMs: number) {
  const nodes = await listKnownNodes(db, cell);
  const seals = await secretCountSeals(db, cell);
  const queue = await queueCount(db, cell, { at: nowMs, rowsMax: ROWS_MAX });
  const endpoints = await endpointCountStates(db, cell);
  const failures = await deliveryCountFailures(db, cell, ROWS_MAX);
  const polls = await pollCountFailures(db, cell, ROWS_MAX);
  return { cell, nodes, seals, queue, endpoints, failures, polls };
}
