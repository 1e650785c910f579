/** An answer as people read it: columns, or the sections of its view. */
import type { Columns, CommandView, Section } from "../model/command-view.ts";
import { display, facts, table, type Column } from "./print.ts";
import { fill, valueAt } from "./template.ts";

type Fields = Readonly<Record<string, unknown>>;

/** `hidden`: fields whose column would say the same in each row. */
export function rowsText(
  rows: readonly unknown[],
  { columns }: Pick<CommandView, "columns">,
  hidden: readonly string[] = [],
): string {
  return table(rows, columnsOf(columns ?? automatic(rows), hidden));
}

export function answerText(answer: unknown, { columns, sections = [{}] }: CommandView): string {
  if (columns !== undefined) return rowsText([answer], { columns });
  const named = new Set(sections.flatMap(({ of = "" }) => of.split(".")[0]!));
  const texts = sections.map((section) => sectionText(section, answer, named));
  return texts.filter((text) => text !== "").join("\n");
}

function sectionText(
  { of, facts: pairs, columns }: Section,
  answer: unknown,
  named: ReadonlySet<string>,
): string {
  const value = of === undefined ? answer : valueAt(answer, of);
  if (pairs !== undefined) return factsText(pairs, value);
  if (of === undefined) return restText(value as Fields, named);
  if (Array.isArray(value)) return value.length === 0 ? "" : rowsText(value, { ...(columns && { columns }) });
  if (typeof value === "string") return `${display(value)}\n`;
  return Object.entries((value ?? {}) as Fields)
    .map(([name, member]) => `${name}: ${display(String(member))}\n`)
    .join("");
}

/** Plain fields by their names, then each list as a table. */
function restText(answer: Fields, named: ReadonlySet<string>): string {
  const rest = Object.entries(answer).filter(([name]) => !named.has(name));
  const isTable = (value: unknown) => Array.isArray(value) && value.some((item) => typeof item === "object");
  const plain = rest.filter(([, value]) => !isTable(value)).map(([name]) => [name, name] as const);
  const tables = rest.flatMap(([, value]) => (isTable(value) ? [rowsText(value as object[], {})] : []));
  return [...(plain.length === 0 ? [] : [factsText(Object.fromEntries(plain), answer)]), ...tables].join(
    "\n",
  );
}

function factsText(pairs: Columns, value: unknown): string {
  const filled = Object.entries(pairs).map(([name, template]) => [name, fill(template, value)] as const);
  const shown = filled.filter(([name, text]) => !name.endsWith("?") || text !== null);
  return shown.length === 0 ? "" : facts(shown.map(([name, text]) => [name.replace(/\?$/, ""), text]));
}

function columnsOf(columns: Columns, hidden: readonly string[]): readonly Column<unknown>[] {
  return Object.entries(columns).flatMap(([heading, template]): readonly Column<unknown>[] => {
    if (hidden.includes(template)) return [];
    const value = (row: unknown) => fill(template, row);
    return heading.endsWith("?") ? [[heading.slice(0, -1), value, "unless empty"]] : [[heading, value]];
  });
}

/** The fields of the first row. */
function automatic(rows: readonly unknown[]): Columns {
  const names = Object.keys(rows[0] ?? {});
  return Object.fromEntries(names.map((name) => [`${name.replaceAll("_", " ").toUpperCase()}?`, name]));
}
