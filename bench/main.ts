/** `npm run bench`: the figures of docs/benchmarks.md, measured on this machine, beside the record or another commit. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { against } from "./figures/against.ts";
import { besideConsole } from "./figures/console.ts";
import { faults } from "./figures/faults.ts";
import { history } from "./figures/history.ts";
import { latency } from "./figures/latency.ts";
import { coldThroughput, singleThroughput, warmThroughput } from "./figures/throughput.ts";
import { describe, thisMachine, type Machine } from "./report/machine.ts";
import { percent, significant, type Result } from "./report/result.ts";
import { sampleOf } from "./report/statistics.ts";
import { table, tableOf } from "./report/table.ts";
import {
  compareWithRecord,
  differences,
  nextRecord,
  type BenchRecord,
  type Change,
  type Verdict,
} from "./report/watch.ts";
import { workersThroughput } from "./figures/workers.ts";
import { openBench, type Bench } from "./setting/bench.ts";
import { AGAINST, FULL, QUICK } from "./setting/plan.ts";
import { startPostgres } from "./setting/postgres.ts";
import { OTHERS_SHARE_MAX } from "./setting/undisturbed.ts";

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

const USAGE = `npm run bench -- [options]
  --quick             fewer repeats, less history: 3 min
  --only <name>       some of ${Object.keys(FIGURES).join(", ")}; may be repeated
  --record            keeps the ratios as the record (bench/results/latest.json), of a calm machine only
  --against <commit>  the working tree beside that commit, by turns: 3 min
Ends with 1 when a ratio falls by more than its noise, against the record or that commit.`;

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    record: { type: "boolean", default: false },
    against: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (options.help) {
  console.log(USAGE);
  process.exit(0);
}
const names = options.only ?? Object.keys(FIGURES);
const unknown = names.find((name) => !(name in FIGURES));
if (unknown !== undefined) refuse(`there is no figure ${unknown}`);
if (options.against !== undefined && process.env["BENCH_SERVICE"] !== undefined)
  refuse("BENCH_SERVICE would be both sides of --against");
if (options.record && options.quick) refuse("the record is of a full run: --record goes without --quick");

const RESULTS = join(import.meta.dirname, "results");
const RECORD = join(RESULTS, "latest.json");

const plan = options.against === undefined ? (options.quick ? QUICK : FULL) : AGAINST;
const bench = await openBench(plan, (text) => console.error(text));
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void bench.end().finally(() => process.exit(1)));
const startedMs = performance.now();
try {
  const postgres = await startPostgres(bench);
  const machine = thisMachine(postgres.version);
  await postgres.stop();
  console.error(describe(machine));
  if (options.against !== undefined) {
    reportChanges(await against(bench, options.against));
  } else {
    const results: Result[] = [];
    for (const name of names) results.push(...(await FIGURES[name]!(bench)));
    report(machine, results);
    watch(machine, results);
  }
} finally {
  await bench.end();
}

function report(machine: Machine, results: readonly Result[]): void {
  const others = sampleOf(bench.othersShares);
  const file = join(RESULTS, "run.json");
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

/** Compares with the record, then keeps these ratios as the record if that is asked for. */
function watch(machine: Machine, results: readonly Result[]): void {
  const record = readRecord();
  const verdicts = compareWithRecord(record, results);
  const differing = differences(
    record,
    verdicts.map(({ figure }) => figure),
    machine,
  );
  if (differing.length > 0) console.error(`The record is of another machine: ${differing.join("; ")}.`);
  const isBusy = sampleOf(bench.othersShares).median > OTHERS_SHARE_MAX;
  if (isBusy) console.error("Other processes used much of the machine: the comparison says little.");
  reportFalls(verdicts);
  const ratios = results.filter(({ ratio }) => ratio !== undefined).length;
  console.error(
    `${verdicts.length} of ${ratios} ratios stand in the record; the others are compared with nothing`,
  );
  if (!options.record) return;
  if (isBusy) {
    console.error("no record is made");
    process.exitCode = 1;
    return;
  }
  const next = nextRecord(record, new Date().toISOString(), machine, results);
  writeFileSync(RECORD, `${JSON.stringify(next, null, 2)}\n`);
}

function reportChanges(changes: readonly Change[]): void {
  const head = ["Figure", options.against!, "working tree", "ratio", "noise"];
  const rows = changes.map(({ figure, recorded, now, ratio, noise }) => [
    figure,
    significant(recorded),
    significant(now),
    ratio.toFixed(3),
    percent(noise),
  ]);
  console.log(table(head, rows));
  reportFalls(changes);
}

/** One line each, and a failing end. */
function reportFalls(verdicts: readonly Verdict[]): void {
  for (const { figure, recorded, now, noise } of verdicts.filter((verdict) => verdict.fell)) {
    console.error(
      `fell: ${figure}: ${significant(recorded)}, now ${significant(now)}, noise ${percent(noise)}`,
    );
    process.exitCode = 1;
  }
}

function readRecord(): BenchRecord {
  return existsSync(RECORD) ? (JSON.parse(readFileSync(RECORD, "utf8")) as BenchRecord) : {};
}

function refuse(why: string): never {
  console.error(`${why}\n${USAGE}`);
  process.exit(2);
}
