/** `npm run drill:table -- <folder>`: writes the table of docs/faults.md from the results of `npm run drill:faults`. */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { ALL } from "./all.ts";
import { readRules } from "./prometheus.ts";
import type { Place, Seen } from "./watch.ts";

type Result = Seen & { readonly name: string };

const PAGE = join(import.meta.dirname, "..", "..", "docs", "faults.md");
const [, , folder = "drills"] = process.argv;
const { rules } = readRules();

const results = new Map(
  globSync(join(folder, "*.json")).map((file) => {
    const result = JSON.parse(readFileSync(file, "utf8")) as Result;
    return [result.name, result] as const;
  }),
);

const COLUMNS: readonly (readonly [head: string, cell: (result: Result) => string])[] = [
  ["Fault", ({ name }) => name],
  ["`/readyz`", (result) => shown(result, "readyz")],
  ["Alert", alert],
  ["Metric `boathook_…`", (result) => shown(result, "metric", metricName)],
  ["Log", log],
  ["Command", (result) => shown(result, "command")],
];

function shown({ shown: found }: Result, place: Place, brief = (text: string) => text): string {
  const one = found[place];
  return one === undefined ? "" : `${inCell(brief(one.text))}: ${seconds(one.seconds)}`;
}

/** With what the shipped rule waits for beyond the drill's. */
function alert({ shown: found }: Result): string {
  if (found.alert === undefined) return "";
  const { laterSeconds, forSeconds } = rules.get(found.alert.text)!;
  const waits = forSeconds === 0 ? "" : ` + ${forSeconds / 60} min`;
  return `${found.alert.text.replace("Boathook", "")}: ${seconds(found.alert.seconds + laterSeconds)}${waits}`;
}

function log(result: Result): string {
  const lines = Object.values(result.lines).reduce((sum, count) => sum + count, 0);
  return shown(result, "log") + (lines > 1 ? ` (${lines} lines)` : "");
}

const metricName = (text: string): string => `\`${text.replace(/^boathook_/, "").replace(/ \S+$/, "")}\``;

const inCell = (text: string): string => text.trim().replaceAll(/\s+/g, " ").replaceAll("|", "\\|");

const seconds = (count: number): string => (count < 1 ? "<1 s" : `${Math.round(count)} s`);

function tableOf(group: string): string {
  const rows = (ALL[group] ?? []).flatMap(({ name }) => results.get(name) ?? []);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const lines = [
    line(COLUMNS.map(([head]) => head)),
    line(COLUMNS.map(() => "---")),
    ...rows.map((result) => line(COLUMNS.map(([, cell]) => cell(result)))),
  ];
  return `## ${group}\n\n${lines.join("\n")}\n`;
}

const [intro] = readFileSync(PAGE, "utf8").split(/^## /m);
writeFileSync(PAGE, intro + Object.keys(ALL).map(tableOf).join("\n"));
