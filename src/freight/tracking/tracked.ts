/** Where a thing that an account tracks is kept, for commands that name the account or the thing alone. */
import { readUuid } from "../../model/uuid.ts";
import { readAccount } from "../../store/accounts/accounts.ts";
import type { Cell } from "../../store/cell.ts";
import { findShipmentOwner, findShipmentOwners } from "./store/shipments-read.ts";
import { CommandRefused } from "../../cli/command.ts";
import { idOf } from "../../cli/options.ts";
import type { Opened } from "../../service/commands/with-store.ts";

export type Whose = { readonly id: string; readonly accountId: string; readonly cell: Cell };

export async function cellOf({ store, cells }: Opened, accountId: string): Promise<Cell> {
  const account = await readAccount(store.database, cells[0], accountId);
  const cell = account === null ? undefined : cells[account.cell];
  if (cell === undefined) throw new CommandRefused(`There is no account ${accountId}.`, 1);
  return cell;
}

/** What can be tracked: how it is called, and how its reference is read. */
export type Trackable = {
  /** "container". */
  readonly what: string;
  readonly product: string;
  /** What it is named by other than its id: "reference". */
  readonly named: string;
  readonly read: (
    typed: string,
  ) => { readonly text: string } | { readonly kind: "invalid"; readonly message: string };
};

/** The one of that id or reference; `account` narrows a reference to one account's. */
export async function ownerOf(
  opened: Opened,
  trackable: Trackable,
  typed: string,
  account: string | undefined,
): Promise<Whose> {
  const found = await candidates(opened, trackable, typed);
  const accountId = account === undefined ? null : accountNamed(account);
  const theirs = found.filter((one) => accountId === null || one.accountId === accountId);
  const [whose] = theirs;
  if (whose === undefined) throw thereIsNo(trackable.what, typed);
  if (theirs.length === 1) return whose;
  const ids = theirs.map((one) => one.accountId).join(", ");
  throw new CommandRefused(`${typed} is tracked by several accounts: name one with --account (${ids}).`);
}

/** Accounts that track one reference and are named. */
const OWNERS_MAX = 1_000;

/** An id or a reference alone does not say whose it is, nor in which cell. */
async function candidates(
  { store: { database }, cells }: Opened,
  { what, product, named, read }: Trackable,
  typed: string,
): Promise<readonly Whose[]> {
  const id = readUuid(typed);
  if (id !== null) {
    for (const cell of cells) {
      const accountId = await findShipmentOwner(database, cell, id);
      if (accountId !== null) return [{ id, accountId, cell }];
    }
    return [];
  }
  const reference = read(typed);
  if ("message" in reference) {
    throw new CommandRefused(`"${typed}" is not the id of a ${what}, nor its ${named}: ${reference.message}`);
  }
  const owners = await Promise.all(
    cells.map(async (cell) =>
      (await findShipmentOwners(database, cell, product, reference.text, OWNERS_MAX)).map((one) => ({
        ...one,
        cell,
      })),
    ),
  );
  return owners.flat();
}

/** Narrows a reference that several accounts track. */
export const ACCOUNT_OPTION = {
  type: "string",
  value: "id",
  about: "whose, where several accounts track it",
} as const;

export function thereIsNo(what: string, id: string): CommandRefused {
  return new CommandRefused(`There is no ${what} ${id}.`, 1);
}

/** The account that `--account` names. */
export function accountNamed(account: string | undefined): string {
  if (account === undefined)
    throw new CommandRefused("--account is missing: the id of one, as boathook accounts list shows it");
  return idOf("an account", account);
}
