/** What endpoints that hang or answer 500 do to the others. */
import { compareRates, milliseconds, type Result } from "../report/result.ts";
import { percentile, sampleOf } from "../report/statistics.ts";
import type { Bench } from "../setting/bench.ts";
import { measureUndisturbed } from "../setting/undisturbed.ts";
import { loadFully, loadPaced } from "../setting/load.ts";
import { startWithEndpoints } from "../setting/running.ts";
import type { Settings } from "../setting/service.ts";
import { PACE_SHARE } from "./latency.ts";

const THROUGHPUT_SHARE = 0.9;
const P99_RATIO_MAX = 1.5;

/** One endpoint in ten hangs and one in ten answers 500, spread evenly, so that every request holds as many. */
const STRIDE = 10;
const HANGING = 0;
const FAILING = 1;
const isHealthy = (endpoint: number) => endpoint % STRIDE !== HANGING && endpoint % STRIDE !== FAILING;
const HEALTHY_SHARE = 0.8;

type Scenario = { readonly name: string; readonly faulty: boolean; readonly settings: Settings };

const SCENARIOS: readonly Scenario[] = [
  { name: "all well", faulty: false, settings: {} },
  // Kept active, so that they go on being attempted: the harder setting, and the one that counts.
  {
    name: "a fifth faulty and kept active",
    faulty: true,
    settings: { BOATHOOK_DISABLE_AFTER_FAILURES: "1000000" },
  },
  { name: "a fifth faulty, disabled after 20 failures", faulty: true, settings: {} },
];

type Measured = { readonly perSecond: number; readonly p99Ms: number };

export async function faults(bench: Bench): Promise<Result[]> {
  const measured = SCENARIOS.map((): Measured[] => []);
  // All latencies are taken at one rate, that of the first run.
  let pace = 0;
  const patience = { left: bench.plan.retries };
  for (let repeat = 0; repeat < bench.plan.repeatsOfLong; repeat++) {
    for (const [index, setting] of SCENARIOS.entries()) {
      const one = await measureUndisturbed(bench, patience, () => measure(bench, setting, pace));
      pace ||= (one.perSecond / HEALTHY_SHARE) * PACE_SHARE;
      measured[index]!.push(one);
    }
  }
  const [base, ...others] = measured;
  return others.flatMap((other, index) => compare(SCENARIOS[index + 1]!.name, base!, other));
}

async function measure(bench: Bench, { name, faulty, settings }: Scenario, pace: number): Promise<Measured> {
  const { endpoints, warmUpSeconds, seconds } = bench.plan;
  const all = Array.from({ length: endpoints }, (_, endpoint) => endpoint);
  const running = await startWithEndpoints(bench, endpoints, settings);
  await bench.receiver.call("behave", {
    hang: faulty ? all.filter((endpoint) => endpoint % STRIDE === HANGING) : [],
    fail: faulty ? all.filter((endpoint) => endpoint % STRIDE === FAILING) : [],
  });
  const share = faulty ? HEALTHY_SHARE : 1;
  await loadFully(bench, running, warmUpSeconds, share);
  const full = await loadFully(bench, running, seconds, share);
  // With nobody faulty the same endpoints get their part of what everybody gets.
  const perSecond = faulty ? full.perSecond : full.perSecond * HEALTHY_SHARE;
  const latenciesMs = await loadPaced(
    bench,
    running,
    pace || (perSecond / HEALTHY_SHARE) * PACE_SHARE,
    faulty ? isHealthy : undefined,
  );
  await running.service.kill();
  await running.stop();
  await bench.receiver.call("behave", { hang: [], fail: [] });
  const p99Ms = percentile(latenciesMs, 0.99);
  bench.say(`${name}: ${Math.round(perSecond)} a second to healthy endpoints, p99 ${milliseconds(p99Ms)}`);
  return { perSecond, p99Ms };
}

function compare(name: string, base: readonly Measured[], other: readonly Measured[]): Result[] {
  const baseP99 = sampleOf(base.map(({ p99Ms }) => p99Ms));
  const p99 = sampleOf(other.map(({ p99Ms }) => p99Ms));
  const runs = other.map(({ p99Ms }, index) => p99Ms / base[index]!.p99Ms);
  const ratio = sampleOf(runs);
  return [
    compareRates(
      `healthy endpoints' throughput, ${name}`,
      other.map(({ perSecond }) => perSecond),
      { name: "all well", rates: base.map(({ perSecond }) => perSecond) },
      THROUGHPUT_SHARE,
    ),
    {
      figure: `healthy endpoints' p99, ${name}`,
      measured: `${milliseconds(p99.median)}: ${ratio.median.toFixed(2)} times`,
      baseline: `all well ${milliseconds(baseP99.median)}`,
      target: `at most ${P99_RATIO_MAX} times`,
      reached: ratio.median <= P99_RATIO_MAX,
      samples: { p99, baseP99, ratio },
      ratio: { better: "less", runs },
    },
  ];
}
