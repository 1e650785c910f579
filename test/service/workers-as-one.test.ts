/** What workers report as one, and how they share limits and connections. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { Counter, Gauge, Histogram, Registry } from "prom-client";

import { createLimiter } from "../../src/http/limiter.ts";
import { createMergedMetrics, type WorkerMetrics } from "../../src/service/workers/merged-metrics.ts";
import { mergeReadiness } from "../../src/service/workers/merged-readiness.ts";
import { createSharedUses } from "../../src/service/workers/shared-uses.ts";
import { connectionsMaxOf, workerCount } from "../../src/service/workers/worker-count.ts";
import { manualClock } from "../support/clock.ts";

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
