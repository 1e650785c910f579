import assert from "node:assert/strict";
import { test } from "node:test";

import type { Engine } from "../../src/engine/engine.ts";
import type { Outcome } from "../../src/model/delivery.ts";
import { createMetrics } from "../../src/service/metrics.ts";
import { manualClock } from "../support/clock.ts";

const answered = (statusCode: number): Outcome => ({ kind: "answered", statusCode });
const failed: Outcome = { kind: "failed", error: { code: "timeout", text: "no answer" }, statusCode: 200 };

/** The values of one metric, by its labels. */
async function valuesOf(
  metrics: ReturnType<typeof createMetrics>,
  name: string,
): Promise<Record<string, number>> {
  const lines = (await metrics.registry.metrics()).split("\n").filter((line) => line.startsWith(`${name}{`));
  return Object.fromEntries(
    lines.map((line) => [line.slice(name.length, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]),
  );
}

test("attempts are counted by product and class of result, the same however often they are read", async () => {
  const metrics = createMetrics("1.2.3", manualClock());
  for (const status of [200, 204, 301, 404, 500, 503]) metrics.onAttempt("air", answered(status));
  metrics.onAttempt("rates", failed);
  for (let read = 0; read < 2; read++) {
    const counts = await valuesOf(metrics, "boathook_attempts_total");
    assert.deepEqual(Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)), {
      '{product="air",result="2xx"}': 2,
      '{product="air",result="3xx"}': 1,
      '{product="air",result="4xx"}': 1,
      '{product="air",result="5xx"}': 2,
      '{product="rates",result="error"}': 1,
    });
  }
});

test("what is raised is counted and timed, and what is refused is not", async () => {
  const clock = manualClock();
  const metrics = createMetrics("1.2.3", clock);
  const engine = metrics.instrument({
    async raise() {
      await clock.advance(7);
      return { kind: "raised", accepted: 3, duplicates: 2 };
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
  const metrics = createMetrics("1.2.3", manualClock());
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
  assert.match(text, /^boathook_info\{version="1\.2\.3"\} 1$/m);
  assert.match(text, /^process_cpu_seconds_total /m);
});
