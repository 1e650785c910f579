/**
 * `npm run bench:polling`: how fast tracked shipments are refreshed on the simulated harbour, measured on this
 * machine. `--quick` says which way things go, with a tenth of the shipments.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { createAuthority } from "../src/runtime/certificates.ts";
import { polling, type PollingPlan } from "./figures/polling.ts";
import { describe, thisMachine } from "./report/machine.ts";
import { percent } from "./report/result.ts";
import { sampleOf } from "./report/statistics.ts";
import { tableOf } from "./report/table.ts";
import { startPostgres } from "./setting/postgres.ts";

const FULL: PollingPlan = { shipments: 200_000, polls: 15_000, repeats: 3, ceilingSeconds: 4, seed: 7 };
const QUICK: PollingPlan = { ...FULL, shipments: 20_000, polls: 3_000, repeats: 1, ceilingSeconds: 2 };

const { values: options } = parseArgs({
  options: { quick: { type: "boolean", default: false }, shipments: { type: "string" } },
});
const chosen = options.quick ? QUICK : FULL;
const plan = options.shipments === undefined ? chosen : { ...chosen, shipments: Number(options.shipments) };

const folder = mkdtempSync(join(tmpdir(), "boathook-bench-"));
const caFile = join(folder, "ca.pem");
writeFileSync(caFile, (await createAuthority(Date.now(), "Boathook Bench Authority")).cert);
const endings: (() => Promise<void>)[] = [];
let folders = 0;
const bench = {
  plan,
  caFile,
  newFolder: () => join(folder, `data-${folders++}`),
  atEnd: (act: () => Promise<void>) => void endings.push(act),
  say: (text: string) => console.error(text),
  othersShares: [] as number[],
};
const startedMs = performance.now();
try {
  const postgres = await startPostgres(bench);
  const machine = thisMachine(postgres.version);
  await postgres.stop();
  console.error(describe(machine));
  const results = await polling(bench);
  const others = sampleOf(bench.othersShares);
  const file = join(import.meta.dirname, "results", "polling.json");
  const everything = {
    at: new Date().toISOString(),
    quick: options.quick,
    machine,
    others,
    plan,
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
} finally {
  for (const act of endings.toReversed()) await act();
  rmSync(folder, { recursive: true, force: true });
}
