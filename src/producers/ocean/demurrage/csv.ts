/** Comma-separated values (RFC 4180), one record a line: quotes may hold commas and doubled quotes. */
export type CsvRecord = {
  /** Counted from 1, the heading included. */
  readonly line: number;
  /** Null: a quote is not closed, or text stands beside one. */
  readonly cells: readonly string[] | null;
};

/** The records of a text; empty lines are left out, and the mark that some programs begin with. */
export function csvRecords(text: string): readonly CsvRecord[] {
  return text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .map((record, index) => ({ line: index + 1, record }))
    .filter(({ record }) => record.trim() !== "")
    .map(({ line, record }) => ({ line, cells: cellsOf(record) }));
}

const CELL = /\s*(?:"((?:[^"]|"")*)"|([^",]*?))\s*(,|$)/y;

function cellsOf(record: string): readonly string[] | null {
  const cells: string[] = [];
  CELL.lastIndex = 0;
  for (;;) {
    const match = CELL.exec(record);
    if (match === null) return null;
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    if (match[3] === "") return cells;
  }
}
