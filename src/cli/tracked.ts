/** Where a thing that an account tracks is kept, for commands that name the account or the thing alone. */
import { readAccount } from "../store/accounts.ts";
import type { Cell } from "../store/cell.ts";
import { findShipmentOwner } from "../store/shipments-read.ts";
import { CommandRefused } from "./command.ts";
import { idOf } from "./options.ts";
import type { Opened } from "./with-store.ts";

export type Whose = { readonly id: string; readonly accountId: string; readonly cell: Cell };

export async function cellOf({ store, cells }: Opened, accountId: string): Promise<Cell> {
  const account = await readAccount(store.database, cells[0], accountId);
  const cell = account === null ? undefined : cells[account.cell];
  if (cell === undefined) throw new CommandRefused(`There is no account ${accountId}.`, 1);
  return cell;
}

/** An id alone does not say whose it is, nor in which cell. `what` it is the id of: "container". */
export async function ownerOf({ store, cells }: Opened, what: string, typed: string): Promise<Whose> {
  const id = idOf(`a ${what}`, typed);
  for (const cell of cells) {
    const accountId = await findShipmentOwner(store.database, cell, id);
    if (accountId !== null) return { id, accountId, cell };
  }
  throw thereIsNo(what, id);
}

export function thereIsNo(what: string, id: string): CommandRefused {
  return new CommandRefused(`There is no ${what} ${id}.`, 1);
}

/** The account that `--account` names. */
export function accountNamed(account: string | undefined): string {
  if (account === undefined)
    throw new CommandRefused("--account is missing: the id of one, as boathook accounts list shows it");
  return idOf("an account", account);
}
