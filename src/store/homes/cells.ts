import { MINUTE_MS } from "../../runtime/durations.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import type { RowOf } from "../sql.ts";
import * as sql from "./statements.ts";

/** A cell as the directory has it: `server` is a name, empty for the directory's own server. */
export type ListedCell = RowOf<typeof sql.cellList>;

/** All cells, by number. */
export function listCells(db: Connection, directory: Cell): Promise<ListedCell[]> {
  return db.rows(sql.cellList(directory), []);
}

/** Lists the cell, unless it is listed. */
export async function insertCell(db: Connection, directory: Cell, number: number, server: string, at: Date) {
  await db.rows(sql.cellInsert(directory), [number, server, at]);
}

/** Lists cells up to `count`, each on the server with the fewest: the directory's own (""), or one of `servers`. */
export async function addMissingCells(
  db: Connection,
  directory: Cell,
  count: number,
  servers: readonly string[],
  at: Date,
): Promise<void> {
  const listed = (await listCells(db, directory)).map(({ server }) => server);
  for (let number = listed.length; number < count; number += 1) {
    const held = (server: string) => listed.filter((one) => one === server).length;
    const server = ["", ...servers].toSorted((one, other) => held(one) - held(other))[0]!;
    await insertCell(db, directory, number, server, at);
    listed.push(server);
  }
  // Also the cells that another command listed.
  await db.rows(sql.cellJoin(directory), [new Date(at.getTime() + JOIN_AFTER_MS)]);
}

/** Nodes know of a new cell for some time before references fall to it. */
const JOIN_AFTER_MS = MINUTE_MS;

/** Whether new accounts may go there. False: there is no such cell. */
export async function openCell(db: Connection, directory: Cell, number: number, open: boolean) {
  return (await db.rows(sql.cellOpen(directory), [number, open])).length > 0;
}

/** Records which server holds the cell from now on. False: there is no such cell. */
export async function placeCell(db: Connection, directory: Cell, number: number, server: string) {
  return (await db.rows(sql.cellPlace(directory), [number, server])).length > 0;
}

/** The open cell with the fewest accounts, or null. */
export function emptiest(cells: readonly ListedCell[]): ListedCell | null {
  const open = cells.filter((cell) => cell.open);
  return open.toSorted((one, other) => one.accounts - other.accounts)[0] ?? null;
}
