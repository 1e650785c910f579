import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import pg from "pg";

import { createPruner, type Pruner } from "../../src/engine/prune/prune.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { connectionConfig } from "../../src/store/database.ts";
import { makePartitions } from "../../src/store/deliveries/partitions.ts";
import { manualClock, START_MS, type ManualClock } from "../support/clock.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { silentLog } from "../support/log.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const random = systemRandom();

describe("pruning", () => {
  let on: TestDatabase;
  let clock: ManualClock;
  let pruner: Pruner;
  const expired: string[] = [];
  before(async () => {
    on = await createTestDatabase({ cells: 1, partitions: "none" });
    clock = manualClock();
    const engine = {
      settings: DEFAULT_ENGINE_SETTINGS,
      database: on.database,
      clock,
      log: silentLog,
      onExpired: (product: string) => void expired.push(product),
    };
    pruner = createPruner(engine, on.cells[0]!);
  });
  after(() => on.drop());

  const sql = async (text: string, values: unknown[] = []) =>
    (await query(on.address, text.replaceAll("cell.", `${on.cells[0]!.schema}.`), values)).rows as Record<
      string,
      unknown
    >[];
  const deliveriesOf = async (atMs: number) => {
    const day = new Date(atMs).toISOString().slice(0, 10).replaceAll("-", "");
    const [row] = await sql(`select to_regclass('cell.deliveries_p${day}') is not null as there`);
    return row!["there"];
  };

  test("that cannot drop an old partition, since somebody reads the table, holds up nothing else", async () => {
    const oldMs = START_MS - 40 * DAY_MS;
    await makePartitions(on.database, on.cells[0]!, oldMs, oldMs + 1);
    await sql(
      "insert into cell.event_keys select gen_random_uuid(), 'air', n::text, gen_random_uuid(), $1 from generate_series(1, 5000) n",
      [new Date(oldMs)],
    );
    const dump = new pg.Client(connectionConfig(on.address));
    await dump.connect();
    await dump.query(`begin; lock table ${on.cells[0]!.schema}.deliveries in access share mode`);
    await pruner.prepare();
    assert.equal(await deliveriesOf(START_MS), true);
    await pruner.step(() => true);
    assert.deepEqual(await sql("select count(*)::int as left from cell.event_keys"), [{ left: 0 }]);
    assert.equal(await deliveriesOf(oldMs), true);
    await dump.end();
    await clock.advance(3_600_000);
    await pruner.step(() => true);
    assert.equal(await deliveriesOf(oldMs), false);
  });

  test("drops an old day though the queue names a delivery of it that has ended, and keeps one that waits", async () => {
    const [endedMs, waitingMs] = [START_MS - 50 * DAY_MS, START_MS - 48 * DAY_MS];
    const account = random.uuid(START_MS);
    const endpoint = random.uuid(START_MS);
    await sql("insert into cell.accounts (id) values ($1)", [account]);
    await sql(
      `insert into cell.endpoints (id, account_id, product, url, event_types, description, sealed_secret_hash,
         active, failure_count, created_at) values ($1, $2, 'air', '', '{}', '', '', true, 0, $3)`,
      [endpoint, account, new Date(START_MS)],
    );
    for (const [atMs, status] of [
      [endedMs, "dead"],
      [waitingMs, "pending"],
    ] as const) {
      await makePartitions(on.database, on.cells[0]!, atMs, atMs + 1);
      // Of a source of its own: each goes forward only.
      const id = systemRandom().uuid(atMs);
      await sql(
        `insert into cell.deliveries (id, event_id, endpoint_id, status, created_at) values ($1, $1, $2, $3, $4)`,
        [id, endpoint, status, new Date(atMs)],
      );
      await sql("insert into cell.queue (delivery_id, endpoint_id, due_at, node) values ($1, $2, $3, 7)", [
        id,
        endpoint,
        new Date(atMs),
      ]);
    }
    await clock.advance(3_600_000);
    await pruner.step(() => true);
    assert.equal(await deliveriesOf(endedMs), false);
    assert.equal(await deliveriesOf(waitingMs), true);
  });

  test("leaves the history of a deleted endpoint until nobody can add to it any more", async () => {
    const endpoint = random.uuid(START_MS);
    const id = random.uuid(clock.nowMs());
    const now = new Date(clock.nowMs());
    await sql("insert into cell.deleted_endpoints values ($1, $2)", [endpoint, now]);
    await sql(`insert into cell.deliveries (id, event_id, endpoint_id, created_at) values ($1, $1, $2, $3)`, [
      id,
      endpoint,
      now,
    ]);
    // One was put into the queue by a statement that did not see its delivery go.
    for (const queued of [id, random.uuid(clock.nowMs())])
      await sql("insert into cell.queue (delivery_id, endpoint_id, due_at) values ($1, $2, $3)", [
        queued,
        endpoint,
        now,
      ]);
    const left = async () =>
      (
        await sql(
          `select (select count(*)::int from cell.deliveries where endpoint_id = $1) as deliveries,
             (select count(*)::int from cell.queue where endpoint_id = $1) as queued,
             (select count(*)::int from cell.deleted_endpoints) as noted`,
          [endpoint],
        )
      )[0];
    await clock.advance(50_000);
    await pruner.step(() => true);
    assert.deepEqual({ ...(await left()) }, { deliveries: 1, queued: 2, noted: 1 });
    await clock.advance(20_000);
    await pruner.step(() => true);
    assert.equal((await left())?.["noted"], 1, "a cell that had nothing to prune rests for five minutes");
    await clock.advance(5 * 60_000);
    await pruner.step(() => true);
    assert.deepEqual({ ...(await left()) }, { deliveries: 0, queued: 0, noted: 0 });
  });

  test("at the start leaves nothing waiting for longer than its own wait, after the clock was set back", async () => {
    const nowMs = clock.nowMs();
    const endpoint = random.uuid(nowMs);
    const waits: readonly (readonly [attempts: number, dueInMs: number, thenInMs: number])[] = [
      [0, 3 * HOUR_MS, 0],
      [1, 3 * HOUR_MS + 10_000, 10_000],
      [1, 9_000, 9_000],
      [3, 4 * HOUR_MS, 300_000],
      [3, 310_000, 310_000],
      [5, 90 * 60_000, 90 * 60_000],
      [19, 24 * HOUR_MS, 6 * HOUR_MS],
    ];
    const rows = waits.map((wait) => ({ id: random.uuid(nowMs), wait }));
    for (const { id, wait } of rows) {
      await sql(
        `insert into cell.deliveries (id, event_id, endpoint_id, attempt_count, created_at)
         values ($1, $1, $2, $3, $4)`,
        [id, endpoint, wait[0], new Date(nowMs)],
      );
      await sql("insert into cell.queue (delivery_id, endpoint_id, due_at) values ($1, $2, $3)", [
        id,
        endpoint,
        new Date(nowMs + wait[1]),
      ]);
    }
    await pruner.prepare();
    const queued = await sql("select due_at from cell.queue where endpoint_id = $1 order by delivery_id", [
      endpoint,
    ]);
    assert.deepEqual(
      queued.map((row) => (row["due_at"] as Date).getTime() - nowMs),
      waits.map((wait) => wait[2]),
    );
  });

  test("reports the product of each delivery that dies while it is parked, for metrics", async () => {
    const nowMs = clock.nowMs();
    const [account, endpoint] = [random.uuid(nowMs), random.uuid(nowMs)];
    await sql("insert into cell.accounts (id) values ($1)", [account]);
    await sql(
      `insert into cell.endpoints (id, account_id, product, url, event_types, description, sealed_secret_hash,
         active, failure_count, inactive_since, created_at) values ($1, $2, 'air', '', '{}', '', '', false, 0, $3, $3)`,
      [endpoint, account, new Date(nowMs - 10 * DAY_MS)],
    );
    for (const id of [random.uuid(nowMs), random.uuid(nowMs)]) {
      await sql(
        "insert into cell.deliveries (id, event_id, endpoint_id, created_at) values ($1, $1, $2, $3)",
        [id, endpoint, new Date(nowMs)],
      );
      await sql("insert into cell.queue (delivery_id, endpoint_id, due_at) values ($1, $2, $3)", [
        id,
        endpoint,
        new Date(nowMs),
      ]);
    }
    await clock.advance(HOUR_MS);
    await pruner.step(() => true);
    assert.deepEqual(expired, ["air", "air"]);
  });

  test("makes the partitions of today at once when a machine wakes after days", async () => {
    clock.jump(9 * DAY_MS);
    await pruner.step(() => true);
    assert.equal(await deliveriesOf(clock.nowMs()), true);
  });
});
