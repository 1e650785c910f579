import type { Account } from "../../model/account.ts";
import { accountClosed, STORE_FAULTS, StoreUnavailable } from "../../model/errors.ts";
import type { PageRequest } from "../../model/page-request.ts";
import { cellNumbered, directoryOf, type Cell, type Cells } from "../cell.ts";
import type { Connection, Database } from "../database.ts";
import { emptiest } from "../homes/cells.ts";
import { cellList } from "../homes/cells.sql.ts";
import { insertChange } from "./changes.ts";
import { writeMessages, type MessageHandlers } from "../outbox/outbox.ts";
import {
  accountArm,
  accountCell,
  accountDisarm,
  accountInsert,
  accountInsertHome,
  accountList,
  accountNames,
  accountOpen,
  accountUpdate,
} from "./accounts.sql.ts";

/** The fields of an account to change. */
export type AccountChange = {
  readonly name?: string | undefined;
  /** Null: none from now on. */
  readonly email?: string | null | undefined;
  readonly entitlements?: readonly string[] | undefined;
  readonly demurrageAlerting?: boolean | undefined;
};

/**
 * The cell that a new account lives in: the open one with the fewest accounts, of the cells that this process knows. Throws
 * `StoreUnavailable` while none is open.
 */
export async function chooseCell(db: Connection, cells: Cells): Promise<Cell> {
  const listed = await cellList(db, cells[0]);
  const chosen = emptiest(listed.filter(({ number }) => cells[number] !== undefined));
  if (chosen === null)
    throw new StoreUnavailable(STORE_FAULTS.no_open_cell, { commitUnknown: false, reason: "no_open_cell" });
  return cells[chosen.number]!;
}

/** Inserts the account into its cell first: one that is interrupted leaves a row that nobody finds. */
export async function insertAccount(db: Connection, home: Cell, account: Account): Promise<void> {
  const { id, name, email = null, entitlements, demurrageAlerting, cell, createdAt } = account;
  await accountInsertHome(db, home, id);
  const about = { id, name, email, entitlements, demurrageAlerting };
  await accountInsert(db, home, { ...about, number: cell, createdAt });
}

/** By id; an id of no account is left out. */
export async function readAccountNames(db: Connection, directory: Cell, ids: readonly string[]) {
  const rows = await accountNames(db, directory, ids);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The cell number of an account, or null when there is no such account. */
export async function cellOfAccount(db: Connection, cell: Cell, accountId: string) {
  return (await accountCell(db, cell, accountId))?.cell ?? null;
}

export function listAccounts(db: Connection, directory: Cell, { afterId, limit }: PageRequest) {
  return accountList(db, directory, { afterId, limit });
}

/**
 * Returns the changed account, or null when there is none. Demurrage alerting is armed or disarmed in the account's
 * cell soon after (`Forwarder.wake`); arming an armed account keeps the time from which it is armed.
 */
export async function updateAccount(
  database: Database,
  cells: Cells,
  id: string,
  change: AccountChange,
  atMs: number,
): Promise<Account | null> {
  return database.transaction(async (tx) => {
    const { name = null, demurrageAlerting = null } = change;
    const entitlements = change.entitlements === undefined ? null : change.entitlements;
    const email = change.email === undefined ? null : (change.email ?? "");
    const changed = { id, name, email, entitlements, demurrageAlerting };
    const account = await accountUpdate(tx, cells[0], changed);
    if (account === null) return null;
    const home = cellNumbered(cells, account.cell);
    if (demurrageAlerting !== null) {
      const arming: Arming = { accountId: id, armed: demurrageAlerting, atMs };
      await writeMessages(tx, directoryOf(home), [home], ARMING, [JSON.stringify(arming)], atMs);
    }
    await insertChange(tx, cells[0], { kind: "account", subject: id }, new Date(atMs));
    return account;
  });
}

/** Throws `StoreUnavailable` if the account is closed in the cell. */
export async function requireOpen(db: Connection, cell: Cell, accountId: string): Promise<void> {
  if ((await accountOpen(db, cell, accountId)).length === 0) throw accountClosed();
}

export const ARMING = "account_arming";

type Arming = { readonly accountId: string; readonly armed: boolean; readonly atMs: number };

/**
 * Messages of one account are numbered under the lock of its row, so the greatest number is its last change. The cell
 * keeps that number and passes over the others.
 */
export const accountMessages: MessageHandlers = {
  async [ARMING](db, cell, payload, id) {
    const { accountId, armed, atMs } = JSON.parse(payload) as Arming;
    if (armed) await accountArm(db, cell, { accountId, at: atMs, id });
    else await accountDisarm(db, cell, { accountId, id });
  },
};
