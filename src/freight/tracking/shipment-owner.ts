/** Finds the cell of what an account tracks, for commands that name only the account or the thing. */
import { readUuid } from "../../model/uuid.ts";
import { readAccount } from "../../store/accounts/accounts.ts";
import type { Cell, Cells } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";
import { findShipmentOwner, findShipmentOwners } from "./store/shipments-read.ts";
import { CommandError } from "../../cli/command.ts";
import { parseId } from "../../cli/options.ts";

/** An open store, and its cells. */
type OpenStore = { readonly store: { readonly database: Connection }; readonly cells: Cells };

export type ShipmentOwner = { readonly id: string; readonly accountId: string; readonly cell: Cell };

export async function cellOf({ store, cells }: OpenStore, accountId: string): Promise<Cell> {
  const account = await readAccount(store.database, cells[0], accountId);
  const cell = account === null ? undefined : cells[account.cell];
  if (cell === undefined) throw new CommandError(`There is no account ${accountId}.`, 1);
  return cell;
}

/** What a product tracks: what it is called, and how its reference is read. */
export type Trackable = {
  /** "container". */
  readonly noun: string;
  readonly product: string;
  /** What names it beside its id: "reference". */
  readonly referenceNoun: string;
  readonly read: (
    typed: string,
  ) => { readonly text: string } | { readonly kind: "invalid"; readonly message: string };
};

/** The one of that id or reference; `account` names one of several accounts that track the reference. */
export async function findOwner(
  opened: OpenStore,
  trackable: Trackable,
  typed: string,
  account: string | undefined,
): Promise<ShipmentOwner> {
  const found = await findOwners(opened, trackable, typed);
  const accountId = account === undefined ? null : requireAccountId(account);
  const theirs = found.filter((one) => accountId === null || one.accountId === accountId);
  const [whose] = theirs;
  if (whose === undefined) throw notFound(trackable.noun, typed);
  if (theirs.length === 1) return whose;
  const ids = theirs.map((one) => one.accountId).join(", ");
  throw new CommandError(`${typed} is tracked by several accounts: name one with --account (${ids}).`);
}

/** Accounts that track one reference. */
const OWNERS_MAX = 1_000;

async function findOwners(
  { store: { database }, cells }: OpenStore,
  { noun, product, referenceNoun, read }: Trackable,
  typed: string,
): Promise<readonly ShipmentOwner[]> {
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
    throw new CommandError(
      `"${typed}" is not the id of a ${noun}, nor its ${referenceNoun}: ${reference.message}`,
    );
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

export function notFound(what: string, id: string): CommandError {
  return new CommandError(`There is no ${what} ${id}.`, 1);
}

/** The account that `--account` names. */
export function requireAccountId(account: string | undefined): string {
  if (account === undefined)
    throw new CommandError("--account is missing: the id of one, as boathook accounts list shows it");
  return parseId("an account", account);
}
