/** Shipments refreshed a second, beside fetching and parsing the same answers with no store. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { PollingCeilingCalls, PolledReference } from "../processes/polling-ceiling.ts";
import { startProcess, type Process } from "../processes/calls.ts";
import type { FailureMode, HarbourCalls } from "../processes/harbour.ts";
import { compareRates, percent, whole, type Result } from "../report/result.ts";
import { sampleOf } from "../report/statistics.ts";
import type { Bench } from "../setting/bench.ts";
import { startPostgres, type Postgres } from "../setting/postgres.ts";
import { perDelivery, processorTime, shareOfOthers } from "../setting/processor-time.ts";
import { startService, type Service } from "../setting/service.ts";
import { makeDue, postpone, pollRate, trackWorld } from "../setting/tracked.ts";

export type PollingPlan = {
  /** Tracked shipments, and a tenth of them. */
  readonly shipments: number;
  /** Looks of one measurement. */
  readonly polls: number;
  readonly repeats: number;
  readonly ceilingSeconds: number;
  readonly seed: number;
};

export type PollingBench = Pick<Bench, "newFolder" | "atEnd" | "say" | "othersShares" | "caFile"> & {
  readonly plan: PollingPlan;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What is asked of the figures. */
const CEILING_SHARE = 0.3;
const FLAT_SHARE = 0.9;
const COST_MAX = 0.05;

/** As many as the service has by default, for ten carriers. */
const OPEN = 80;

type PollingRun = {
  readonly postgres: Postgres;
  readonly service: Service;
  readonly harbour: Process<HarbourCalls>;
  readonly ceiling: Process<PollingCeilingCalls>;
  readonly tracked: readonly PolledReference[];
  readonly carriers: readonly string[];
  readonly beganMs: number;
  stop(): Promise<void>;
};

type Pair = { readonly rate: number; readonly ceiling: number };

export async function polling(bench: PollingBench): Promise<Result[]> {
  const { shipments } = bench.plan;
  const few = await measureWorld(bench, Math.round(shipments / 10), async () => []);
  const many = await measureWorld(bench, shipments, (running) => failingCarriers(bench, running));
  const beside = (figure: string, pairs: readonly Pair[]) =>
    compareRates(
      figure,
      pairs.map(({ rate }) => rate),
      { name: "fetching and parsing alone", rates: pairs.map(({ ceiling }) => ceiling) },
      CEILING_SHARE,
    );
  return [
    beside(`first looks, ${whole(shipments)} shipments`, [many.first]),
    beside(`looks four hours later, ${whole(shipments)} shipments`, many.later),
    beside(`looks a week later, ${whole(shipments)} shipments`, many.week),
    scalesFlat(bench, few.later, many.later),
    ...many.more,
  ];
}

async function measureWorld<T>(
  bench: PollingBench,
  boxes: number,
  more: (running: PollingRun) => Promise<readonly T[]>,
): Promise<{ first: Pair; later: Pair[]; week: Pair[]; more: readonly T[] }> {
  const { plan } = bench;
  const running = await start(bench, boxes);
  const { harbour, carriers, beganMs } = running;
  const each = Math.floor(Math.min(plan.polls, boxes) / carriers.length);
  const first = await measure(bench, running, `${whole(boxes)} first looks`, boxes);
  await harbour.call("moveTo", { atMs: beganMs + 4 * HOUR_MS });
  // Once all of what is due then, so that what is measured afterwards is the same for all.
  const later: Pair[] = [];
  for (let repeat = 0; repeat < plan.repeats; repeat++) {
    later.push(await measure(bench, running, `${whole(boxes)}, four hours later`, each));
  }
  const extra = await more(running);
  const week: Pair[] = [];
  for (let repeat = 1; repeat <= plan.repeats; repeat++) {
    await harbour.call("moveTo", { atMs: beganMs + repeat * 7 * DAY_MS });
    week.push(await measure(bench, running, `${whole(boxes)}, ${repeat} weeks later`, each));
  }
  await running.stop();
  return { first, later, week, more: extra };
}

async function start(bench: PollingBench, boxes: number): Promise<PollingRun> {
  const { plan, say } = bench;
  const beganMs = Date.now() - 4 * HOUR_MS;
  // Most of the boxes are in transit.
  const world = { seed: plan.seed, boxes, startMs: beganMs - 20 * DAY_MS };
  const harbour = startProcess<HarbourCalls>("harbour.ts");
  const entries = await harbour.call("open", { ...world, atMs: beganMs });
  const asking = startProcess<PollingCeilingCalls>("polling-ceiling.ts");
  await asking.call("open", entries);
  const postgres = await startPostgres(bench);
  say(`${whole(boxes)} shipments are being tracked …`);
  const tracked = await trackWorld(postgres, world);
  const carriersFile = join(postgres.dataFolder, "carriers.json");
  writeFileSync(carriersFile, JSON.stringify(entries));
  const service = await startService(bench, postgres.dataFolder, {
    BOATHOOK_ROLES: "poll",
    BOATHOOK_CARRIERS_FILE: carriersFile,
    // Nothing falls due but what is made due.
    BOATHOOK_POLL_INTERVAL: "7d",
    BOATHOOK_POLL_INTERVAL_NEAR: "7d",
  });
  return {
    postgres,
    service,
    harbour,
    ceiling: asking,
    tracked,
    carriers: entries.map(({ scac }) => scac),
    beganMs,
    async stop() {
      await service.stop();
      await postgres.stop();
      await Promise.all([harbour.end(), asking.end()]);
    },
  };
}

/** The ceiling, then as many looks of each carrier, all at once. */
async function measure(bench: PollingBench, running: PollingRun, name: string, each: number): Promise<Pair> {
  const { ceiling: asking, harbour, service, postgres, tracked, carriers } = running;
  const references = randomSample(tracked, bench.plan.polls);
  const bare = { asking: asking.pid, harbour: harbour.pid };
  const all = { service: service.pid, PostgreSQL: postgres.pid(), harbour: harbour.pid };
  const looks = [processorTime(bare)];
  const { polled, seconds, empty } = await asking.call("ask", {
    references,
    open: OPEN,
    seconds: bench.plan.ceilingSeconds,
  });
  looks.push(processorTime(bare));
  const sinceMs = Date.now();
  await makeDue(postgres, carriers, each);
  looks.push(processorTime(all));
  const rate = await pollRate(postgres, carriers, sinceMs);
  looks.push(processorTime(all));
  const ceiling = polled / seconds;
  const refreshed = Math.min(each * carriers.length, tracked.length);
  bench.othersShares.push(shareOfOthers(looks[2]!, looks[3]!));
  bench.say(
    `${name}: ${whole(rate)} a second (${perDelivery(looks[2]!, looks[3]!, refreshed)}) beside ${whole(ceiling)} ` +
      `(${perDelivery(looks[0]!, looks[1]!, polled)}; ${empty} without events): ${percent(rate / ceiling)}`,
  );
  return { rate, ceiling };
}

function randomSample<T>(from: readonly T[], count: number): readonly T[] {
  return Array.from({ length: count }, () => from[Math.floor(Math.random() * from.length)]!);
}

function scalesFlat({ plan }: PollingBench, few: readonly Pair[], many: readonly Pair[]): Result {
  const rate = sampleOf(many.map((pair) => pair.rate));
  const baseRate = sampleOf(few.map((pair) => pair.rate));
  const share = rate.median / baseRate.median;
  return {
    figure: `the same with ${whole(plan.shipments)} as with ${whole(plan.shipments / 10)} shipments`,
    measured: percent(share),
    baseline: `${whole(baseRate.median)} a second`,
    target: `at least ${percent(FLAT_SHARE)}`,
    reached: share >= FLAT_SHARE,
    samples: { rate, baseRate },
  };
}

async function failingCarriers(bench: PollingBench, running: PollingRun): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const death of ["silent", "failing"] as const)
    results.push(await oneFailingCarrier(bench, running, death));
  return results;
}

