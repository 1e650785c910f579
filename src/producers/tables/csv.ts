/** Comma-separated values (RFC 4180), one record a line: quotes may hold separators and doubled quotes. */
export type CsvRecord = {
  /** Counted from 1, the heading included. */
  readonly line: number;
  /** Null: a quote is not closed, or text stands beside one, or the line is longer than {@link LINE_LENGTH_MAX}. */
  readonly cells: readonly string[] | null;
};

export const LINE_LENGTH_MAX = 10_000;

/** Programs that write decimals with a comma separate by semicolons. */
export type Separator = "," | ";";

/** The records of a text; empty lines are left out, and the mark that some programs begin with. */
export function csvRecords(text: string, separator: Separator = ","): readonly CsvRecord[] {
  const cell = CELLS[separator];
  return text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .map((record, index) => ({ line: index + 1, record }))
    .filter(({ record }) => record.trim() !== "")
    .map(({ line, record }) => ({
      line,
      cells: record.length > LINE_LENGTH_MAX ? null : cellsOf(record, cell),
    }));
}

const CELLS: Readonly<Record<Separator, RegExp>> = {
  ",": /\s*(?:"((?:[^"]|"")*)"|([^",]*?))\s*(,|$)/y,
  ";": /\s*(?:"((?:[^"]|"")*)"|([^";]*?))\s*(;|$)/y,
};

function cellsOf(record: string, cell: RegExp): readonly string[] | null {
  const cells: string[] = [];
  cell.lastIndex = 0;
  for (;;) {
    const match = cell.exec(record);
    if (match === null) return null;
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    if (match[3] === "") return cells;
  }
}
