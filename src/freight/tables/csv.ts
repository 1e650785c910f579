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
 * The records of a text, without the mark that some programs begin with; null for one without anything in it, to be left
 * out. Where a quote is not closed, its line alone is wrong, and the next one is read on its own.
 */
export function* csvRecords(
  text: string,
  separator: Separator = ",",
): Generator<CsvRecord | null, void, undefined> {
  const cell = CELLS[separator];
  const lines = linesOf(text.replace(/^\uFEFF/, ""));
  let columns = Infinity;
  for (let line = 1; ;) {
    const first = lines.at(0);
    if (first === undefined) return;
    const taken = isQuoteOpen(first) ? linesOfRecord(lines, cell, columns) : 1;
    const cells = cellsOf(lines.take(taken), cell);
    const isEmpty = cells?.every((one) => one === "") === true;
    if (!isEmpty && columns === Infinity && cells !== null) columns = cells.length;
    yield isEmpty ? null : { line, cells };
    line += taken;
  }
}

/** The lines of a text as they are needed: to split a long text holds the event loop. */
type Lines = {
  /** The line so many lines ahead; undefined behind the last. */
  readonly at: (ahead: number) => string | undefined;
  readonly take: (count: number) => string;
};

function linesOf(text: string): Lines {
  const lineBreak = /\r\n?|\n/g;
  const ahead: string[] = [];
  let from: number | null = 0;
  return {
    at(index) {
      while (from !== null && ahead.length <= index) {
        lineBreak.lastIndex = from;
        const found = lineBreak.exec(text);
        ahead.push(text.slice(from, found?.index));
        from = found === null ? null : lineBreak.lastIndex;
      }
      return ahead[index];
    },
    take: (count) => ahead.splice(0, count).join("\n"),
  };
}

/**
 * How many lines a record has whose first one leaves a quote open: 1 where no line closes it in time. A line that has
 * all columns by itself is a record of its own, and not inside somebody's quotes.
 */
function linesOfRecord(lines: Lines, cell: RegExp, columns: number): number {
  let record = lines.at(0)!;
  for (let ahead = 1; ; ahead += 1) {
    const line = lines.at(ahead);
    if (line === undefined || record.length + 1 + line.length > RECORD_LENGTH_MAX) return 1;
    record += `\n${line}`;
    if (isQuoteOpen(line)) return cellsOf(record, cell) === null ? 1 : ahead + 1;
    if ((cellsOf(line, cell)?.length ?? 0) >= columns) return 1;
  }
}

/** A line that is too long for a record opens nothing. */
function isQuoteOpen(line: string): boolean {
  if (line.length > RECORD_LENGTH_MAX) return false;
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
