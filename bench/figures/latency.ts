/** From commit to arrival, at a fifth of full load. */
import { below, milliseconds, type Result } from "../report/result.ts";
import { percentile } from "../report/statistics.ts";
import type { Bench } from "../setting/bench.ts";
import { measureUndisturbed } from "../setting/undisturbed.ts";
import { loadFully, loadPaced } from "../setting/load.ts";
import { startWithEndpoints } from "../setting/running.ts";

const P99_MS_MAX = 20;

/** The part of full load at which latencies are taken. */
export const PACE_SHARE = 1 / 5;

export async function latency(bench: Bench): Promise<Result[]> {
  const { plan } = bench;
  const running = await startWithEndpoints(bench, plan.endpoints);
  await loadFully(bench, running, plan.warmUpSeconds);
  const { perSecond } = await loadFully(bench, running, plan.seconds);
  const p99s: number[] = [];
  const patience = { left: plan.retries };
  const measure = async (): Promise<number> => {
    const latenciesMs = await loadPaced(bench, running, perSecond * PACE_SHARE);
    const [median, p99, most] = [0.5, 0.99, 1].map((share) => percentile(latenciesMs, share)) as [
      number,
      number,
      number,
    ];
    bench.say(
      `latency at ${Math.round(perSecond * PACE_SHARE)} a second: median ${milliseconds(median)}, ` +
        `p99 ${milliseconds(p99)}, most ${milliseconds(most)}`,
    );
    return p99;
  };
  for (let repeat = 0; repeat < plan.repeatsOfLong; repeat++) {
    p99s.push(await measureUndisturbed(bench, patience, measure));
  }
  await running.stop();
  return [below("p99 from commit to arrival at a fifth of full load", p99s, P99_MS_MAX, milliseconds)];
}
