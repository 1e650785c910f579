/** The supervision of workers, with processes of the test's own making. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Counter, Gauge, Histogram, Registry } from "prom-client";

import { openChannel, type Answers, type MessagePort } from "../../src/runtime/process-channel.ts";
import type { WorkerEnd } from "../../src/runtime/worker-processes.ts";
import { superviseWorkers } from "../../src/service/workers/supervisor.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";
import { createLimiter } from "../../src/http/limiter.ts";
import { createMergedMetrics, type WorkerMetrics } from "../../src/service/workers/merged-metrics.ts";
import { mergeReadiness } from "../../src/service/workers/merged-readiness.ts";
import { createSharedUses } from "../../src/service/workers/worker.ts";
import { connectionsMaxOf, workerCount } from "../../src/service/workers/worker-count.ts";
import { column } from "../support/columns.ts";

/** The two ends of a channel. A message arrives as JSON would bring it. */
function pipe(): readonly [MessagePort, MessagePort] {
  const takers: ((message: unknown) => void)[][] = [[], []];
  const end = (own: number): MessagePort => ({
    send: (message) => {
      const copy: unknown = JSON.parse(JSON.stringify(message));
      queueMicrotask(() => takers[1 - own]!.forEach((take) => take(copy)));
    },
    onMessage: (take) => void takers[own]!.push(take),
  });
  return [end(0), end(1)];
}

function supervised(count = 2) {
  const clock = manualClock();
  const log = recordingLog();
  const workers: ReturnType<typeof makeWorker>[] = [];
  const database = { problem: null as string | null, answers: null as PromiseWithResolvers<void> | null };

  function makeWorker(number: number) {
    const [ofPrimary, ofWorker] = pipe();
    const ended = Promise.withResolvers<WorkerEnd>();
    const worker = { number, isFrozen: false, isStopped: false, reasons: {} };
    const frozen = new Promise<never>(() => undefined);
    const unlessFrozen = <T>(answer: () => T) => (worker.isFrozen ? frozen : answer());
    const answers: Answers = {
      alive: () => unlessFrozen(() => true),
      reasons: () => unlessFrozen(() => worker.reasons),
      ownMetrics: () => unlessFrozen(() => []),
      stop: () => void (worker.isStopped = true),
    };
    const channel = openChannel(ofWorker, clock, answers);
    const kill = () => ended.resolve({ status: null, signal: "SIGKILL" });
    return {
      ...worker,
      state: worker,
      process: { pid: number, port: ofPrimary, ended: ended.promise, kill },
      ask: channel.ask,
      started: () => channel.ask("started", 1_000, { publicUrl: null, opsUrl: "http://ops" }),
      failed: () => channel.ask("failed", 1_000, { message: "no file", status: 1 }),
      endBy: (signal: string) => ended.resolve({ status: null, signal }),
      end: (status: number) => ended.resolve({ status, signal: null }),
    };
  }

  const supervisor = superviseWorkers(count, {
    clock,
    log,
    startProcess(number) {
      const worker = makeWorker(number);
      workers.push(worker);
      return worker.process;
    },
    async checkDatabase() {
      await database.answers?.promise;
      return database.problem;
    },
    ownMetrics: async () => [],
    history: () => [],
  });
  const allServe = async () => {
    for (let index = 0; index < count; index++) {
      await workers[index]!.started();
      await clock.advance(0);
    }
  };
  return { clock, log, workers, database, supervisor, allServe };
}

/** The failure of a service, or null while there is none. */
async function failureOf({ supervisor, clock }: ReturnType<typeof supervised>) {
  const none = clock.advance(0).then(() => null);
  return Promise.race([supervisor.failed, none]);
}

