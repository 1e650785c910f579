import assert from "node:assert/strict";
import { test } from "node:test";

import { Registry } from "prom-client";

import type { Engine } from "../../src/engine/engine.ts";
import type { Outcome } from "../../src/model/delivery.ts";
import { createMetrics } from "../../src/service/metrics.ts";
import { countUpstreams } from "../../src/service/request-metrics.ts";
import { manualClock } from "../support/clock.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import { type Cell, directoryOf, type Cells } from "../../src/store/cell.ts";
import type { Database } from "../../src/store/database.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { exposeQueueMetrics } from "../../src/service/queue-metrics.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { startTracking } from "../../src/products/ocean/tracking/track.ts";
import { createPollingMetrics } from "../../src/freight/polling/polling-metrics.ts";
import { claimDuePolls } from "../../src/freight/polling/store/polls.ts";
import { openHarbour } from "../ocean/harbour.ts";
import { openForwarder } from "../../src/service/outbox.ts";
import { createMergedMetrics } from "../../src/service/workers/merged-metrics.ts";
import { writeMessages } from "../../src/store/outbox/outbox.ts";
import { silentLog } from "../support/log.ts";
import { unwatchedLoops } from "../support/loops.ts";

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

const random = systemRandom();

type Queued = { product: string; isActive: boolean; dues: readonly number[]; node: number | null };

/** Deliveries of an account and an endpoint of their own. */
async function queue(on: TestDatabase, cell: Cell, nowMs: number, { product, isActive, dues, node }: Queued) {
  const [account, endpoint] = [random.uuid(nowMs), random.uuid(nowMs)];
  await on.queryIn(cell, "insert into cell.accounts (id) values ($1)", [account]);
  await on.queryIn(
    cell,
    `insert into cell.endpoints (id, account_id, product, url, event_types, description,
       sealed_secret_hash, active, failure_count, inactive_since, created_at)
     values ($1, $2, $3, '', '{}', '', '', $4, 0, $5, now())`,
    [endpoint, account, product, isActive, isActive ? null : new Date(nowMs)],
  );
  for (const dueMs of dues)
    await on.queryIn(
      cell,
      "insert into cell.queue (delivery_id, endpoint_id, due_at, node) values ($1, $2, $3, $4)",
      [random.uuid(nowMs), endpoint, new Date(nowMs + dueMs), node],
    );
}

