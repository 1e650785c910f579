/** Rows in columns, as wide as what they hold; a column of numbers is flush right. */
export function table(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => String(row[column]).length)),
  );
  const line = (cells: readonly (string | number)[]) =>
    cells
      .map((cell, column) =>
        typeof cell === "number" ? String(cell).padStart(widths[column]!) : cell.padEnd(widths[column]!),
      )
      .join("  ")
      .trimEnd();
  return [headings, ...rows].map(line).join("\n") + "\n";
}

/** Text to the second, UTC; the form that sorts. */
export function timeText(time: Date | null): string {
  return time === null ? "-" : time.toISOString().replace(/\.\d+Z$/, "Z");
}

/** A JSON answer of a command: indented, for people read it as well. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
