/** The results as a table in Markdown, aligned so that a terminal can show it as it is. */
import type { Result } from "./result.ts";

const HEAD = ["Figure", "Measured", "Beside", "To reach", ""];

export function tableOf(results: readonly Result[]): string {
  return table(
    HEAD,
    results.map(({ figure, measured, baseline, target, reached }) => [
      figure,
      measured,
      baseline,
      target,
      reached ? "reached" : "missed",
    ]),
  );
}

export function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const rows = [head, ...body];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  return [
    line(rows[0]!),
    `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`,
    ...rows.slice(1).map(line),
  ].join("\n");
}
