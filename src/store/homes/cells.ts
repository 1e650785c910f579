import { MINUTE_MS } from "../../runtime/durations.ts";
import { ACCOUNT_CELLS_MAX, OF_ACCOUNTS, type Cell, type CellKind, type Cells } from "../cell.ts";
import type { Connection } from "../database.ts";
import type { RowOf } from "../sql.ts";
import { cellInsert, cellJoin, cellList, cellOpen } from "./cells.sql.ts";

/** A cell as the directory has it. */
export type ListedCell = RowOf<typeof cellList>;

export function cellListed({ directory }: Pick<Cell, "directory">, { kind, nth, number }: ListedCell): Cell {
  return { number, schema: `${directory}_${kind}_${nth}`, directory };
}

/** Those of a kind, of which there is one at least. */
export function cellsListed(directory: Cell, listed: readonly ListedCell[], kind = OF_ACCOUNTS): Cells {
  const cells = listed.filter((one) => one.kind === kind).map((one) => cellListed(directory, one));
  return [cells[0]!, ...cells.slice(1)];
}

/** Lists the cell, unless it is listed. New accounts go to it if it is `open`. */
export async function insertCell(
  db: Connection,
  directory: Cell,
  { number, open, kind = OF_ACCOUNTS }: NewCell,
  at: Date,
) {
  await cellInsert(db, directory, { number, open, at, kind });
}

type NewCell = Pick<ListedCell, "number" | "open"> & { readonly kind?: CellKind };

/** Lists cells of a kind up to `count`. Returns the numbers of the new ones. */
export async function addMissingCells(
  db: Connection,
  directory: Cell,
  count: number,
  at: Date,
  kind: CellKind = OF_ACCOUNTS,
  open = kind === OF_ACCOUNTS,
): Promise<readonly number[]> {
  const missing: number[] = [];
  for (;;) {
    // Read again each time: another process may draw the same number for another kind.
    const all = await cellList(db, directory);
    const own = all.filter((one) => one.kind === kind);
    if (own.length >= count) break;
    const next = Math.max(ACCOUNT_CELLS_MAX, ...all.map((one) => one.number + 1));
    const number = kind === OF_ACCOUNTS ? own.length : next;
    await insertCell(db, directory, { number, open, kind }, at);
    missing.push(number);
  }
  await joinCells(db, directory, at);
  return missing;
}

/** Soon references fall to all open cells. */
export async function joinCells(db: Connection, directory: Cell, at: Date): Promise<void> {
  await cellJoin(db, directory, at.getTime() + JOIN_AFTER_MS);
}

/** Nodes know of a new cell for some time before references fall to it. */
const JOIN_AFTER_MS = MINUTE_MS;

/** Whether new accounts may go there. False: accounts have no such cell. */
export async function openCell(db: Connection, directory: Cell, number: number, open: boolean) {
  return (await cellOpen(db, directory, { number, open })).length > 0;
}

/** The open cell with the fewest accounts, or null. Those of products are closed. */
export function emptiest(cells: readonly ListedCell[]): ListedCell | null {
  const open = cells.filter((cell) => cell.open);
  return open.toSorted((one, other) => one.accounts - other.accounts)[0] ?? null;
}
