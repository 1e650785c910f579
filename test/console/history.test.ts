/** What the console's charts show. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { Gauge, Registry } from "prom-client";

import { createHistory } from "../../src/operator/console/history.ts";
import { countAttempts } from "../../src/service/attempt-metrics.ts";
import { sampledOf } from "../../src/service/history.ts";

const START_MS = Date.UTC(2026, 10, 2, 12);
const ANSWERED = { kind: "answered", statusCode: 200 } as const;

test("a sample is what was counted in its step, with the time that half and nearly all took", async () => {
  const registry = new Registry();
  const count = countAttempts(registry);
  const queue = new Gauge({
    name: "boathook_queue_deliveries",
    help: "h",
    labelNames: ["product", "state"],
    registers: [registry],
  });
  const history = createHistory();
  count("air", ANSWERED, "delivered", 5_000, 5_000);
  history.take(await sampledOf(registry), START_MS);
  assert.deepEqual(history.read("hour"), []);
  for (let times = 0; times < 99; times += 1) count("air", ANSWERED, "delivered", 20, 40);
  count("ocean", ANSWERED, "delivered", 800, 4_000);
  count("ocean", ANSWERED, "dead", 9, null);
  queue.set({ product: "air", state: "due" }, 2);
  queue.set({ product: "ocean", state: "due" }, 3);
  history.take(await sampledOf(registry), START_MS + 10_000);
  const [sample] = history.read("hour");
  const { attempt_seconds: attempt, arrival_seconds: arrival, ...rest } = sample!;
  assert.deepEqual(rest, {
    at: new Date(START_MS + 10_000).toISOString(),
    seconds: 10,
    delivered: { air: 99, ocean: 1 },
    failed_attempts: {},
    dead: { ocean: 1 },
    backlog: { due: 5 },
  });
  assert.ok(attempt!.p50 > 0.01 && attempt!.p50 <= 0.025, String(attempt!.p50));
  assert.ok(arrival!.p50 > 0.025 && arrival!.p99 <= 0.05, JSON.stringify(arrival));
  history.take(await sampledOf(registry), START_MS + 20_000);
  assert.equal(history.read("hour")[1]!.arrival_seconds, null);
});

test("it keeps an hour in steps of ten seconds and a day in steps of two minutes, and no more", () => {
  const history = createHistory();
  for (let step = 0; step <= 9_000; step += 1) history.take([], START_MS + step * 10_000);
  const [hour, day] = [history.read("hour"), history.read("day")];
  assert.deepEqual([hour.length, day.length], [360, 720]);
  assert.deepEqual([hour[0]!.seconds, day[0]!.seconds], [10, 120]);
  assert.equal(hour.at(-1)!.at, new Date(START_MS + 90_000_000).toISOString());
});
