import assert from "node:assert/strict";
import { test } from "node:test";

import { Registry } from "prom-client";

import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Cell } from "../../src/store/cell.ts";
import type { Database } from "../../src/store/database.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { exposeQueueMetrics } from "../../src/service/queue-metrics.ts";
import { manualClock } from "../support/clock.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";

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
