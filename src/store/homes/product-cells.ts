/** The cells of products: each that has migrations of a record has one, with all of its tables and an outbox. */
import type { Cell } from "../cell.ts";

export type ProductCells = {
  /** That of the product with this tag. */
  of(tag: string): Cell;
  readonly all: readonly Cell[];
};

export function createProductCells(cells: ReadonlyMap<string, Cell>): ProductCells {
  return { of: (tag) => cells.get(tag)!, all: [...cells.values()] };
}
