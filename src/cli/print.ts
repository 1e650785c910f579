/** What commands print: JSON for scripts, columns for people. */
import type { ProcessContext } from "../runtime/process-context.ts";

export type CellValue = string | number | null;

/** `unless empty` leaves the column out where no row has anything in it. */
export type Column<Row> = readonly [
  heading: string,
  value: (row: Row) => CellValue,
  isShown?: "unless empty",
];

const NOTHING = "-";

/** One description of a resource for both: the rows as JSON, or the columns of the same rows. */
export function printRows<Row>(
  at: Pick<ProcessContext, "out">,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  json: boolean | undefined,
): void {
  at.out(json === true ? jsonText(rows) : table(rows, columns));
}

/** An answer as JSON, or a text of one or more lines without the last one's end. */
export function printAnswer(
  at: Pick<ProcessContext, "out">,
  answer: object,
  text: string,
  json: boolean | undefined,
): void {
  at.out(json === true ? jsonText(answer) : `${text}\n`);
}

/** Columns as wide as what they hold; numbers are flush right. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const filled = columns
    .map(([heading, value, isShown]) => ({
      isShown,
      cells: [heading, ...rows.map((row) => display(value(row)))],
    }))
    .filter(({ isShown, cells }) => isShown === undefined || cells.slice(1).some((cell) => cell !== NOTHING))
    .map(({ cells }) => aligned(cells));
  return ["", ...rows]
    .map(
      (_, line) =>
        `${filled
          .map((cells) => cells[line])
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

/** Names and values, one pair a line. */
export function facts(pairs: readonly (readonly [name: string, value: CellValue])[]): string {
  const names = aligned(pairs.map(([name]) => name));
  return pairs.map(([, value], line) => `${names[line]}  ${display(value)}\n`).join("");
}

function aligned(cells: readonly (string | number)[]): readonly string[] {
  const width = Math.max(...cells.map((cell) => String(cell).length));
  const isNumber = (cell: string | number) => typeof cell === "number" || DECIMAL.test(cell);
  return cells.map((cell) => (isNumber(cell) ? String(cell).padStart(width) : String(cell).padEnd(width)));
}

/** An amount, as text for its digits. */
const DECIMAL = /^-?\d+\.\d+$/;

const ISO_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z$/;

/** All but tabs and line ends: what others wrote moves no cursor and changes no colour. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Times to the second, UTC; the form that sorts. */
export function display(value: CellValue): string | number {
  if (typeof value === "number") return value;
  return value?.replace(ISO_TIME, "$1Z").replaceAll(CONTROL, "\ufffd") || NOTHING;
}

/** A JSON answer of a command: indented, for people read it as well; JSON leaves some controls as they are. */
export function jsonText(value: unknown): string {
  const escaped = (control: string): string => `\\u00${control.charCodeAt(0).toString(16)}`;
  return `${JSON.stringify(value, null, 2).replaceAll(/[\u007f-\u009f]/g, escaped)}\n`;
}
