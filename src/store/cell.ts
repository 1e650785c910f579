import { StoreUnavailable } from "../model/errors.ts";

/**
 * A cell is a schema that holds one complete set of tables. The directory beside the cells
 * says which account lives in which.
 */
export type Cell = {
  readonly number: number;
  /** The cell's schema, a plain lower-case identifier. */
  readonly schema: string;
  /** The directory's schema. */
  readonly directory: string;
};

/** All cells of an installation, in the order of their numbers. */
export type Cells = readonly [Cell, ...Cell[]];

/** The cell in which an account lives. Throws `StoreUnavailable` for one that this process does not know yet. */
export function cellNumbered(cells: readonly Cell[], number: number): Cell {
  const cell = cells[number];
  if (cell !== undefined) return cell;
  const message = `this process does not use cell ${number} yet, in which the account lives`;
  throw new StoreUnavailable(message, { commitUnknown: false, reason: "moved" });
}

/** `count` cells, one or more. */
export function cellsNamed(prefix: string, count: number): Cells {
  if (!/^[a-z][a-z0-9_]{0,40}$/.test(prefix)) throw new Error(`not a plain schema name: ${prefix}`);
  const cell = (number: number): Cell => ({ number, schema: `${prefix}_cell_${number}`, directory: prefix });
  return [cell(0), ...Array.from({ length: count - 1 }, (_, index) => cell(index + 1))];
}

/** The prefix of all schemas, unless a test asks for another. */
export const SCHEMA_PREFIX = "boathook";
