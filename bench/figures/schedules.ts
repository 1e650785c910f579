/** How fast due calls are found among many port calls and among few, and how fast feeds are ingested. */
import { systemRandom } from "../../src/runtime/system-random.ts";
import { processDueCalls } from "../../src/products/schedules/events/due-calls.ts";
import { RELIABILITY_DEFAULTS } from "../../src/products/schedules/reliability/reliability.ts";
import type { SchedulePorts, ScheduleSettings } from "../../src/products/schedules/events/broadcasting.ts";
import { computeServiceDays } from "../../src/products/schedules/reliability/service-days.ts";
import { ingest, type IngestResult } from "../../src/products/schedules/calls/ingest.ts";
import { createEventDataCheck } from "../../src/model/event-check.ts";
import { products } from "../../src/products/index.ts";
import { cellsNamed, SCHEMA_PREFIX, type Cell } from "../../src/store/cell.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { portCallLockDue } from "../../src/products/schedules/store/port-calls.sql.ts";
import { below, milliseconds, whole, type Result } from "../report/result.ts";
import { sampleOf } from "../report/statistics.ts";
import type { Bench } from "../setting/bench.ts";
import { feedStatements, fillCalls } from "../setting/port-calls.ts";
import { startPostgres, type Postgres } from "../setting/postgres.ts";
import { processorTime, shareOfOthers } from "../setting/processor-time.ts";

export type SchedulesPlan = {
  readonly calls: number;
  /** The others that it is measured beside. */
  readonly fewCalls: number;
  /** Calls that time has come for, in both. */
  readonly due: number;
  /** Calls of one feed. */
  readonly feedCalls: number;
  readonly repeats: number;
};

