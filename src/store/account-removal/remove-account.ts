/**
 * Removes an account with all that is its. Each step may be repeated, so one that was interrupted is finished by calling
 * it again.
 *
 *     there ─▶ keys revoked ─▶ closed (fence.ts) ─▶ nothing left in its cell ─▶ gone from the directory
 */
import { SECOND_MS } from "../../runtime/durations.ts";
import { ARMING, cellOfAccount } from "../accounts/accounts.ts";
import { insertChange } from "../accounts/changes.ts";
import { cellNumbered, type Cell, type Cells } from "../cell.ts";
import type { Connection } from "../database.ts";
import type { NodeContext } from "../node-context.ts";
import { statementOf } from "../sql.ts";
import { closeAccount, waitUntil, type Removal } from "./fence.ts";
import {
  accountForget,
  accountLock,
  accountRemove,
  accountRevokeKeys,
  deliveryListSome,
  deliveryRemove,
  endpointRemove,
  eventRemove,
  keyRemove,
  referenceRemove,
  shipmentRemove,
} from "./account-removal.sql.ts";

export type RemovalPorts = Pick<NodeContext, "database" | "cells" | "clock"> & {
  /** Tables of cells that products have for accounts: `account_id uuid` references `accounts`, `id uuid` is the key. */
  readonly accountTables: readonly string[];
};

/** What a process that was killed held is free as soon as the server notices. */
const LOCK_MS_MAX = 10 * SECOND_MS;

/** An event may have 256 KiB, and is read to be removed. */
const DELIVERIES_MAX = 200;
const ROWS_MAX = 2_000;

/** False: there is no such account. Rejects with `RemovalRefused` where it cannot be removed now. */
export function removeAccount(ports: RemovalPorts, accountId: string): Promise<boolean> {
  return holdAccount(ports, accountId, async ({ database, clock, stillHeld }) => {
    const { cells, accountTables } = ports;
    const number = await cellOfAccount(database, cells[0], accountId);
    if (number === null) return false;
    const home = cellNumbered(cells, number);
    const removal: Removal = { database, clock, accountId, home, stillHeld };
    await database.transaction(async (tx) => {
      const at = new Date(clock.nowMs());
      await accountRevokeKeys(tx, home, { accountId, at });
      await insertChange(tx, home, { kind: "account", subject: accountId }, at);
    });
    for (const id of await closeAccount(removal)) await removeDeliveries(removal, id);
    const tables = accountTables.map(removeFrom);
    for (const remove of [eventRemove, shipmentRemove, ...tables, keyRemove, referenceRemove])
      while ((await remove(database, home, { accountId, countMax: ROWS_MAX })).count === ROWS_MAX)
        stillHeld();
    await database.transaction(async (tx) => {
      await endpointRemove(tx, home, accountId);
      await accountRemove(tx, home, accountId);
    });
    await database.transaction(async (tx) => {
      await accountForget(tx, home, { accountId, kind: ARMING });
      await insertChange(tx, home, { kind: "account", subject: accountId }, new Date(clock.nowMs()));
    });
    return true;
  });
}

/** Runs `work` while no other process removes the account; `stillHeld` throws once that is not sure. */
async function holdAccount<T>(
  { database, cells, clock }: Pick<RemovalPorts, "database" | "clock"> & { readonly cells: Cells },
  accountId: string,
  work: (held: Pick<Removal, "database" | "clock" | "stillHeld">) => Promise<T>,
): Promise<T> {
  let lost: Error | null = null;
  const stillHeld = (): void => {
    if (lost !== null) throw lost;
  };
  const directory = { ...cells[0], schema: cells[0].directory };
  const session = await database.dedicated(directory, (cause) => (lost = cause));
  try {
    const isFree = async () => (await accountLock(session, directory, accountId)).free;
    await waitUntil(clock, LOCK_MS_MAX, "another process removes the account", isFree);
    return await work({ database, clock, stillHeld });
  } finally {
    await session.close();
  }
}

async function removeDeliveries({ database, home, stillHeld }: Removal, endpointId: string): Promise<void> {
  for (;;) {
    const rows = await deliveryListSome(database, home, { endpointId, deliveriesMax: DELIVERIES_MAX });
    if (rows.length === 0) return;
    const [ids, eventIds] = [rows.map(({ id }) => id), rows.map(({ eventId }) => eventId)];
    await deliveryRemove(database, home, { ids, eventIds });
    stillHeld();
  }
}

const NAME = /^[a-z][a-z0-9_]*$/;

function removeFrom(table: string) {
  if (!NAME.test(table)) throw new Error(`a manifest declares a table of an unusual name: ${table}`);
  const statement = statementOf<{ count: number }, [string, number]>(
    `${table}_remove_some`,
    `with doomed as (select id from cell.${table} where account_id = $1::uuid limit $2::integer),
     removed as (delete from cell.${table} t using doomed where t.id = doomed.id)
     select count(*)::integer as count from doomed`,
  );
  return async (db: Connection, cell: Cell, given: { accountId: string; countMax: number }) =>
    (await db.rows(statement(cell), [given.accountId, given.countMax]))[0]!;
}
