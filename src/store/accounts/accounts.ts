import type { Account } from "../../model/account.ts";
import type { Cell } from "../cell.ts";
import type { Connection, Database } from "../database.ts";
import { statement } from "../sql.ts";

/** What may be changed of an account; what is absent stays as it is. */
export type AccountChange = {
  readonly name?: string | undefined;
  readonly entitlements?: readonly string[] | undefined;
  readonly demurrageAlerting?: boolean | undefined;
};

/**
 * The cell that a new account lives in. Ids end in random bits, so accounts spread evenly, and no one
 * has to count.
 */
export function chooseCell(accountId: string, cells: readonly Cell[]): Cell {
  return cells[parseInt(accountId.slice(-8), 16) % cells.length]!;
}

/** Inserts the account into its cell first: one that is interrupted leaves a row that nobody finds. */
export async function insertAccount(connection: Connection, home: Cell, account: Account): Promise<void> {
  const { id, name, entitlements, demurrageAlerting, cell, createdAt } = account;
  await connection.rows(statement("account_insert_home", home), [id]);
  await connection.rows(statement("account_insert", home), [
    id,
    name,
    entitlements,
    demurrageAlerting,
    cell,
    createdAt,
  ]);
}

/** `directory` is any cell: all share the directory. */
export async function readAccount(
  connection: Connection,
  directory: Cell,
  id: string,
): Promise<Account | null> {
  const rows = await connection.rows<Account>(statement("account_read", directory), [id]);
  return rows[0] ?? null;
}

/** Accounts, newest first, from behind `afterId` on. */
export function listAccounts(
  connection: Connection,
  directory: Cell,
  page: { readonly afterId: string | null; readonly limit: number },
): Promise<Account[]> {
  return connection.rows<Account>(statement("account_list", directory), [page.afterId, page.limit]);
}

/**
 * The account as it is then, or null when there is none. Demurrage alerting is armed and disarmed in its
 * cell in the same transaction; armed again, it keeps the moment from which it is.
 */
export function updateAccount(
  database: Database,
  cells: readonly [Cell, ...Cell[]],
  id: string,
  change: AccountChange,
  atMs: number,
): Promise<Account | null> {
  return database.transaction(async (tx) => {
    const [account] = await tx.rows<Account>(statement("account_update", cells[0]), [
      id,
      change.name,
      change.entitlements,
      change.demurrageAlerting,
    ]);
    if (account === undefined) return null;
    const home = cells[account.cell];
    if (home === undefined)
      throw new Error(`account ${id} lives in cell ${account.cell}, which there is not`);
    if (change.demurrageAlerting === true)
      await tx.rows(statement("account_arm", home), [id, new Date(atMs)]);
    if (change.demurrageAlerting === false) await tx.rows(statement("account_disarm", home), [id]);
    return account;
  });
}
