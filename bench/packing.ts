/**
 * `npm run bench:packing`: how full one container gets on the test problems BR1 to BR15 of the container loading
 * problem, beside what has been published. `--quick`: ten problems of each set; `--units <n>`: the work allowed a
 * problem, by default what the service allows one container. Fill is the same on every machine; time is this process's
 * own on one core, whatever else the machine does.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { FILL_STEPS_MAX } from "../src/products/loading/planning/load-plan.ts";
import { fillRoom } from "../src/products/loading/planning/packing/search.ts";
import { instance, PROBLEMS, SETS } from "./packing/instances.ts";
import { itemsOf, ROOM } from "./packing/items.ts";
import { PUBLISHED } from "./packing/published.ts";
import { describe, thisMachine } from "./report/machine.ts";
import { sampleOf, type Sample } from "./report/statistics.ts";

const QUICK_PROBLEMS = 10;
const ROOM_VOLUME = ROOM.length * ROOM.width * ROOM.height;

type SetResult = {
  readonly set: string;
  readonly fills: readonly number[];
  readonly fill: number;
  readonly processorMs: Sample;
};

function measure(set: string, problems: number, unitsMax: number): SetResult {
  const fills: number[] = [];
  const times: number[] = [];
  for (let problem = 1; problem <= problems; problem += 1) {
    const items = itemsOf(instance(set, problem));
    const before = process.cpuUsage();
    const { volume } = fillRoom(items, ROOM, unitsMax, { steps: 0 });
    const { user, system } = process.cpuUsage(before);
    fills.push((100 * volume) / ROOM_VOLUME);
    times.push((user + system) / 1_000);
  }
  return { set, fills, fill: mean(fills), processorMs: sampleOf(times) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.padStart(10)).join(" | ")} |`;
}

function tableOf(results: readonly SetResult[]): string {
  const names = PUBLISHED.map(({ name }) => name);
  const lines = results.map(({ set, fill, fills, processorMs }) =>
    row([
      set,
      fill.toFixed(2),
      Math.min(...fills).toFixed(2),
      `${processorMs.median.toFixed(0)} ms`,
      ...PUBLISHED.map((others) => others.fill[set]?.toFixed(2) ?? "not read"),
    ]),
  );
  const average = row([
    "BR1 to 7",
    mean(results.filter(({ set }) => set in PUBLISHED[0]!.fill).map(({ fill }) => fill)).toFixed(2),
    "",
    "",
    ...PUBLISHED.map(({ fill }) => mean(Object.values(fill)).toFixed(2)),
  ]);
  const head = ["set", "fill %", "least %", "time", ...names];
  const rule = `|${head.map(() => "-".repeat(12)).join("|")}|`;
  return [row(head), rule, ...lines, average].join("\n");
}

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    units: { type: "string", default: String(FILL_STEPS_MAX) },
  },
});
const problems = options.quick ? QUICK_PROBLEMS : PROBLEMS;
const units = Number(options.units);
const machine = thisMachine("none");
console.error(`${describe(machine)}; ${problems} problems a set, ${units} units of work each`);
const results = Object.keys(SETS).map((set) => {
  const result = measure(set, problems, units);
  console.error(`${set}: ${result.fill.toFixed(2)} %`);
  return result;
});
const file = join(import.meta.dirname, "results", "packing.json");
writeFileSync(
  file,
  `${JSON.stringify({ at: new Date().toISOString(), machine, problems, units, results }, null, 2)}\n`,
);
console.log(`\n${tableOf(results)}\n`);
for (const { name, source } of PUBLISHED) console.log(`${name}: ${source}`);
console.error(`${file} holds every number`);
