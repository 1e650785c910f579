/**
 * The cells of a product's record, and which of them holds the rows of a key: of a carrier, or of a trade lane. A key's hash
 * names one of 1,024 slots. The first row of a slot places it, in the cell with the fewest, and there it stays: a cell
 * that is added takes slots that have no rows yet (docs/decisions/store-product-cells.md).
 */
import { createHash } from "node:crypto";

import { StoreUnavailable } from "../../model/errors.ts";
import { int4Array } from "../binary.ts";
import type { Cell, CellKind, Cells } from "../cell.ts";
import type { Connection } from "../database.ts";
import * as sql from "./statements.ts";

export type KeyedCells = {
  readonly all: Cells;
  /**
   * The cells that hold rows of each key: one or none. All where the directory cannot say, and where there is only one;
   * null is any key.
   */
  holders(keys: readonly (string | null)[]): Promise<readonly (readonly Cell[])[]>;
  /** What is to be written, by the cell that holds its key from now on. */
  place<Item>(
    items: readonly Item[],
    keyOf: (item: Item) => string,
  ): Promise<ReadonlyMap<Cell, readonly Item[]>>;
};

export type ProductCells = {
  /** Those of the product with this tag, which has migrations of a record. */
  of(tag: string): KeyedCells;
  readonly all: readonly Cell[];
};

/** By tag. */
export function createProductCells(
  db: Connection,
  cells: readonly (readonly [tag: string, Cells])[],
): ProductCells {
  const byTag = new Map(cells.map(([tag, some]) => [tag, createKeyedCells(db, tag, some)]));
  return { of: (tag) => byTag.get(tag)!, all: cells.flatMap(([, some]) => some) };
}

const SLOTS = 1_024;

/** As the migrations of records place what was there before. */
export function slotOf(key: string): number {
  return Number.parseInt(createHash("md5").update(key).digest("hex").slice(0, 8), 16) % SLOTS;
}

function createKeyedCells(db: Connection, kind: CellKind, all: Cells): KeyedCells {
  const byNumber = new Map(all.map((cell) => [cell.number, cell]));
  const placed = new Map<number, number>();

  function cellOf(slot: number): Cell {
    const cell = byNumber.get(placed.get(slot)!);
    if (cell !== undefined) return cell;
    const message = `a cell of ${kind} was added: restart this process`;
    throw new StoreUnavailable(message, { reason: "moved", commitUnknown: false });
  }

  async function read(): Promise<void> {
    for (const { slot, cell } of await db.rows(sql.slotList(all[0]), [kind])) placed.set(slot, cell);
  }

  async function tryToRead(): Promise<boolean> {
    try {
      await read();
      return true;
    } catch (cause) {
      if (!(cause instanceof StoreUnavailable)) throw cause;
      return false;
    }
  }

  async function placeSlots(wanted: readonly number[]): Promise<void> {
    const isUnknown = (slot: number) => !placed.has(slot);
    if (!wanted.some(isUnknown)) return;
    await read();
    const slots = wanted.filter(isUnknown);
    if (slots.length === 0) return;
    const held = all.map(({ number }) => [...placed.values()].filter((cell) => cell === number).length);
    const cells = slots.map(() => {
      const emptiest = held.indexOf(Math.min(...held));
      held[emptiest]! += 1;
      return all[emptiest]!.number;
    });
    await db.rows(sql.slotInsert(all[0]), [kind, int4Array(slots), int4Array(cells)]);
    // Another node may have been first.
    await read();
  }

  return {
    all,
    async holders(keys) {
      const slots = keys.map((key) => (key === null || all.length === 1 ? null : slotOf(key)));
      const isUnknown = slots.some((slot) => slot !== null && !placed.has(slot));
      const isRead = !isUnknown || (await tryToRead());
      return slots.map((slot) => {
        if (slot === null) return all;
        return placed.has(slot) ? [cellOf(slot)] : isRead ? [] : all;
      });
    },
    async place(items, keyOf) {
      const slots = new Map([...new Set(items.map(keyOf))].map((key) => [key, slotOf(key)]));
      await placeSlots([...new Set(slots.values())]);
      return Map.groupBy(items, (item) => cellOf(slots.get(keyOf(item))!));
    },
  };
}