test("the queue is counted by product and by what waits for what, every 15 seconds at most", async (t) => {
  const on = await createTestDatabase();
  t.after(() => on.drop());
  const clock = manualClock();
  const nowMs = clock.nowMs();
  const registry = new Registry();
  exposeQueueMetrics({ registry, database: on.database, cells: on.cells, clock });

  const queued = (product: string, isActive: boolean, dues: readonly number[], node: number | null) =>
    queue(on, on.cells.at(-1)!, nowMs, { product, isActive, dues, node });
  const counts = async () =>
    Object.fromEntries(
      [...(await registry.metrics()).matchAll(/^boathook_queue_deliveries\{(.*)\} (\d+)$/gm)]
        .filter(([, , count]) => count !== "0")
        .map(([, labels, count]) => [labels!.replaceAll(/\w+=|"/g, ""), Number(count)]),
    );

  assert.deepEqual(await counts(), {});
  await queued("air", true, [-5, -1, 10], null);
  await queued("air", true, [10_000], null);
  await queued("air", false, [-5, 10], null);
  await queued("rates", true, [-5], 7);
  assert.deepEqual(await counts(), {}, "counted a moment ago");
  await clock.advance(15_000);
  // Ten seconds on, what waited for less is due.
  assert.deepEqual(await counts(), { "air,due": 4, "air,parked": 2, "rates,claimed": 1 });
  const text = await registry.metrics();
  const cell = on.cells.at(-1)!;
  assert.match(text, /^boathook_queue_oldest_due_seconds\{product="air"\} 15\.005$/m);
  assert.match(text, /^boathook_endpoints\{product="air",state="paused"\} 1$/m);
  assert.match(text, /^boathook_broadcasts 0$/m);
  await query(
    on.address,
    `insert into ${cell.schema}.broadcasts (id, product, type, data, occurred_at, dedup_key)
     values ($1, 'rates', 'index_refreshed', '{}', now(), 'one')`,
    [random.uuid(nowMs)],
  );
  await query(on.address, `update ${cell.schema}.endpoints set failure_count = 20`);
  await queued("air", true, [20_000], null);
  await clock.advance(15_000);
  await queued("air", true, [60_000], null);
  await clock.advance(15_000);
  const later = await registry.metrics();
  assert.match(later, /^boathook_endpoints\{product="air",state="disabled"\} 1$/m);
  assert.match(later, /^boathook_broadcasts 1$/m);
  assert.match(later, /^boathook_broadcasts_oldest_seconds 45$/m);
  assert.equal((await counts())["air,waiting"], 1);
});

test("a cell that cannot be counted leaves the others counted", async (t) => {
  const on = await createTestDatabase({ cells: 2 });
  t.after(() => on.drop());
  const [ill, well] = on.cells;
  const clock = manualClock();
  const nowMs = clock.nowMs();
  const registry = new Registry();
  const database: Database = {
    ...on.database,
    rows: (statement, parameters) =>
      statement.schema === ill!.schema
        ? Promise.reject(new StoreUnavailable("gone"))
        : on.database.rows(statement, parameters),
  };
  exposeQueueMetrics({ registry, database, cells: on.cells, clock });
  for (const cell of [ill!, well!])
    await queue(on, cell, nowMs, { product: "air", isActive: true, dues: [-5], node: null });
  assert.match(await registry.metrics(), /^boathook_queue_deliveries\{product="air",state="due"\} 1$/m);
});

test("metrics tell what looks came to, what waits too long for its turn, and which carriers are left alone", async (t) => {
  const harbour = await openHarbour();
  t.after(() => harbour.stored.drop());
  const { ports, cell, clock, stored } = harbour;
  const registry = new Registry();
  let down = "";
  let isAway = false;
  const { watch } = createPollingMetrics({
    registry,
    database: {
      ...stored.database,
      rows: (statement, parameters) =>
        isAway ? Promise.reject(new Error("away")) : stored.database.rows(statement, parameters),
    },
    cells: stored.cells,
    clock,
  });
  const count = watch([
    { source: "", carrier: "unknown", isBreakerOpen: null },
    ...["HRNL", "TRNC"].map((scac) => ({ source: scac, carrier: scac, isBreakerOpen: () => scac === down })),
  ]);
  const lines = async (name: string) =>
    (await registry.metrics()).split("\n").filter((line) => line.startsWith(`${name}{`));

  count("HRNL", "changed");
  count("HRNL", "changed");
  count("", "not_found");
  assert.deepEqual(await lines("boathook_polls_total"), [
    'boathook_polls_total{carrier="HRNL",outcome="changed"} 2',
    'boathook_polls_total{carrier="unknown",outcome="not_found"} 1',
  ]);

  down = "TRNC";
  assert.deepEqual(await lines("boathook_carrier_breaker_open"), [
    'boathook_carrier_breaker_open{carrier="HRNL"} 0',
    'boathook_carrier_breaker_open{carrier="TRNC"} 1',
  ]);

  await startTracking(ports, cell, { accountId: await harbour.account(), reference: "HRNU4000017" });
  await clock.advance(90_000);
  const backlog = () => lines("boathook_poll_backlog_seconds");
  assert.deepEqual(await backlog(), [
    'boathook_poll_backlog_seconds{carrier="unknown"} 90',
    'boathook_poll_backlog_seconds{carrier="HRNL"} 0',
    'boathook_poll_backlog_seconds{carrier="TRNC"} 0',
  ]);
  isAway = true;
  assert.deepEqual(await backlog(), [], "nothing rather than what was");
  isAway = false;
  await claimDuePolls(ports.database, cell, [{ source: "", limit: 1 }], clock.nowMs(), 60_000);
  assert.equal((await backlog())[0], 'boathook_poll_backlog_seconds{carrier="unknown"} 0');
});

test("the metrics show how many messages wait for a cell, since when, and the tries that failed", async () => {
  const { database, cells: all, drop } = await createTestDatabase({ cells: 2 });
  const cells = all as Cells;
  const [clock, registry] = [manualClock(), new Registry()];
  const broken = async () => ({ broken: () => Promise.reject(new Error("a bug")) });
  const node = { database, cells, clock, random: systemRandom(), log: silentLog, loops: unwatchedLoops };
  const forwarder = await openForwarder(
    node,
    [directoryOf(cells[0])],
    [{ messages: broken }],
    () => undefined,
    registry,
  );
  const write = (kind: string, payloads: readonly string[]) =>
    database.transaction((tx) =>
      writeMessages(tx, directoryOf(cells[0]), [cells[1]!], kind, payloads, clock.nowMs()),
    );
  const shownIn = (text: string) =>
    [...text.matchAll(/^boathook_outbox_(\w+)\{cell="(\d)"\} (\d+)$/gm)].map(
      ([, name, cell, value]) => `${name} ${cell}: ${value}`,
    );
  const shown = async () => shownIn(await registry.metrics());

  await write("of a newer build", ["a"]);
  await clock.advance(90_000);
  await write("broken", ["b"]);
  const waiting = [
    ...["messages 0: 0", "messages 1: 2", "oldest_seconds 0: 0", "oldest_seconds 1: 90"],
    ...["behind_bytes 0: 0", "behind_bytes 1: 1024"],
  ];
  assert.deepEqual(await shown(), waiting);
  // Two workers of one service report the same.
  const merged = createMergedMetrics();
  for (const worker of [1, 2]) merged.report(worker, await registry.getMetricsAsJSON());
  assert.deepEqual(shownIn(await merged.text([])), waiting);
  forwarder.start();
  await clock.atOnce(async () => (await shown()).includes("failures_total 1: 1"), "the try is counted");
  await forwarder.stop();
  await drop();
});
