/**
 * `npm run bench:cells`: how long a node with many cells takes to start, and what it costs while nothing happens, beside
 * a node with one cell in the same run. `--cells 100 --seconds 60 --repeats 3`.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

import { createAuthority } from "../src/runtime/certificates.ts";
import { cellsNamed, SCHEMA_PREFIX } from "../src/store/cell.ts";
import { migrate } from "../src/store/migrate.ts";
import { describe, thisMachine } from "./report/machine.ts";
import { percent } from "./report/result.ts";
import { silentLog, startPostgres, type Postgres } from "./setting/postgres.ts";
import { processorTime, shareOfOthers } from "./setting/processor-time.ts";
import { startService, type Service } from "./setting/service.ts";

const { values } = parseArgs({
  options: {
    cells: { type: "string", default: "100" },
    seconds: { type: "string", default: "60" },
    repeats: { type: "string", default: "3" },
  },
});
const [cells, seconds, repeats] = [values.cells, values.seconds, values.repeats].map(Number);

/** What a start leaves to the first sweeps ends in this time. */
const SETTLE_MS = 45_000;

const folder = mkdtempSync(join(tmpdir(), "boathook-bench-"));
const caFile = join(folder, "ca.pem");
writeFileSync(caFile, (await createAuthority(Date.now(), "Boathook Bench Authority")).cert);
const endings: (() => Promise<void>)[] = [];
let folders = 0;
const bench = {
  caFile,
  newFolder: () => join(folder, `data-${folders++}`),
  atEnd: (act: () => Promise<void>) => void endings.push(act),
};

async function measure(postgres: Postgres, count: number): Promise<string> {
  const server = { postgres: postgres.pid() };
  const before = processorTime(server);
  const startedMs = performance.now();
  const service = await startService(bench, postgres.dataFolder, { BOATHOOK_CELLS: String(count) });
  const startMs = performance.now() - startedMs;
  const started = processorTime({ ...server, service: service.pid });
  const ofServer = started.byProcess["postgres"]! - before.byProcess["postgres"]!;
  await sleep(SETTLE_MS);
  const idle = await measureIdle(postgres, service);
  await service.stop();
  return (
    `${count} cells: listens after ${(startMs / 1_000).toFixed(1)} s ` +
    `(processor: service ${started.byProcess["service"]!.toFixed(1)} s, PostgreSQL ${ofServer.toFixed(1)} s); ${idle}`
  );
}

async function measureIdle(postgres: Postgres, service: Service): Promise<string> {
  const processes = { postgres: postgres.pid(), service: service.pid };
  const [from, fromCount] = [processorTime(processes), await transactions(postgres)];
  await sleep(seconds! * 1_000);
  const [to, count] = [processorTime(processes), await transactions(postgres)];
  const share = (name: string) => ((to.byProcess[name]! - from.byProcess[name]!) / seconds!) * 100;
  return (
    `idle: service ${share("service").toFixed(2)} % of a core, PostgreSQL ${share("postgres").toFixed(2)} %, ` +
    `${((count - fromCount) / seconds!).toFixed(1)} transactions a second; others ${percent(shareOfOthers(from, to))}`
  );
}

/** Of the service, but for what it has not reported yet: a second or so. */
async function transactions({ client }: Postgres): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    "select xact_commit::float8 as count from pg_stat_database where datname = current_database()",
  );
  return rows[0]!.count;
}

try {
  const one = await startPostgres(bench);
  const many = await startPostgres(bench);
  await migrate(many.address, cellsNamed(SCHEMA_PREFIX, cells!), silentLog);
  console.log(describe(thisMachine(one.version)));
  for (let repeat = 0; repeat < repeats!; repeat += 1) {
    for (const [postgres, count] of [
      [one, 1],
      [many, cells!],
    ] as const) {
      console.log(await measure(postgres, count));
    }
  }
} finally {
  for (const act of endings.toReversed()) await act();
  rmSync(folder, { recursive: true, force: true });
}