describe("supervision", () => {
  test("the first worker starts alone, and the others when it serves", async () => {
    const { workers, supervisor, clock } = supervised(3);
    await clock.advance(10_000);
    assert.equal(workers.length, 1);
    await workers[0]!.started();
    assert.deepEqual(await supervisor.listening, { publicUrl: null, opsUrl: "http://ops" });
    assert.deepEqual(column(workers, "number"), [1, 2, 3]);
    assert.deepEqual(supervisor.gauges(), { serving: 1, restarts: 0 });
  });

  test("a first start that fails ends the service at once, with the worker's own reason", async () => {
    const scene = supervised();
    await scene.workers[0]!.failed();
    scene.workers[0]!.end(1);
    assert.deepEqual(await failureOf(scene), { message: "no file", status: 1 });
  });

  test("a stop while the first worker starts is no failure, and waits for it", async () => {
    const { supervisor, workers, clock } = supervised();
    const stopping = supervisor.stop(10_000);
    await clock.advance(100);
    assert.ok(workers[0]!.state.isStopped);
    workers[0]!.end(0);
    assert.equal(await stopping, true);
    assert.equal(workers.length, 1);
  });

  test("a signal to all of them that ends a worker which cannot take it yet is no failure", async () => {
    const late = supervised();
    late.workers[0]!.endBy("SIGTERM");
    assert.equal(await failureOf(late), null);
    assert.equal(await late.supervisor.stop(10_000), true);
    const early = supervised();
    const stopping = early.supervisor.stop(10_000);
    early.workers[0]!.endBy("SIGINT");
    assert.equal(await stopping, true);
    const killed = supervised();
    killed.workers[0]!.endBy("SIGKILL");
    assert.match((await failureOf(killed))!.message, /SIGKILL/);
    const serving = supervised();
    await serving.allServe();
    const ending = serving.supervisor.stop(10_000);
    serving.workers[0]!.endBy("SIGTERM");
    serving.workers[1]!.end(0);
    assert.equal(await ending, false, "one that served has to drain");
  });

  test("a worker that ends starts again, after longer each time, and at once when it had settled", async () => {
    const scene = supervised();
    const { clock, workers } = scene;
    await scene.allServe();
    for (const delayMs of [250, 500, 1_000, 2_000]) {
      const before = workers.length;
      workers.at(-1)!.end(1);
      await clock.advance(delayMs - 1);
      assert.equal(workers.length, before);
      await clock.advance(1);
      assert.equal(workers.length, before + 1);
      assert.equal(workers.at(-1)!.number, 2);
      await workers.at(-1)!.started();
    }
    await clock.advance(60_000);
    const before = workers.length;
    workers.at(-1)!.end(0);
    await clock.advance(250);
    assert.equal(workers.length, before + 1);
    assert.equal(await failureOf(scene), null);
    assert.equal(scene.supervisor.gauges().restarts, 5);
  });

  test("the fifth failed start in a row ends the service; one that serves in between begins the count again", async () => {
    const scene = supervised();
    const { clock, workers } = scene;
    await scene.allServe();
    const failTimes = async (times: number) => {
      for (let count = 0; count < times; count++) {
        await workers.at(-1)!.failed();
        workers.at(-1)!.end(1);
        await clock.advance(30_000);
      }
    };
    workers.at(-1)!.end(1);
    await clock.advance(30_000);
    await failTimes(4);
    await workers.at(-1)!.started();
    workers.at(-1)!.end(1);
    await clock.advance(30_000);
    await failTimes(4);
    assert.equal(await failureOf(scene), null);
    await failTimes(1);
    assert.deepEqual(await failureOf(scene), { message: "no file", status: 1 });
  });

  test("no worker starts while the database is gone, and that counts for no failure", async () => {
    const scene = supervised();
    const { clock, workers, database } = scene;
    await scene.allServe();
    database.problem = "the database cannot be reached";
    workers[1]!.end(1);
    await clock.advance(600_000);
    assert.equal(workers.length, 2);
    database.problem = null;
    await clock.advance(1_000);
    assert.equal(workers.length, 3);
  });

  test("a frozen worker is reported after three checks and killed after fifteen", async () => {
    const { clock, workers, supervisor, allServe } = supervised();
    await allServe();
    const readiness = () => workers[0]!.ask("readiness", 10_000);
    assert.deepEqual(await readiness(), { checks: {} });
    workers[1]!.state.isFrozen = true;
    await clock.advance(4_000);
    assert.deepEqual(await readiness(), {
      checks: {},
      workers: { 2: { service: "the worker does not answer" } },
    });
    await clock.advance(9_000);
    assert.equal(workers.length, 2);
    await clock.advance(3_000);
    assert.equal(workers.length, 3, "it was killed, and another started");
    await workers[2]!.started();
    assert.deepEqual(supervisor.gauges(), { serving: 2, restarts: 1 });
    assert.deepEqual(await readiness(), { checks: {} });
  });

  test("a stop ends the wait for a database that is gone", async () => {
    const { clock, workers, database, supervisor, allServe } = supervised();
    await allServe();
    database.problem = "the database cannot be reached";
    workers[1]!.end(1);
    // The check waits for its answer.
    database.answers = Promise.withResolvers();
    await clock.advance(1_000);
    const stopped = supervisor.stop(10_000);
    database.answers.resolve();
    workers[0]!.end(0);
    await clock.advance(0);
    assert.equal(await stopped, true);
    await clock.advance(0);
    assert.equal(clock.pending(), 0);
  });

  test("a worker that still starts at the deadline of a stop is killed, and that is no failure", async () => {
    const { clock, workers, supervisor } = supervised();
    await workers[0]!.started();
    await clock.advance(0);
    const stopping = supervisor.stop(10_000);
    workers[0]!.end(0);
    await clock.advance(10_000);
    assert.equal(await stopping, true);
  });

  test("a stop asks all, waits for them, and kills one that takes too long", async () => {
    const { clock, workers, supervisor, allServe } = supervised();
    await allServe();
    const stopped = supervisor.stop(10_000);
    await clock.advance(5_000);
    assert.ok(workers.every(({ state }) => state.isStopped));
    workers[0]!.end(0);
    await clock.advance(5_000);
    assert.equal(await stopped, false);
    assert.equal(workers.length, 2, "none starts again");
    assert.equal(clock.pending(), 0);
  });
});

