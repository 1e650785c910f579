/** What the commands over tracked shipments share: finding one by what a person types, and its end. */
import { action, CommandError, type CommandFactory } from "../../cli/command.ts";
import type { OpenedStore } from "../../cli/context.ts";
import { JSON_OPTION, uuid } from "../../cli/options.ts";
import { printAnswer } from "../../cli/print.ts";
import { readUuid } from "../../model/uuid.ts";
import { accountRead } from "../../store/accounts/accounts.sql.ts";
import type { Cell } from "../../store/cell.ts";
import { findShipmentOwner, findShipmentOwners } from "./store/shipments-read.ts";
import { deleteShipment } from "./store/shipments.ts";

/** For `.requiredOption(...OF_ACCOUNT)`. */
export const OF_ACCOUNT = ["--account <id>", "whose: an id that boathook accounts list shows", uuid] as const;

/** For `.option(...WHERE_SEVERAL)`. */
export const WHERE_SEVERAL = ["--account <id>", "whose, where several accounts track it", uuid] as const;

/** What can be tracked: how it is called, and how its reference is read. */
export type Trackable = {
  /** "container". */
  readonly noun: string;
  readonly product: string;
  /** What it is named by other than its id: "reference". */
  readonly referenceNoun: string;
  /** A reference as a person would type it. */
  readonly example: string;
  readonly read: (
    typed: string,
  ) => { readonly text: string } | { readonly kind: "invalid"; readonly message: string };
};

export type FoundShipment = { readonly id: string; readonly accountId: string; readonly cell: Cell };

export async function cellOf({ database, cells }: OpenedStore, accountId: string): Promise<Cell> {
  const account = await accountRead(database, cells[0], accountId);
  const cell = account === null ? undefined : cells[account.cell];
  if (cell === undefined) throw notFound("account", accountId);
  return cell;
}

/** The one of that id or reference; `accountId` narrows a reference to one account's. */
export async function findShipment(
  opened: OpenedStore,
  trackable: Trackable,
  typed: string,
  accountId: string | undefined,
): Promise<FoundShipment> {
  const all = await findShipments(opened, trackable, typed);
  const found = all.filter((one) => accountId === undefined || one.accountId === accountId);
  const [shipment] = found;
  if (shipment === undefined) throw notFound(trackable.noun, typed);
  if (found.length === 1) return shipment;
  const ids = found.map((one) => one.accountId).join(", ");
  throw new CommandError(`Several accounts track ${typed}: name one with --account (${ids}).`);
}

/** Accounts that track one reference and are named. */
const OWNERS_MAX = 1_000;

/** Neither an id nor a reference says whose it is, nor in which cell. */
async function findShipments(
  { database, cells }: OpenedStore,
  { noun, product, referenceNoun, read }: Trackable,
  typed: string,
): Promise<readonly FoundShipment[]> {
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
  const { text } = reference;
  const found = await Promise.all(
    cells.map(async (cell) => {
      const owners = await findShipmentOwners(database, cell, product, text, OWNERS_MAX);
      return owners.map((owner) => ({ ...owner, cell }));
    }),
  );
  return found.flat();
}

export function notFound(noun: string, id: string): CommandError {
  return new CommandError(`There is no ${noun} ${id}.`, 1);
}

export function stopCommand(trackable: Trackable): CommandFactory {
  const { noun, product, referenceNoun, example } = trackable;
  return (at) =>
    action(
      "stop",
      `Stop tracking a ${noun}. Its record is deleted; events that were raised are still delivered.`,
      `boathook ${noun}s stop ${example}`,
    )
      .argument(`<${referenceNoun}>`)
      .option(...WHERE_SEVERAL)
      .option(...JSON_OPTION)
      .action(async (typed, { account, json }) => {
        const opened = await at.open();
        const { id, accountId, cell } = await findShipment(opened, trackable, typed, account);
        if (!(await deleteShipment(opened.database, cell, { product, accountId }, id)))
          throw notFound(noun, id);
        printAnswer(at, { id, deleted: true }, `Tracking of ${id} has stopped.`, json);
      });
}
