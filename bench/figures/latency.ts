/** From commit to arrival, at a fifth of full load. */
import { below, milliseconds, type Result } from "../report/result.ts";
import { percentile } from "../report/statistics.ts";
import type { Bench } from "../setting/bench.ts";
import { loadFully, loadPaced } from "../setting/load.ts";
import { startRunning } from "../setting/running.ts";

const P99_MS_MAX = 20;

/** The part of full load at which latencies are taken. */
export const PACE_SHARE = 1 / 5;

export async function latency(bench: Bench): Promise<Result[]> {
  const { plan } = bench;
  const running = await startRunning(bench, plan.endpoints);
  await loadFully(bench, running, plan.warmUpSeconds);
  const { perSecond } = await loadFully(bench, running, plan.seconds);
  const p99s: number[] = [];
  for (let repeat = 0; repeat < plan.repeatsOfLong; repeat++) {
    const latenciesMs = await loadPaced(bench, running, perSecond * PACE_SHARE);
    p99s.push(percentile(latenciesMs, 0.99));
    bench.say(
      `latency at ${Math.round(perSecond * PACE_SHARE)} a second: median ${milliseconds(percentile(latenciesMs, 0.5))}, ` +
        `p99 ${milliseconds(p99s.at(-1)!)}, most ${milliseconds(percentile(latenciesMs, 1))}`,
    );
  }
  await running.stop();
  return [below("p99 from commit to arrival at a fifth of full load", p99s, P99_MS_MAX, milliseconds)];
}