export type SchedulesBench = Pick<Bench, "newFolder" | "atEnd" | "say" | "othersShares"> & {
  readonly plan: SchedulesPlan;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BATCH_MAX = 500;
/** What is asked of the figure. */
const FOUND_MS_MAX = 1_000;

const SETTINGS: ScheduleSettings = { cutOffHours: [48, 24], reliability: RELIABILITY_DEFAULTS };

type Measured = {
  /** One after the other, each of {@link BATCH_MAX}; then when nothing is due. */
  readonly found: readonly number[];
  readonly idle: readonly number[];
  /** The whole tick that reports every due call. */
  readonly tickMs: number;
  readonly dayMs: number;
  readonly rates: readonly { readonly what: string; readonly aSecond: number }[];
};

export async function schedules(bench: SchedulesBench): Promise<Result[]> {
  const { calls, fewCalls, due } = bench.plan;
  const few = await measure(bench, fewCalls);
  const many = await measure(bench, calls);
  const among = `among ${whole(calls)} calls`;
  const beside = (values: readonly number[]): string =>
    `${milliseconds(sampleOf(values).median)} among ${whole(fewCalls)}`;
  const shown = (figure: string, values: readonly number[], others: readonly number[]): Result => ({
    ...below(figure, values, FOUND_MS_MAX, milliseconds),
    baseline: beside(others),
  });
  return [
    shown(`finding ${BATCH_MAX} that are due, ${among}`, many.found, few.found),
    shown(`a tick with nothing due, ${among}`, many.idle, few.idle),
    { ...shown(`a tick that reports ${whole(due)}, ${among}`, [many.tickMs], [few.tickMs]), ...NO_TARGET },
    { ...shown(`a day of reliability, ${among}`, [many.dayMs], [few.dayMs]), ...NO_TARGET },
    ...many.rates.map(({ what, aSecond }, place) => ({
      figure: `ingesting ${what}, ${among}`,
      measured: `${whole(aSecond)} calls a second`,
      baseline: `${whole(few.rates[place]!.aSecond)} among ${whole(fewCalls)}`,
      ...NO_TARGET,
      samples: { rate: sampleOf([aSecond]) },
    })),
  ];
}

const NO_TARGET = { target: "", reached: true } as const;

async function measure(bench: SchedulesBench, calls: number): Promise<Measured> {
  const { plan, say, othersShares } = bench;
  const nowMs = Math.floor(Date.now() / DAY_MS) * DAY_MS + 6 * HOUR_MS;
  const postgres = await startPostgres(bench);
  say(`${whole(calls)} calls are made up …`);
  await fillCalls(postgres, calls, plan.due, nowMs);
  const ports = portsOn(postgres);
  const before = processorTime({ bench: process.pid });
  const found = await measureFinding(ports, plan, nowMs);
  let looks = 0;
  const tickMs = await timed(async () => {
    for (; await processDueCalls(ports, SETTINGS, nowMs); looks += 1);
  });
  const { rows } = await postgres.client.query<{ count: string }>("select count(*) from broadcasts");
  if (Number(rows[0]!.count) !== plan.due)
    throw new Error(`${rows[0]!.count} were reported, not ${plan.due}`);
  say(`  ${whole(plan.due)} reported in ${milliseconds(tickMs)}, ${looks + 1} transactions`);
  const nothing: number[] = [];
  for (let times = 0; times < plan.repeats; times += 1) {
    nothing.push(await timed(() => processDueCalls(ports, SETTINGS, nowMs)));
  }
  const dayMs = await timed(() => computeServiceDays(ports, SETTINGS, nowMs));
  const rates = await measureIngest(ports, plan, nowMs, say);
  othersShares.push(shareOfOthers(before, processorTime({ bench: process.pid, postgres: postgres.pid() })));
  await ports.database.close();
  await postgres.stop();
  return { found, idle: nothing, tickMs, dayMs, rates };
}

type Ports = SchedulePorts & { readonly cells: readonly [Cell, ...Cell[]] };

function portsOn({ address }: Postgres): Ports {
  const database = openDatabase(address, {
    sessionName: "boathook bench",
    connectionsMax: 4,
    connectTimeoutMs: 10_000,
    onIdleError: () => undefined,
  });
  const cells = cellsNamed(SCHEMA_PREFIX, 1);
  const [cell] = cellsNamed(SCHEMA_PREFIX, 1, "schedules");
  return {
    database,
    cells,
    cell,
    random: systemRandom(),
    clock: { monotonicMs: () => performance.now() },
    check: createEventDataCheck(products),
    wake: () => undefined,
  };
}

/** Found and left as they are. */
async function measureFinding({ database, cells }: Ports, { repeats }: SchedulesPlan, nowMs: number) {
  const found: number[] = [];
  for (let times = 0; times < repeats; times += 1) {
    await database.transaction(async (tx) => {
      let due = 0;
      found.push(
        await timed(
          async () => (due = (await portCallLockDue(tx, cells[0], { at: nowMs, limit: BATCH_MAX })).length),
        ),
      );
      if (due !== BATCH_MAX) throw new Error(`${due} were found`);
    });
  }
  return found;
}

async function measureIngest(
  ports: Ports,
  { feedCalls }: SchedulesPlan,
  nowMs: number,
  say: (text: string) => void,
): Promise<Measured["rates"]> {
  const fromMs = nowMs + 20 * DAY_MS;
  const tellings: readonly (readonly [string, number, keyof IngestResult | null])[] = [
    ["a feed that is new", 0, "added"],
    ["the same again", 0, null],
    ["one of which every call has moved", HOUR_MS, "changed"],
  ];
  const rates: { what: string; aSecond: number }[] = [];
  for (const [hours, [what, laterMs, counted]] of tellings.entries()) {
    const calls = feedStatements("FEED", feedCalls, fromMs, laterMs);
    const atMs = nowMs + hours * HOUR_MS;
    const complete = { carrier: "FEED", service: null, port: null, fromMs, toMs: fromMs + 365 * DAY_MS };
    const told = { feed: "bench", atMs, calls, complete };
    const beganMs = performance.now();
    const { added, changed, missing } = await ingest(ports, SETTINGS, told);
    const ms = performance.now() - beganMs;
    const expected = { added: 0, changed: 0, ...(counted === null ? {} : { [counted]: feedCalls }) };
    if (added !== expected.added || changed !== expected.changed || missing !== 0) {
      throw new Error(`${what}: ${added} added, ${changed} changed, ${missing} missing`);
    }
    say(`  ${what}: ${whole((feedCalls * 1_000) / ms)} calls a second`);
    rates.push({ what, aSecond: (feedCalls * 1_000) / ms });
  }
  return rates;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const fromMs = performance.now();
  await work();
  return performance.now() - fromMs;
}
