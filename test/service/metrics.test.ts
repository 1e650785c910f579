import assert from "node:assert/strict";
import { test } from "node:test";

import { Registry } from "prom-client";

import type { Engine } from "../../src/engine/engine.ts";
import type { Outcome } from "../../src/model/delivery.ts";
import { createMetrics } from "../../src/service/metrics.ts";
import { countUpstreams } from "../../src/service/request-metrics.ts";
import { manualClock } from "../support/clock.ts";

const answered = (statusCode: number): Outcome => ({ kind: "answered", statusCode });
const failed: Outcome = { kind: "failed", error: { code: "timeout", text: "no answer" }, statusCode: 200 };

/** The values of one metric, by its labels. */
async function valuesOf(
  metrics: Pick<ReturnType<typeof createMetrics>, "registry">,
  name: string,
): Promise<Record<string, number>> {
  const lines = (await metrics.registry.metrics()).split("\n").filter((line) => line.startsWith(`${name}{`));
  return Object.fromEntries(
    lines.map((line) => [line.slice(name.length, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]),
  );
}

test("what an alert waits for to increase has a value before it does", async () => {
  const { registry, counts } = createMetrics({ version: "1.2.3", commit: "1f2e3d4c" }, manualClock(), [
    "air",
  ]);
  counts.onPostponed("out_of_sockets");
  const text = await registry.metrics();
  for (const line of [
    'boathook_endpoints_disabled_total{product="air"} 0',
    'boathook_unheard_events_total{product="air"} 0',
    'boathook_deliveries_expired_total{product="air"} 0',
    'boathook_deliveries_total{product="air",outcome="dead"} 0',
    'boathook_attempts_postponed_total{reason="out_of_sockets"} 1',
    'boathook_attempts_postponed_total{reason="name_servers_unreachable"} 0',
  ])
    assert.ok(text.includes(`\n${line}\n`), line);
});

test("attempts are counted by product and class of result, the same however often they are read", async () => {
  const metrics = createMetrics({ version: "1.2.3", commit: "1f2e3d4c" }, manualClock());
  for (const status of [200, 204, 301, 404, 500, 503])
    metrics.counts.onAttempt(
      "air",
      answered(status),
      status < 300 ? "delivered" : "pending",
      30,
      status < 300 ? 900 : null,
    );
  metrics.counts.onAttempt("rates", failed, "dead", 10_000, null);
  for (let read = 0; read < 2; read++) {
    const counts = await valuesOf(metrics, "boathook_attempts_total");
    assert.deepEqual(Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)), {
      '{product="air",result="2xx"}': 2,
      '{product="air",result="3xx"}': 1,
      '{product="air",result="4xx"}': 1,
      '{product="air",result="5xx"}': 2,
      '{product="rates",result="error"}': 1,
    });
    assert.deepEqual(await valuesOf(metrics, "boathook_deliveries_total"), {
      '{product="air",outcome="delivered"}': 2,
      '{product="air",outcome="failed_attempt"}': 4,
      '{product="air",outcome="dead"}': 0,
      '{product="rates",outcome="delivered"}': 0,
      '{product="rates",outcome="failed_attempt"}': 0,
      '{product="rates",outcome="dead"}': 1,
    });
    const attempts = await valuesOf(metrics, "boathook_attempt_seconds_bucket");
    assert.deepEqual(
      ["0.025", "0.05", "10", "+Inf"].map((le) => attempts[`{le="${le}",product="air"}`]),
      [0, 6, 6, 6],
    );
    const arrivals = await valuesOf(metrics, "boathook_arrival_seconds_bucket");
    assert.deepEqual(
      ["0.5", "1", "+Inf"].map((le) => arrivals[`{le="${le}",product="air"}`]),
      [0, 2, 2],
    );
    assert.deepEqual(await valuesOf(metrics, "boathook_arrival_seconds_sum"), {
      '{product="air"}': 1.8,
      '{product="rates"}': 0,
    });
  }
});

test("disabled endpoints and unheard events are counted from 0 for each product, so that the first is seen", async () => {
  const metrics = createMetrics({ version: "1.2.3", commit: "1f2e3d4c" }, manualClock(), ["air", "rates"]);
  metrics.counts.onDisabled("air");
  assert.deepEqual(await valuesOf(metrics, "boathook_endpoints_disabled_total"), {
    '{product="air"}': 1,
    '{product="rates"}': 0,
  });
  assert.deepEqual(await valuesOf(metrics, "boathook_unheard_events_total"), {
    '{product="air"}': 0,
    '{product="rates"}': 0,
  });
});

test("an outside API that no longer takes our credentials is counted apart from one that does not know a reference", async () => {
  const registry = new Registry();
  const count = countUpstreams(registry);
  for (const status of [200, 401, 403, 404])
    count("one", { kind: "answered", status, header: () => null, body: "" });
  count("one", { kind: "not_permitted", status: 400 });
  assert.deepEqual(await valuesOf({ registry }, "boathook_upstream_requests_total"), {
    '{upstream="one",outcome="2xx"}': 1,
    '{upstream="one",outcome="not_permitted"}': 3,
    '{upstream="one",outcome="4xx"}': 1,
  });
});

test("what is raised is counted and timed, and what is refused is not", async () => {
  const clock = manualClock();
  const metrics = createMetrics({ version: "1.2.3", commit: "1f2e3d4c" }, clock);
  const engine = metrics.instrument({
    async raise() {
      await clock.advance(7);
      return { kind: "raised", accepted: 3, duplicates: 2, deliveries: 0 };
    },
    raiseWithin: async () => null,
  } as unknown as Engine);
  await engine.raise([]);
  assert.equal(await engine.raiseWithin(undefined as never, async () => null), null);
  const unknown = metrics.instrument({
    raise: async () => ({ kind: "unknown_account", accountId: "x" }),
  } as unknown as Engine);
  await unknown.raise([]);
  assert.deepEqual(await valuesOf(metrics, "boathook_events_total"), {
    '{outcome="accepted"}': 3,
    '{outcome="duplicate"}': 2,
  });
  const buckets = await valuesOf(metrics, "boathook_raise_seconds_bucket");
  assert.deepEqual([buckets['{le="0.005"}'], buckets['{le="0.01"}']], [0, 1]);
});

test("gauges show what the engine says at the moment they are read", async () => {
  const metrics = createMetrics({ version: "1.2.3", commit: "1f2e3d4c" }, manualClock());
  let open = 1;
  metrics.exposeGauges(() => ({
    inFlight: 4,
    inFlightBytes: 5,
    open,
    endpointQueues: 2,
    degradedQueues: 1,
    connections: 9,
  }));
  assert.match(await metrics.registry.metrics(), /^boathook_open_requests 1$/m);
  open = 6;
  const text = await metrics.registry.metrics();
  assert.match(text, /^boathook_open_requests 6$/m);
  assert.match(text, /^boathook_info\{version="1\.2\.3",commit="1f2e3d4c"\} 1$/m);
  assert.match(text, /^process_cpu_seconds_total /m);
});