test("a service is ready while one worker is; otherwise each check names its reasons once", () => {
  const database = { database: "it does not answer" };
  assert.deepEqual(mergeReadiness(new Map([[1, {}]])), { checks: {} });
  const both = (two: Record<string, string>) =>
    new Map<number, Record<string, string>>([
      [1, database],
      [2, two],
    ]);
  assert.deepEqual(mergeReadiness(both({})), { checks: {}, workers: { 1: database } });
  const hangs = { ...database, engine: "it hangs" };
  assert.deepEqual(mergeReadiness(both(hangs)), { checks: hangs, workers: { 1: database, 2: hangs } });
});

test("counters and histograms add up and outlive their worker; gauges add up or say otherwise", async () => {
  const worker = async (count: number): Promise<WorkerMetrics> => {
    const registers = [new Registry()];
    new Counter({ name: "raised_total", help: "h", labelNames: ["kind"], registers }).inc(
      { kind: "a" },
      count,
    );
    new Histogram({ name: "seconds", help: "h", buckets: [1, 5], registers }).observe(count);
    new Gauge({ name: "open", help: "h", registers }).set(count);
    new Gauge({ name: "queued", help: "h", aggregator: "max", registers }).set(count);
    return JSON.parse(JSON.stringify(await registers[0]!.getMetricsAsJSON()));
  };
  const merged = createMergedMetrics();
  merged.report(1, await worker(2));
  merged.report(2, await worker(3));
  const raised = (await merged.values([])).find(({ name }) => name === "raised_total");
  assert.deepEqual(
    raised?.values.map(({ labels, value }) => [labels["kind"], value]),
    [["a", 5]],
  );
  const lines = async () => (await merged.text([])).split("\n").filter((line) => /^[a-z]/.test(line));
  const counted = [
    'raised_total{kind="a"} 5',
    'seconds_bucket{le="1"} 0',
    'seconds_bucket{le="5"} 2',
    'seconds_bucket{le="+Inf"} 2',
    "seconds_sum 5",
    "seconds_count 2",
  ];
  assert.deepEqual(await lines(), [...counted, "open 5", "queued 3"]);
  merged.ended(2);
  assert.deepEqual((await lines()).toSorted(), [...counted, "open 2", "queued 2"].toSorted());
  merged.ended(1);
  merged.report(1, await worker(1));
  assert.ok((await lines()).includes('raised_total{kind="a"} 6'));
});

test("a limit holds for all workers together", async () => {
  const clock = manualClock();
  const heard: ReturnType<typeof createSharedUses>[] = [];
  const limiters = [0, 1].map((own) => {
    heard.push(createSharedUses(clock, (uses) => heard[1 - own]!.add(uses)));
    return createLimiter(clock, 10, { share: heard[own]!.share("key") });
  });
  for (let times = 0; times < 6; times++) limiters[0]!.take("caller");
  await clock.advance(250);
  const allowed = Array.from({ length: 6 }, () => limiters[1]!.take("caller").allowed);
  assert.deepEqual(allowed, [true, true, true, true, false, false]);
  assert.equal(limiters[1]!.take("other").remaining, 9);
  await clock.advance(250);
  assert.equal(limiters[0]!.take("caller").allowed, false);
  await clock.advance(60_000);
  assert.equal(limiters[0]!.take("caller").allowed, true);
});

test("workers follow the cores, and share the connections that PostgreSQL has", () => {
  const embedded = { workers: null, databaseUrl: null };
  const external = { workers: null, databaseUrl: "postgres://db/boathook" };
  const counts = (settings: typeof embedded | typeof external) =>
    [1, 2, 4, 8, 16, 64].map((cores) => workerCount(settings, cores));
  assert.deepEqual(counts(embedded), [1, 1, 3, 6, 12, 16]);
  assert.deepEqual(counts(external), [1, 2, 4, 8, 16, 16]);
  for (const local of [
    "postgres://localhost/b",
    "postgres://127.0.0.1:5433/b",
    "postgres:///b?host=/run/postgresql",
  ])
    assert.equal(workerCount({ workers: null, databaseUrl: local }, 2), 1, local);
  assert.equal(workerCount({ workers: 3, databaseUrl: null }, 1), 3);
  const unset = { databaseConnectionsMax: null };
  assert.deepEqual(
    [1, 6, 8, 16, 64].map((workers) => connectionsMaxOf(unset, workers)),
    [10, 10, 7, 3, 2],
  );
  assert.equal(connectionsMaxOf({ databaseConnectionsMax: 20 }, 16), 20);
});
