/** Comma-separated values (RFC 4180): quotes may hold separators, doubled quotes and line breaks. */
export type CsvRecord = {
  /** Of its first line, counted from 1, the heading included. */
  readonly line: number;
  /** Null: a quote is not closed, or text stands beside one, or it is longer than {@link RECORD_LENGTH_MAX}. */
  readonly cells: readonly string[] | null;
};

/** Characters. */
export const RECORD_LENGTH_MAX = 10_000;

/** Programs that write decimals with a comma separate by semicolons. */
export type Separator = "," | ";";

/**
 * The records of a text; those without anything in them are left out, and the mark that some programs begin with.
 * Where a quote is not closed, its line alone is wrong, and the next one is read on its own.
 */
export function* csvRecords(text: string, separator: Separator = ","): Generator<CsvRecord, void, undefined> {
  const cell = CELLS[separator];
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  let columns = Infinity;
  for (let at = 0; at < lines.length;) {
    const taken = isQuoteOpen(lines[at]!) ? linesOfRecord(lines, at, cell, columns) : 1;
    const cells = cellsOf(taken === 1 ? lines[at]! : lines.slice(at, at + taken).join("\n"), cell);
    const line = at + 1;
    at += taken;
    if (cells?.every((one) => one === "") === true) continue;
    if (columns === Infinity && cells !== null) columns = cells.length;
    yield { line, cells };
  }
}

/**
 * How many lines a record has whose first one leaves a quote open: 1 where no line closes it in time. A line that has
 * all columns by itself is a record of its own, and not inside somebody's quotes.
 */
function linesOfRecord(lines: readonly string[], from: number, cell: RegExp, columns: number): number {
  let length = lines[from]!.length;
  for (let at = from + 1; at < lines.length; at += 1) {
    const line = lines[at]!;
    length += 1 + line.length;
    if (length > RECORD_LENGTH_MAX) return 1;
    if (isQuoteOpen(line)) {
      const taken = at + 1 - from;
      return cellsOf(lines.slice(from, at + 1).join("\n"), cell) === null ? 1 : taken;
    }
    if ((cellsOf(line, cell)?.length ?? 0) >= columns) return 1;
  }
  return 1;
}

function isQuoteOpen(line: string): boolean {
  let isOpen = false;
  for (let at = line.indexOf('"'); at !== -1; at = line.indexOf('"', at + 1)) isOpen = !isOpen;
  return isOpen;
}

const CELLS: Readonly<Record<Separator, RegExp>> = {
  ",": /\s*"((?:[^"]|"")*)"\s*(,|$)|([^",]*)(,|$)/y,
  ";": /\s*"((?:[^"]|"")*)"\s*(;|$)|([^";]*)(;|$)/y,
};

function cellsOf(record: string, cell: RegExp): readonly string[] | null {
  if (record.length > RECORD_LENGTH_MAX) return null;
  const cells: string[] = [];
  cell.lastIndex = 0;
  for (;;) {
    const match = cell.exec(record);
    if (match === null) return null;
    const [, quoted, end, plain] = match;
    cells.push(quoted?.replaceAll('""', '"') ?? plain!.trim());
    if ((end ?? match[4]) === "") return cells;
  }
}
