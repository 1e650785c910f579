/** Tables in requests, and in the files that commands send. */
import type { TableFormat } from "./rows.ts";

/** By media type. */
export const TABLE_FORMATS: Readonly<Record<string, TableFormat>> = {
  "text/csv": "csv",
  "application/json": "json",
};

/** Media types, by the ending of a file's name. */
export const TABLE_FILES = { csv: "text/csv", json: "application/json" };

/** `line` is that of a row; null: of the whole table. */
export type TableProblem = { readonly line: number | null; readonly message: string };

/** Problems that a response lists; it counts all. A command has the whole file, and lists all of them. */
const PROBLEMS_IN_RESPONSE_MAX = 1_000;
/** Problems that the message of a refusal repeats. */
const PROBLEMS_IN_MESSAGE_MAX = 10;

export function listed<Problem>(
  problems: readonly Problem[],
  { takesFiles }: { readonly takesFiles?: true },
): readonly Problem[] {
  return takesFiles === true ? problems : problems.slice(0, PROBLEMS_IN_RESPONSE_MAX);
}

export function problemsText(problems: readonly TableProblem[]): string {
  const shown = problems
    .slice(0, PROBLEMS_IN_MESSAGE_MAX)
    .map(({ line, message }) => (line === null ? message : `line ${line}: ${message}`));
  const more = problems.length - shown.length;
  return [...shown, ...(more === 0 ? [] : [`and ${more} more`])].join(" | ");
}
