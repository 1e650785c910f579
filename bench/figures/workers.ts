/**
 * What a second worker gives and costs on the same machine, database and load, by turns with one: beside everything
 * else, and where each worker has a part of a core to itself, which load, receiver and database cannot take.
 */
import { compareRates, percent, type Result } from "../report/result.ts";
import { createAccounts } from "../setting/accounts.ts";
import type { Bench } from "../setting/bench.ts";
import { loadFully } from "../setting/load.ts";
import { startPostgres } from "../setting/postgres.ts";
import { childrenOf, perDelivery, processorTime, type ProcessorTime } from "../setting/processor-time.ts";
import { openQuotas, type Quotas } from "../setting/quotas.ts";
import { startOn } from "../setting/running.ts";
import { measureTurns } from "../setting/undisturbed.ts";

/** With load, receiver and PostgreSQL beside them two cores have nothing to give: a second worker must cost little. */
const SHARE = 0.85;

/** Of a core, which leaves the rest of two to load, receiver and PostgreSQL. */
const QUOTA = 0.3;
const QUOTA_SHARE = 1.9;

/** A worker; until its code is compiled and its connections to all endpoints are open. */
const WARM_DELIVERIES = 15_000;

/** Of each worker, which is loaded as one alone is: a request waits for its worker's next commit. */
const REQUESTS_OPEN = 8;

export async function workersThroughput(all: Bench): Promise<Result[]> {
  const { plan, receiver, raising } = all;
  const postgres = await startPostgres(all);
  const accounts = await createAccounts(postgres, all.ports.slice(0, plan.endpoints));

  async function measure(workers: number, quotas: Quotas | null): Promise<number> {
    const bench = { ...all, plan: { ...plan, requestsOpen: REQUESTS_OPEN * workers } };
    const running = await startOn(bench, postgres, accounts, { BOATHOOK_WORKERS: String(workers) });
    await untilAllServe(running.service.ops, workers);
    for (let raised = 0; raised < WARM_DELIVERIES * workers;)
      raised += (await loadFully(bench, running, plan.warmUpSeconds)).raised;
    const { pid } = running.service;
    quotas?.hold(workers === 1 ? [pid] : childrenOf(pid), QUOTA);
    const whole = {
      service: pid,
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

  async function measured(workers: number, quotas: Quotas | null): Promise<number> {
    try {
      return await measure(workers, quotas);
    } finally {
      quotas?.remove();
    }
  }

  async function compare(name: string, quotas: Quotas | null, share: number): Promise<Result> {
    const pairs = await measureTurns(
      all,
      async () => [await measured(1, quotas), await measured(2, quotas)] as const,
    );
    const [ones, twos] = [pairs.map(([one]) => one), pairs.map(([, two]) => two)];
    return compareRates(
      `durable deliveries a second by two workers${name}`,
      twos,
      { name: "one worker", rates: ones },
      share,
    );
  }

  const results = [await compare("", null, SHARE)];
  const quotas = openQuotas();
  if (quotas === null) all.say("no worker has a part of a core to itself: this process may make no cgroups");
  else results.push(await compare(`, each with ${percent(QUOTA)} of a core to itself`, quotas, QUOTA_SHARE));
  await postgres.stop();
  return results;
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
