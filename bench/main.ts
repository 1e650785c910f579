/**
 * `npm run bench`: the figures of docs/benchmarks.md, measured on this machine. Options: `--quick`, and
 * `--only <name>`, which may be given several times.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { besideConsole } from "./figures/console.ts";
import { faults } from "./figures/faults.ts";
import { history } from "./figures/history.ts";
import { latency } from "./figures/latency.ts";
import { coldThroughput, singleThroughput, warmThroughput } from "./figures/throughput.ts";
import { describe, thisMachine, type Machine } from "./report/machine.ts";
import { percent, type Result } from "./report/result.ts";
import { sampleOf } from "./report/statistics.ts";
import { tableOf } from "./report/table.ts";
import { workersThroughput } from "./figures/workers.ts";
import { openBench, type Bench } from "./setting/bench.ts";
import { FULL, QUICK } from "./setting/plan.ts";
import { startPostgres } from "./setting/postgres.ts";

const FIGURES: Readonly<Record<string, (bench: Bench) => Promise<Result[]>>> = {
  warm: warmThroughput,
  single: singleThroughput,
  cold: coldThroughput,
  latency,
  faults,
  history,
  workers: workersThroughput,
  console: besideConsole,
};

const { values: options } = parseArgs({
  options: { quick: { type: "boolean", default: false }, only: { type: "string", multiple: true } },
});
const names = options.only ?? Object.keys(FIGURES);
const unknown = names.find((name) => !(name in FIGURES));
if (unknown !== undefined) {
  console.error(`there is no figure ${unknown}; there are ${Object.keys(FIGURES).join(", ")}`);
  process.exit(2);
}

const bench = await openBench(options.quick ? QUICK : FULL, (text) => console.error(text));
const startedMs = performance.now();
try {
  const postgres = await startPostgres(bench);
  const machine = thisMachine(postgres.version);
  await postgres.stop();
  console.error(describe(machine));
  const results: Result[] = [];
  for (const name of names) results.push(...(await FIGURES[name]!(bench)));
  report(machine, results);
} finally {
  await bench.end();
}

function report(machine: Machine, results: readonly Result[]): void {
  const others = sampleOf(bench.othersShares);
  const file = join(import.meta.dirname, "results", "latest.json");
  const everything = {
    at: new Date().toISOString(),
    quick: options.quick,
    machine,
    others,
    plan: bench.plan,
    results,
  };
  writeFileSync(file, `${JSON.stringify(everything, null, 2)}\n`);
  console.log(`${describe(machine)}\n\n${tableOf(results)}\n`);
  console.log(
    `During the run, other processes used ${percent(others.median)} of the machine (at most ${percent(others.most)}).`,
  );
  console.error(
    `${Math.round((performance.now() - startedMs) / 1_000)} s in all; ${file} holds every number`,
  );
}
