/** What a second worker gives and costs on the same machine, database and load, by turns with one. */
import { compareRates, percent, type Result } from "../report/result.ts";
import { createAccounts } from "../setting/accounts.ts";
import type { Bench } from "../setting/bench.ts";
import { loadFully } from "../setting/load.ts";
import { startPostgres } from "../setting/postgres.ts";
import { perDelivery, processorTime, type ProcessorTime } from "../setting/processor-time.ts";
import { startOn } from "../setting/running.ts";
import { measureTurns } from "../setting/undisturbed.ts";

/** With load, receiver and PostgreSQL beside them two cores have nothing to give: a second worker must cost little. */
const SHARE = 0.85;

/** A worker; until its code is compiled and its connections to all endpoints are open. */
const WARM_DELIVERIES = 15_000;

/** Open requests for each worker's sake: a request waits for its worker's next commit. */
const REQUESTS_OPEN = 8;

export async function workersThroughput(all: Bench): Promise<Result[]> {
  const bench = { ...all, plan: { ...all.plan, requestsOpen: REQUESTS_OPEN } };
  const { plan, receiver, raising } = bench;
  const postgres = await startPostgres(bench);
  const accounts = await createAccounts(postgres, bench.ports.slice(0, plan.endpoints));

  async function measure(workers: number): Promise<number> {
    const running = await startOn(bench, postgres, accounts, { BOATHOOK_WORKERS: String(workers) });
    await untilAllServe(running.service.ops, workers);
    for (let raised = 0; raised < WARM_DELIVERIES * workers;)
      raised += (await loadFully(bench, running, plan.warmUpSeconds)).raised;
    const whole = {
      service: running.service.pid,
      PostgreSQL: postgres.pid(),
      receiver: receiver.pid,
      load: raising.pid,
    };
    const before = processorTime(whole);
    const { raised, perSecond } = await loadFully(bench, running, plan.seconds);
    const after = processorTime(whole);
    bench.say(
      `${workers} workers: ${Math.round(perSecond)} a second (${perDelivery(before, after, raised)}; ${shares(before, after)})`,
    );
    await running.service.stop();
    return perSecond;
  }

  const pairs = await measureTurns(bench, async () => [await measure(1), await measure(2)] as const);
  await postgres.stop();
  return [
    compareRates(
      "durable deliveries a second by two workers",
      pairs.map(([, two]) => two),
      { name: "one worker", rates: pairs.map(([one]) => one) },
      SHARE,
    ),
  ];
}

/** Of the processor time that was used. */
function shares(before: ProcessorTime, after: ProcessorTime): string {
  const used = Object.entries(after.byProcess).map(
    ([name, seconds]) => [name, seconds - before.byProcess[name]!] as const,
  );
  const all = used.reduce((sum, [, seconds]) => sum + seconds, 0);
  return used.map(([name, seconds]) => `${name} ${percent(seconds / all)}`).join(", ");
}

async function untilAllServe(ops: string, workers: number): Promise<void> {
  if (workers === 1) return;
  for (;;) {
    const text = await (await fetch(`${ops}/metrics`)).text();
    if (text.includes(`\nboathook_workers ${workers}\n`)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
