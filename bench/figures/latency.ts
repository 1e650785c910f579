/** From commit to arrival, at a fifth of full load. */
import { below, milliseconds, type Result } from "../report/result.ts";
import { percentile } from "../report/statistics.ts";
import type { Bench } from "../setting/bench.ts";
import { measureTurns } from "../setting/undisturbed.ts";
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
  const p99s = await measureTurns(bench, measure, plan.repeatsOfLong);
  await running.stop();
  return [below("p99 from commit to arrival at a fifth of full load", p99s, P99_MS_MAX, milliseconds)];
}
