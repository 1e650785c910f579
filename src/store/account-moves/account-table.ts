/**
 * A table of cells that a product has for accounts, as its manifest declares it. Its rows move with an account and go
 * with it (versioned-tables.ts).
 *
 * Its primary key is `id uuid`, and `account_id uuid` references `accounts`. It takes no row for an account that is
 * `closed`: one moves, or goes.
 */
export type AccountTable = {
  readonly name: string;
  /** A column that changes whenever a row does. */
  readonly version: string;
  /** How many rows are some megabytes at the most; without it, a hundred. */
  readonly copiedMax?: number;
};
