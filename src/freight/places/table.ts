/** The tables beside this file: a line of names, then a row a line, its values between commas. */
import { readFileSync } from "node:fs";

/** The rows' values, in the order of `names`. Throws if a row is none, or the names are others. */
export function readTable(file: string, names: readonly string[]): readonly (readonly string[])[] {
  const [head, ...rows] = readFileSync(new URL(file, import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
  if (head !== names.join(",")) throw new Error(`${file} has other columns: ${head}`);
  return rows.map((row) => {
    const values = row.split(",");
    if (values.length !== names.length) throw new Error(`${file} has a row that is none: ${row}`);
    return values;
  });
}
