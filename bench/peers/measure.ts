/** What is measured of each service, with nothing but its API and the receiver. */
import { percentile } from "../report/statistics.ts";
import type { PostingCalls } from "../processes/posting.ts";
import type { Process } from "../processes/calls.ts";
import type { Bench } from "../setting/bench.ts";
import { processorTime } from "../setting/processor-time.ts";
import { until, type Peer, type RunningPeer } from "./peer.ts";

/** Callers that each wait for their answer. */
const OPEN = 64;
const WARM_UP_SECONDS = 2;
const FULL_SECONDS = 3;
/** Below what any of them does on two cores. */
export const PACE = 100;
const PACED_SECONDS = 8;
const HANGING_STRIDE = 10;

/** How long what was accepted may take to arrive, and to be recorded. */
const ARRIVE_MS_MAX = 120_000;
/** Counting costs the service's own database. */
const COUNT_EVERY_MS = 1_000;
/** The same beside endpoints that hang: who is later counts as not arrived. */
const HANGING_WAIT_MS = 15_000;

export type Measured = {
  /** Messages a second, from the first request to the last arrival. */
  readonly perSecond: number;
  /** Of all processes of the service a delivery, recorded. */
  readonly processorUs: number;
  /** From the request to the arrival, at `PACE`. */
  readonly p99Ms: number;
  /** At the same pace while one endpoint in ten hangs: of the deliveries to the others. */
  readonly besideHanging: { readonly arrived: number; readonly p99Ms: number };
};

export async function measure(bench: Bench, posting: Process<PostingCalls>, peer: Peer): Promise<Measured> {
  const running = await peer.start(bench);
  try {
    await posting.call("aim", running.target);
    await full(bench, posting, running, WARM_UP_SECONDS);
    const { perSecond, processorUs } = await full(bench, posting, running, FULL_SECONDS);
    const calm = await paced(bench, posting, [], ARRIVE_MS_MAX);
    const hanging = bench.ports.map((_, endpoint) => endpoint).filter((n) => n % HANGING_STRIDE === 0);
    const besideHanging = await paced(bench, posting, hanging, HANGING_WAIT_MS);
    return { perSecond, processorUs, p99Ms: calm.p99Ms, besideHanging };
  } finally {
    await running.stop();
    await bench.receiver.call("behave", { hang: [], fail: [] });
  }
}

async function full(
  bench: Bench,
  posting: Process<PostingCalls>,
  running: RunningPeer,
  seconds: number,
): Promise<Pick<Measured, "perSecond" | "processorUs">> {
  const recordedBefore = await running.recorded();
  await bench.receiver.call("reset", { sequences: 0 });
  const before = processorTime(running.processes);
  const startedMs = performance.now();
  const posted = await posting.call("full", { open: OPEN, seconds });
  const isAll = await bench.receiver.call("reached", { count: posted, withinMs: ARRIVE_MS_MAX });
  const perSecond = (posted * 1_000) / (performance.now() - startedMs);
  if (!isAll) throw new Error(`not all of ${posted} messages arrived`);
  await until(
    "the record of all deliveries",
    ARRIVE_MS_MAX,
    async () => {
      return (await running.recorded()) - recordedBefore >= posted;
    },
    COUNT_EVERY_MS,
  );
  const after = processorTime(running.processes);
  const each = Object.entries(after.byProcess).map(
    ([name, spent]) => [name, ((spent - before.byProcess[name]!) * 1e6) / posted] as const,
  );
  bench.say(
    `  ${Math.round(perSecond)} a second; ${each.map(([name, us]) => `${name} ${us.toFixed(0)} µs`).join(", ")}`,
  );
  return { perSecond, processorUs: each.reduce((sum, [, us]) => sum + us, 0) };
}

/** Of the deliveries to endpoints that do not hang. */
async function paced(
  bench: Bench,
  posting: Process<PostingCalls>,
  hang: readonly number[],
  withinMs: number,
): Promise<Measured["besideHanging"]> {
  await bench.receiver.call("behave", { hang, fail: [] });
  await bench.receiver.call("reset", { sequences: PACE * PACED_SECONDS });
  const postedAtMs = await posting.call("paced", { perSecond: PACE, seconds: PACED_SECONDS });
  const healthy = [...postedAtMs.keys()].filter((index) => !hang.includes(index % bench.ports.length));
  await bench.receiver.call("reached", { count: healthy.length, withinMs });
  const arrivedAtMs = await bench.receiver.call("arrivedAtMs", undefined);
  const latenciesMs = healthy.flatMap((index) =>
    arrivedAtMs[index] === 0 ? [] : [arrivedAtMs[index]! - postedAtMs[index]!],
  );
  const arrived = latenciesMs.length / healthy.length;
  // Who has not arrived is later than all that have.
  const late = Array.from({ length: healthy.length - latenciesMs.length }, () => Number.POSITIVE_INFINITY);
  const [medianMs, p99Ms] = [0.5, 0.99].map((share) => percentile([...latenciesMs, ...late], share)) as [
    number,
    number,
  ];
  bench.say(
    `  ${PACE} a second, ${hang.length} endpoints hang: ${(arrived * 100).toFixed(1)} % arrived, ` +
      `median ${medianMs.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
  );
  return { arrived, p99Ms };
}
