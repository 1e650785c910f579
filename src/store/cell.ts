import { StoreUnavailable } from "../model/errors.ts";

/**
 * A cell is a schema that holds one complete set of tables: of accounts, or of the record of a product. The directory
 * beside the cells says which account lives in which.
 */
export type Cell = {
  /** Of its kind or another, no other cell has it. Those of accounts have the numbers from 0 on without a gap. */
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

/** `cell`: of accounts; else the tag of the product whose record they hold. */
export type CellKind = string;

export const OF_ACCOUNTS: CellKind = "cell";

/** Numbers of products' cells begin here; accounts have so many cells at most (migrations/directory/016_product_cells.sql). */
export const ACCOUNT_CELLS_MAX = 256;

/** `count` cells, one or more. Those of a product get the numbers that they would have if there were no other product. */
export function cellsNamed(prefix: string, count: number, kind = OF_ACCOUNTS): Cells {
  if (!/^[a-z][a-z0-9_]{0,40}$/.test(prefix)) throw new Error(`not a plain schema name: ${prefix}`);
  const first = kind === OF_ACCOUNTS ? 0 : ACCOUNT_CELLS_MAX;
  const cell = (nth: number): Cell => ({
    number: first + nth,
    schema: `${prefix}_${kind}_${nth}`,
    directory: prefix,
  });
  return [cell(0), ...Array.from({ length: count - 1 }, (_, index) => cell(index + 1))];
}

/** Whose tables the cell holds, as its schema's name says (`cellsNamed`), also while it moves. */
export function kindOf({ schema, directory }: Cell): CellKind {
  return schema.slice(directory.length + 1).replace(/_\d+(?:_[a-z]+)?$/, "");
}

/** As people name it: `0`, of accounts; `schedules_0`, of a product. */
export function nameOfCell({ schema, directory }: Cell): string {
  return schema.slice(directory.length + 1).replace(/^cell_/, "");
}

/** The directory as statements take it that are of any schema with an outbox. */
export function directoryOf({ directory }: Cell): Cell {
  return { number: 0, schema: directory, directory };
}

/** The prefix of all schemas, unless a test asks for another. */
export const SCHEMA_PREFIX = "boathook";
