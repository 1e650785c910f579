/** Reading from several cells of a kind, side by side. One cell is read as if there were no others. */
import { StoreUnavailable } from "../../model/errors.ts";
import { sideBySide } from "../../runtime/side-by-side.ts";
import type { Cell } from "../cell.ts";
import { CELLS_AT_ONCE_MAX } from "../in-cells.ts";
import type { KeyedCells } from "./product-cells.ts";

/** In the order of the cells. Rejects, once all have answered or failed, if one fails. */
export async function askCells<Answer>(
  cells: readonly Cell[],
  ask: (cell: Cell) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const asked = await sideBySide(cells, CELLS_AT_ONCE_MAX, ask);
  return asked.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
}

/** The first `limit` rows of all, each cell having listed its own in the same order. Equal rows stay as they come. */
export async function listFromCells<Row>(
  cells: readonly Cell[],
  compare: (one: Row, other: Row) => number,
  limit: number,
  list: (cell: Cell) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const [first, ...others] = cells;
  if (first !== undefined && others.length === 0) return list(first);
  return (await askCells(cells, list)).flat().toSorted(compare).slice(0, limit);
}

/** What one of the cells has, and which; null: none has it. Rejects only if it may be in a cell that fails. */
export async function findInCells<Found>(
  cells: readonly Cell[],
  find: (cell: Cell) => Promise<Found | null>,
): Promise<{ readonly cell: Cell; readonly found: Found } | null> {
  const asked = await sideBySide(cells, CELLS_AT_ONCE_MAX, find);
  for (const [index, one] of asked.entries()) {
    if (one.status === "fulfilled" && one.value !== null) return { cell: cells[index]!, found: one.value };
  }
  const failed = asked.find((one) => one.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return null;
}

/** All answers about an item, or why a cell that may hold it gave none. */
export type Asked<Answer> = readonly Answer[] | StoreUnavailable;

/** Asks each cell about the items that it may hold, and `ask` answers in their order. One that fails stops no other. */
export async function askHolders<Item, Answer>(
  keyed: KeyedCells,
  items: readonly Item[],
  keyOf: (item: Item) => string,
  ask: (cell: Cell, items: readonly Item[]) => Promise<readonly Answer[]>,
): Promise<readonly Asked<Answer>[]> {
  const holders = await keyed.holders(items.map(keyOf));
  const answers = items.map((): Answer[] => []);
  const failures = new Map<number, StoreUnavailable>();
  const asked = keyed.all.filter((cell) => holders.some((cells) => cells.includes(cell)));
  await askCells(asked, async (cell) => {
    const places = items.flatMap((_, place) => (holders[place]!.includes(cell) ? [place] : []));
    const its = places.map((place) => items[place]!);
    try {
      const given = await ask(cell, its);
      places.forEach((place, index) => answers[place]!.push(given[index]!));
    } catch (cause) {
      if (!(cause instanceof StoreUnavailable)) throw cause;
      for (const place of places) failures.set(place, cause);
    }
  });
  return answers.map((own, place) => failures.get(place) ?? own);
}

/** Throws where a cell gave no answer. */
export function answered<Answer>(asked: Asked<Answer>): readonly Answer[] {
  if (asked instanceof StoreUnavailable) throw asked;
  return asked;
}

type Key = readonly (string | number)[];

/** Compares rows by what they are listed by; texts by their code units. */
export function byKey<Row>(keyOf: (row: Row) => Key): (one: Row, other: Row) => number {
  return (one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)];
    const at = a.findIndex((part, index) => part !== b[index]);
    return at < 0 ? 0 : a[at]! < b[at]! ? -1 : 1;
  };
}