/** Nine carriers with the tenth having nothing due, and with the tenth dead and as much due as each of them. */
async function oneFailingCarrier(
  bench: PollingBench,
  running: PollingRun,
  death: FailureMode,
): Promise<Result> {
  const { plan, say } = bench;
  const { harbour, postgres, carriers, tracked } = running;
  const [tenth, ...others] = carriers as [string, ...string[]];
  const each = Math.floor(Math.min(plan.polls, tracked.length) / carriers.length);
  const rateOfOthers = async (due: readonly string[]): Promise<number> => {
    const sinceMs = Date.now();
    await makeDue(postgres, due, each);
    return pollRate(postgres, others, sinceMs);
  };
  const alone: number[] = [];
  const beside: number[] = [];
  for (let repeat = 0; repeat < plan.repeats; repeat++) {
    alone.push(await rateOfOthers(others));
    await harbour.call("kill", { scac: tenth, death });
    beside.push(await rateOfOthers(carriers));
    await harbour.call("kill", { scac: tenth, death: null });
    await postpone(postgres, tenth);
    say(`nine beside one that is ${death}: ${whole(beside.at(-1)!)} a second, alone ${whole(alone.at(-1)!)}`);
  }
  const ratio = sampleOf(beside.map((rate, index) => 1 - rate / alone[index]!));
  return {
    figure: `what one ${death} carrier among ten costs the others`,
    measured: percent(ratio.median),
    baseline: `${whole(sampleOf(alone).median)} a second without it`,
    target: `under ${percent(COST_MAX)}`,
    reached: ratio.median < COST_MAX,
    samples: { cost: ratio, beside: sampleOf(beside), alone: sampleOf(alone) },
  };
}
