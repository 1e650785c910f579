/** Fields of rows, for what tests compare. */

// oxlint-disable-next-line typescript/no-explicit-any -- of JSON, what is wrong with it, the assertions say
type Rows = any;

/** One field of each row. */
export const column = (rows: Rows, name: string): Rows[] => rows.map((row: Rows) => row[name]);

/** Some fields of each row. */
export const columns = (rows: Rows, ...names: readonly string[]): Rows[][] =>
  rows.map((row: Rows) => names.map((name) => row[name]));
