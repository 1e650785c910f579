/** Durable deliveries a second, to endpoints whose connections are warm and to such as have gone cold. */
import type { CeilingPace } from "../processes/ceiling.ts";
import { below, compareRates, type Result } from "../report/result.ts";
import type { Bench } from "../setting/bench.ts";
import { measureTurns } from "../setting/undisturbed.ts";
import { loadFully, transactionsOf, type FullLoadResult } from "../setting/load.ts";
import { perDelivery, processorTime } from "../setting/processor-time.ts";
import { startWithEndpoints, type RunningService } from "../setting/running.ts";

const ROUND_TRIPS_MAX = 0.01;
const WARM_SHARE = 0.65;
const COLD_SHARE = 0.6;
const SINGLE_SHARE = 0.5;
const SINGLE_COST_MAX = 1.5;

/** Callers that each wait for their answer. */
const SINGLES_OPEN = 64;

/** Connections that the ceiling opens at once. */
const COLD_OPEN = 64;

/** Backends write their statistics at most once a second. */
const STATISTICS_MS = 1_200;

export async function warmThroughput(bench: Bench): Promise<Result[]> {
  const { plan } = bench;
  const ports = bench.ports.slice(0, plan.endpoints);
  const running = await startWithEndpoints(bench, plan.endpoints);
  const ceiling = (seconds: number) => bench.ceiling.call("warm", { ports, seconds });
  await ceiling(plan.warmUpSeconds);
  await loadFully(bench, running, plan.warmUpSeconds);
  const roundTrips: number[] = [];
  const pairs = await measurePairs(bench, running, "warm", ceiling, async () => {
    const before = await transactionsOf(running.postgres);
    const full = await loadFully(bench, running, plan.seconds);
    await new Promise((resolve) => setTimeout(resolve, STATISTICS_MS));
    roundTrips.push(((await transactionsOf(running.postgres)) - before) / full.raised);
    return full;
  });
  await running.stop();
  return [
    compareRates(
      "durable deliveries a second, raise over HTTP to settled",
      pairs.rates,
      { name: "bare dispatch loop", rates: pairs.ceilings },
      WARM_SHARE,
    ),
    below("database round trips a delivery at full load", roundTrips, ROUND_TRIPS_MAX, (value) =>
      value.toFixed(4),
    ),
  ];
}

export async function coldThroughput(bench: Bench): Promise<Result[]> {
  const { plan, ports } = bench;
  const running = await startWithEndpoints(bench, ports.length);
  const ceiling = (seconds: number) => bench.ceiling.call("cold", { ports, seconds, open: COLD_OPEN });
  // A first visit to everybody, which leaves a TLS session behind, on either side.
  await ceiling(0);
  for (let visits = 0; visits < ports.length;)
    visits += (await loadFully(bench, running, plan.warmUpSeconds)).raised;
  const pairs = await measurePairs(bench, running, "cold", ceiling, () =>
    loadFully(bench, running, plan.seconds),
  );
  await running.stop();
  return [
    compareRates(
      `the same to ${ports.length} hosts in turn, their connections cold`,
      pairs.rates,
      { name: "bare loop that resumes TLS sessions", rates: pairs.ceilings },
      COLD_SHARE,
    ),
  ];
}

/** Each event in a request of its own, by turns with batches: what a request costs the service. */
export async function singleThroughput(batches: Bench): Promise<Result[]> {
  const singles = inSingles(batches);
  const { plan } = batches;
  const running = await startWithEndpoints(batches, plan.endpoints);
  for (const bench of [batches, singles]) await loadFully(bench, running, plan.warmUpSeconds);
  const pairs = await measureTurns(batches, async () => ({
    batch: await measureCost(batches, running),
    single: await measureCost(singles, running),
  }));
  await running.stop();
  const costs = pairs.map(({ single, batch }) => single.perEventUs / batch.perEventUs);
  return [
    compareRates(
      "durable deliveries a second, each event in a request of its own",
      pairs.map(({ single }) => single.perSecond),
      { name: `in requests of ${plan.eventsPerRequest}`, rates: pairs.map(({ batch }) => batch.perSecond) },
      SINGLE_SHARE,
    ),
    {
      ...below(
        "processor of the service for such an event, beside one in a batch",
        costs,
        SINGLE_COST_MAX,
        (ratio) => `${ratio.toFixed(2)} times`,
      ),
      ratio: { better: "less", runs: costs },
    },
  ];
}

export const inSingles = (bench: Bench): Bench => ({
  ...bench,
  plan: { ...bench.plan, eventsPerRequest: 1, requestsOpen: SINGLES_OPEN },
});

/** Deliveries a second, and what each takes of the service's processor. */
export type Cost = { readonly perSecond: number; readonly perEventUs: number };

export async function measureCost(bench: Bench, running: RunningService, name = "service"): Promise<Cost> {
  const whole = { service: running.service.pid, load: bench.raising.pid };
  const before = processorTime(whole);
  const { raised, perSecond } = await loadFully(bench, running, bench.plan.seconds);
  const after = processorTime(whole);
  bench.say(
    `${name}, ${bench.plan.eventsPerRequest} a request: ${Math.round(perSecond)} a second ` +
      `(${perDelivery(before, after, raised)})`,
  );
  const seconds = after.byProcess["service"]! - before.byProcess["service"]!;
  return { perSecond, perEventUs: (seconds * 1e6) / raised };
}

/** The ceiling and the service by turns; says who used the processors for what. */
async function measurePairs(
  bench: Bench,
  { service, postgres }: RunningService,
  name: string,
  ceiling: (seconds: number) => Promise<CeilingPace>,
  serve: () => Promise<FullLoadResult>,
): Promise<{ readonly rates: number[]; readonly ceilings: number[] }> {
  const { receiver, raising } = bench;
  const bare = { sender: bench.ceiling.pid, receiver: receiver.pid };
  const whole = {
    service: service.pid,
    PostgreSQL: postgres.pid(),
    receiver: receiver.pid,
    load: raising.pid,
  };
  const measure = async () => {
    await receiver.call("reset", { sequences: 0 });
    const looks = [processorTime(bare)];
    const { sent, seconds } = await ceiling(bench.plan.ceilingSeconds);
    const ofCeiling = await receiver.call("counts", undefined);
    looks.push(processorTime(bare), processorTime(whole));
    const { raised, perSecond } = await serve();
    looks.push(processorTime(whole));
    const { connections, resumed, arrivals } = await receiver.call("counts", undefined);
    bench.say(
      `${name}: ${Math.round(perSecond)} a second (${perDelivery(looks[2]!, looks[3]!, raised)}; ` +
        `${connections} connections, ${resumed} resumed, for ${arrivals} deliveries) beside ${Math.round(sent / seconds)} ` +
        `(${perDelivery(looks[0]!, looks[1]!, sent)}; ${ofCeiling.connections} connections, ${ofCeiling.resumed} resumed)`,
    );
    return { rate: perSecond, ceiling: sent / seconds };
  };
  const pairs = await measureTurns(bench, measure);
  return { rates: pairs.map((pair) => pair.rate), ceilings: pairs.map((pair) => pair.ceiling) };
}
