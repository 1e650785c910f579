/** What a database full of history does: to throughput, to memory, and to reading an endpoint. */
import { below, compareRates, milliseconds, whole, type Result } from "../report/result.ts";
import { percentile } from "../report/statistics.ts";
import { createAccounts, type Account } from "../setting/accounts.ts";
import type { Bench } from "../setting/bench.ts";
import { measureUndisturbed } from "../setting/undisturbed.ts";
import { fillDelivered, fillPending } from "../setting/fill.ts";
import { loadFully } from "../setting/load.ts";
import { startPostgres } from "../setting/postgres.ts";
import { startOn, type RunningService } from "../setting/running.ts";

const THROUGHPUT_SHARE = 0.9;
const READ_P99_MS_MAX = 10;
const RESIDENT_MB_MAX = 400;
const RESIDENT_SAMPLE_MS = 100;
/** One after the other: more at once would measure how reads wait for each other. */
const READS_OPEN = 1;

type Folder = { readonly dataFolder: string; readonly accounts: readonly Account[] };
type Fill = typeof fillPending;

export async function history(bench: Bench): Promise<Result[]> {
  const { plan } = bench;
  const empty = await prepare(bench, null, 0);
  const pending = await prepare(bench, fillPending, plan.pendingRows);
  const delivered = await prepare(bench, fillDelivered, plan.deliveredRows);
  const rates: { empty: number[]; pending: number[]; delivered: number[] } = {
    empty: [],
    pending: [],
    delivered: [],
  };
  const residentMb: number[] = [];
  const readsMs: number[] = [];

  const patience = { left: plan.retries };
  const on = <T>(folder: Folder, act: (running: RunningService) => Promise<T>) =>
    measureUndisturbed(bench, patience, () => runOn(bench, folder, act));
  for (let repeat = 0; repeat < plan.repeatsOfLong; repeat++) {
    rates.empty.push(await on(empty, (running) => throughput(bench, running)));
    const withPending = await on(pending, async (running) => {
      const watch = watchMemory(running);
      return { rate: await throughput(bench, running), mb: watch.most() / 1e6 };
    });
    rates.pending.push(withPending.rate);
    residentMb.push(withPending.mb);
    const withDelivered = await on(delivered, async (running) => {
      return { rate: await throughput(bench, running), readMs: await readP99(bench, running) };
    });
    rates.delivered.push(withDelivered.rate);
    readsMs.push(withDelivered.readMs);
    bench.say(
      `history: empty ${whole(rates.empty.at(-1)!)} a second, pending ${whole(rates.pending.at(-1)!)} with ` +
        `${whole(residentMb.at(-1)!)} MB, delivered ${whole(rates.delivered.at(-1)!)} with reads of ` +
        milliseconds(readsMs.at(-1)!),
    );
  }

  const base = { name: "empty", rates: rates.empty };
  const [pendingRows, deliveredRows] = [whole(plan.pendingRows), whole(plan.deliveredRows)];
  return [
    compareRates(
      `throughput with ${pendingRows} pending retries not yet due`,
      rates.pending,
      base,
      THROUGHPUT_SHARE,
    ),
    compareRates(`throughput with ${deliveredRows} delivered rows`, rates.delivered, base, THROUGHPUT_SHARE),
    below(`GET /v1/webhooks/{id} p99 at ${deliveredRows} rows`, readsMs, READ_P99_MS_MAX, milliseconds),
    below(
      `resident memory with ${pendingRows} pending, at full load`,
      residentMb,
      RESIDENT_MB_MAX,
      (megabytes) => `${whole(megabytes)} MB`,
    ),
  ];
}

async function prepare(bench: Bench, fill: Fill | null, rows: number): Promise<Folder> {
  const postgres = await startPostgres(bench);
  const accounts = await createAccounts(postgres, bench.ports.slice(0, bench.plan.endpoints));
  const startedMs = performance.now();
  await fill?.(postgres, accounts, rows);
  if (fill !== null)
    bench.say(`${whole(rows)} rows made in ${whole((performance.now() - startedMs) / 1_000)} s`);
  await postgres.stop();
  return { dataFolder: postgres.dataFolder, accounts };
}

async function runOn<T>(
  bench: Bench,
  { dataFolder, accounts }: Folder,
  act: (running: RunningService) => Promise<T>,
): Promise<T> {
  const running = await startOn(bench, await startPostgres(bench, dataFolder), accounts);
  const result = await act(running);
  await running.stop();
  return result;
}

async function throughput(bench: Bench, running: RunningService): Promise<number> {
  await loadFully(bench, running, bench.plan.warmUpSeconds);
  return (await loadFully(bench, running, bench.plan.seconds)).perSecond;
}

function watchMemory({ service }: RunningService): { most(): number } {
  let most = 0;
  const look = () => {
    most = Math.max(most, service.residentBytes());
  };
  const timer = setInterval(look, RESIDENT_SAMPLE_MS);
  return {
    most() {
      look();
      clearInterval(timer);
      return most;
    },
  };
}

async function readP99(bench: Bench, { service, accounts }: RunningService): Promise<number> {
  const tookMs = await bench.reading.call("read", {
    origin: service.public,
    readers: accounts.map(({ key, endpointId }) => ({ key, endpointId })),
    reads: bench.plan.reads,
    open: READS_OPEN,
  });
  return percentile(tookMs, 0.99);
}
