/**
 * The fence around an account: from its end on nothing of the account changes in the old cell, and nothing of it is
 * sent.
 *
 *     open ─▶ closed: raises and writes are refused ─▶ what began before has ended ─▶ every node has refreshed the
 *     endpoints, which reads as inactive ─▶ no node holds a delivery
 */
import { SECOND_MS } from "../../runtime/durations.ts";
import { sleep } from "../../runtime/sleep.ts";
import type { Cell } from "../cell.ts";
import { uuidArray } from "../binary.ts";
import { notifyWork, publishInvalidation, unacknowledgedBy } from "../endpoints/invalidations.ts";
import { waitUntil, type Move, type MoveStep } from "./move.ts";
import * as sql from "./statements.ts";

/** The server ends a statement sooner, the others a frozen node's sessions. */
const TRANSACTION_MS_MAX = 60 * SECOND_MS;
/** A node that has not answered for a lease and a heartbeat sends nothing (engine/membership). */
const NODES_MS_MAX = 36 * SECOND_MS;
/** An attempt takes 10 seconds; what a dead node holds is taken over after a lease. */
const HELD_MS_MAX = 90 * SECOND_MS;
/** Nodes write the time of an endpoint's last success so much later at most (engine/settle/last-success.ts). */
const LAST_SUCCESS_MS = 1_500;

const POLLS_MAX = 2_000;
/** No node has it: all take the change in. */
const NO_NODE = 0;

/** Resolves with the ids of the account's endpoints. */
export async function closeAccount(move: Move): Promise<readonly string[]> {
  const { database, clock, accountId, from } = move;
  // Before the account: a result of a poll that is open would find it closed, and fail with its whole batch.
  await closePolls(move);
  await database.rows(sql.accountMark(from), [accountId, true, true]);
  await transactionsEnd(move, from, "closing the account");
  await closePolls(move);
  const endpointIds = (await database.rows(sql.endpointTakeOut(from), [accountId])).map(({ id }) => id);
  await tellNodes(move, endpointIds);
  const ids = uuidArray(endpointIds);
  await waitUntil(move, HELD_MS_MAX, "nodes hold deliveries of the account", async () => {
    move.progress("closing the account");
    return (await database.rows(sql.deliveryCountHeld(from), [ids]))[0]!.count === 0;
  });
  await sleep(clock, LAST_SUCCESS_MS);
  return endpointIds;
}

/** Every node reads the endpoints again, or sends nothing any more. */
export async function tellNodes({ database, clock, accountId, from }: Move, endpointIds: readonly string[]) {
  let number = 0;
  for (const id of endpointIds) number = await publishInvalidation(database, from, accountId, id, NO_NODE);
  const untilMs = clock.monotonicMs() + NODES_MS_MAX;
  while (number > 0 && clock.monotonicMs() < untilMs) {
    if ((await unacknowledgedBy(database, from, NO_NODE, number)).length === 0) return;
    await sleep(clock, 20);
  }
}

/** What began on the cell's server before the last commit, and so may not have seen it, has ended. */
export async function transactionsEnd(move: Move, cell: Cell, step: MoveStep): Promise<void> {
  const list = async () => (await move.database.rows(sql.transactionList(cell), [])).map(({ id }) => id);
  const begun = new Set(await list());
  await waitUntil(move, TRANSACTION_MS_MAX, "a transaction lasts", async () => {
    move.progress(step);
    return !(await list()).some((id) => begun.has(id));
  });
}

async function closePolls({ database, accountId, from }: Move): Promise<void> {
  const statement = sql.pollClose(from);
  while ((await database.rows(statement, [accountId, POLLS_MAX]))[0]!.count === POLLS_MAX);
}

/** Due as they were. */
export async function openPolls({ database, accountId }: Move, cell: Cell): Promise<void> {
  const statement = sql.pollOpen(cell);
  while ((await database.rows(statement, [accountId, POLLS_MAX]))[0]!.count === POLLS_MAX);
  await notifyWork(database, cell);
}
