import type { Account } from "../../model/account.ts";
import { textArray } from "../binary.ts";
import type { Cell } from "../cell.ts";
import type { Connection, Database } from "../database.ts";
import * as sql from "./statements.ts";

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
  await connection.rows(sql.accountInsertHome(home), [id]);
  await connection.rows(sql.accountInsert(home), [
    id,
    name,
    textArray(entitlements),
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
  const rows = await connection.rows(sql.accountRead(directory), [id]);
  return rows[0] ?? null;
}

/** The cell number of an account, or null when there is no such account. */
export async function cellOfAccount(
  connection: Connection,
  cell: Cell,
  accountId: string,
): Promise<number | null> {
  const rows = await connection.rows(sql.accountCell(cell), [accountId]);
  return rows[0]?.cell ?? null;
}

/** Accounts, newest first, from behind `afterId` on. */
export function listAccounts(
  connection: Connection,
  directory: Cell,
  page: { readonly afterId: string | null; readonly limit: number },
): Promise<Account[]> {
  return connection.rows(sql.accountList(directory), [page.afterId, page.limit]);
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
    const [account] = await tx.rows(sql.accountUpdate(cells[0]), [
      id,
      change.name ?? null,
      change.entitlements === undefined ? null : textArray(change.entitlements),
      change.demurrageAlerting ?? null,
    ]);
    if (account === undefined) return null;
    const home = cells[account.cell];
    if (home === undefined)
      throw new Error(`account ${id} lives in cell ${account.cell}, which there is not`);
    if (change.demurrageAlerting === true) await tx.rows(sql.accountArm(home), [id, new Date(atMs)]);
    if (change.demurrageAlerting === false) await tx.rows(sql.accountDisarm(home), [id]);
    return account;
  });
}
