/**
 * `npm run bench:schedules`: how long it takes to find what is due among a million port calls, and how fast feeds are
 * ingested, measured on this machine. `--quick` says which way things go, with a tenth of the calls.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { schedules, type SchedulesPlan } from "./figures/schedules.ts";
import { describe, thisMachine } from "./report/machine.ts";
import { percent } from "./report/result.ts";
import { sampleOf } from "./report/statistics.ts";
import { tableOf } from "./report/table.ts";
import { startPostgres } from "./setting/postgres.ts";

const FULL: SchedulesPlan = {
  calls: 1_000_000,
  fewCalls: 10_000,
  due: 5_000,
  feedCalls: 20_000,
  repeats: 15,
};
const QUICK: SchedulesPlan = { ...FULL, calls: 100_000, feedCalls: 4_000, repeats: 5 };

const { values: options } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const plan = options.quick ? QUICK : FULL;

const folder = mkdtempSync(join(tmpdir(), "boathook-bench-"));
const endings: (() => Promise<void>)[] = [];
let folders = 0;
const bench = {
  plan,
  newFolder: () => join(folder, `data-${folders++}`),
  atEnd: (act: () => Promise<void>) => void endings.push(act),
  say: (text: string) => console.error(text),
  othersShares: [] as number[],
};
try {
  const postgres = await startPostgres(bench);
  const machine = thisMachine(postgres.version);
  await postgres.stop();
  console.error(describe(machine));
  const results = await schedules(bench);
  const others = sampleOf(bench.othersShares);
  const file = join(import.meta.dirname, "results", "schedules.json");
  const everything = { at: new Date().toISOString(), quick: options.quick, machine, others, plan, results };
  writeFileSync(file, `${JSON.stringify(everything, null, 2)}\n`);
  console.log(`${describe(machine)}\n\n${tableOf(results)}\n`);
  console.log(
    `During the run, other processes used ${percent(others.median)} of the machine (at most ${percent(others.most)}).`,
  );
} finally {
  for (const act of endings.toReversed()) await act();
  rmSync(folder, { recursive: true, force: true });
}
