/**
 * The fence around an account that goes: from its end on nothing of the account changes, and nothing of it is sent.
 *
 *     open ─▶ closed: raises and writes are refused ─▶ what began before has ended ─▶ every node has refreshed the
 *     endpoints, which reads as inactive ─▶ no node holds a delivery
 */
import type { Clock } from "../../runtime/clock.ts";
import { SECOND_MS } from "../../runtime/durations.ts";
import { sleep } from "../../runtime/sleep.ts";
import type { Cell } from "../cell.ts";
import type { Database } from "../database.ts";
import { publishInvalidation, unacknowledgedBy } from "../endpoints/invalidations.ts";
import {
  accountClose,
  deliveryCountHeld,
  pollClose,
  transactionList,
  endpointListIds,
} from "./account-removal.sql.ts";

export type Removal = {
  readonly database: Database;
  readonly clock: Clock;
  readonly accountId: string;
  /** Where it lives. */
  readonly home: Cell;
  /** Between two batches; throws once this process may not go on. */
  readonly stillHeld: () => void;
};

/** The account cannot be removed now; the message says why. */
export class RemovalRefused extends Error {
  override readonly name = "RemovalRefused";
}

/** The server ends a statement sooner, the others a frozen node's sessions. */
const TRANSACTION_MS_MAX = 60 * SECOND_MS;
/** A node that has not answered for a lease and a heartbeat sends nothing (engine/membership). */
const NODES_MS_MAX = 36 * SECOND_MS;
/** An attempt takes 10 seconds; what a dead node holds is taken over after a lease. */
const HELD_MS_MAX = 90 * SECOND_MS;
/** Nodes write the time of an endpoint's last success so much later at most (engine/settle/settle.ts). */
const LAST_SUCCESS_MS = 1_500;

const CHECK_MS = 50;
const POLLS_MAX = 2_000;
/** No node is left out. */
const NO_NODE = 0;

/** Resolves with the ids of the account's endpoints. */
export async function closeAccount(removal: Removal): Promise<readonly string[]> {
  const { database, clock, accountId, home } = removal;
  // Before the account: a result of a poll that is open would find it closed, and fail with its whole batch.
  await closePolls(removal);
  await accountClose(database, home, accountId);
  await transactionsEnd(removal);
  await closePolls(removal);
  const endpointIds = (await endpointListIds(database, home, accountId)).map(({ id }) => id);
  await tellNodes(removal, endpointIds);
  await waitUntil(clock, HELD_MS_MAX, "nodes hold deliveries of the account", async () => {
    removal.stillHeld();
    return (await deliveryCountHeld(database, home, endpointIds)).count === 0;
  });
  await sleep(clock, LAST_SUCCESS_MS);
  return endpointIds;
}

/** Every node reads the endpoints again, or sends nothing any more. */
async function tellNodes({ database, clock, accountId, home }: Removal, endpointIds: readonly string[]) {
  let number = 0;
  for (const id of endpointIds) number = await publishInvalidation(database, home, accountId, id);
  const untilMs = clock.monotonicMs() + NODES_MS_MAX;
  while (number > 0 && clock.monotonicMs() < untilMs) {
    if ((await unacknowledgedBy(database, home, NO_NODE, number)).length === 0) return;
    await sleep(clock, 20);
  }
}

/** What began on the cell's server before the last commit, and so may not have seen it, has ended. */
async function transactionsEnd({ database, clock, home, stillHeld }: Removal): Promise<void> {
  const list = async () => (await transactionList(database, home)).map(({ id }) => id);
  const begun = new Set(await list());
  await waitUntil(clock, TRANSACTION_MS_MAX, "a transaction lasts", async () => {
    stillHeld();
    return !(await list()).some((id) => begun.has(id));
  });
}

async function closePolls({ database, accountId, home }: Removal): Promise<void> {
  while ((await pollClose(database, home, { accountId, countMax: POLLS_MAX })).count === POLLS_MAX);
}

/** Rejects with `RemovalRefused` when that takes longer than `msMax`. */
export async function waitUntil(
  clock: Clock,
  msMax: number,
  what: string,
  holds: () => Promise<boolean>,
): Promise<void> {
  const untilMs = clock.monotonicMs() + msMax;
  while (!(await holds())) {
    if (clock.monotonicMs() >= untilMs) {
      throw new RemovalRefused(`${what}, and did so for ${Math.round(msMax / 1_000)} seconds`);
    }
    await sleep(clock, CHECK_MS);
  }
}
