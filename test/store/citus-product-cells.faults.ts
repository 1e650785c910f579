/** The record of a product on a real Citus: ingested through the node's own way to it, while its cell moves. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import { createEventDataCheck } from "../../src/model/event-check.ts";
import { products } from "../../src/products/index.ts";
import { ingest } from "../../src/products/schedules/calls/ingest.ts";
import type { SchedulePorts } from "../../src/products/schedules/events/broadcasting.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { cellsNamed, SCHEMA_PREFIX, type Cell } from "../../src/store/cell.ts";
import type { Database, DatabaseAddress } from "../../src/store/database.ts";
import { createHomeReader } from "../../src/store/homes/read-homes.ts";
import { migrate, migrateCells } from "../../src/store/migrate.ts";
import { openDatabaseOn } from "../../src/store/open-database.ts";
import { writeMessages } from "../../src/store/outbox/outbox.ts";
import { SETTINGS } from "../schedules/scene.ts";
import { said } from "../schedules/statements.ts";
import {
  answersOf,
  CARRIERS,
  checkBroughtTogether,
  divideRecords,
  fillRecords,
  makeOlder,
  openUpgraded,
  readOlder,
  say,
} from "./older-installation.ts";
import { noCitus, startCitus, type CitusCluster, type CitusDatabase } from "../support/citus.ts";
import { START_MS } from "../support/clock.ts";
import { query } from "../support/database.ts";
import { silentLog } from "../support/log.ts";
import { realClock } from "../support/real-clock.ts";

const CELLS = cellsNamed(SCHEMA_PREFIX, 1);
const [SCHEDULES] = cellsNamed(SCHEMA_PREFIX, 1, "schedules");
const MOVES = 2;

describe("a product's cell on Citus", { skip: noCitus() }, () => {
  let cluster: CitusCluster;
  let made: CitusDatabase;
  let database: Database;
  let refresh: () => Promise<void>;

  before(async () => {
    cluster = await startCitus();
    made = await cluster.createDatabase("products");
    await migrate(made.coordinator, CELLS, silentLog, products);
    const reader = createHomeReader({
      directory: made.coordinator,
      waits: () => false,
      log: silentLog,
    });
    database = openDatabaseOn(reader.homes, {
      sessionName: "boathook test",
      connectionsMax: 4,
      connectTimeoutMs: 10_000,
      onIdleError: () => undefined,
    });
    const all = [...CELLS, SCHEDULES];
    await reader.read(database, all);
    refresh = reader.follow(database, () => all, realClock);
  });
  after(async () => {
    await database?.close();
    await cluster?.stop();
  });

  const placedAt = async (coordinator: DatabaseAddress, { schema }: Cell): Promise<number> => {
    const sql = "select distinct nodeport as port from citus_shards where table_name::text like $1";
    const { rows } = await query(coordinator, sql, [`${schema}.%`]);
    assert.equal(rows.length, 1, "all tables of the cell are on one server");
    return rows[0].port as number;
  };
  const move = async (coordinator: DatabaseAddress, cell: Cell) => {
    const from = await placedAt(coordinator, cell);
    const { port } = cluster.workers.find((worker) => worker.port !== from)!;
    const sql = `select citus_schema_move('${cell.schema}', '127.0.0.1', ${port}, 'force_logical')`;
    await query(coordinator, sql);
  };

  test("takes over what an older build's directory had, on a worker", async () => {
    const { coordinator } = await cluster.createDatabase("older");
    const older = await readOlder();
    await makeOlder(coordinator, older);
    assert.ok("url" in coordinator);
    const store = await openUpgraded(coordinator.url);
    try {
      assert.deepEqual(await answersOf(store), older.answers);
      const placed = store.productCells.all.map((cell) => store.database.homeOf(cell));
      assert.ok(placed.every((home) => "url" in home && home.url !== coordinator.url));
      assert.equal((await say(store, CARRIERS)).changed, 0);
    } finally {
      await store.close();
    }
  });

  test("two cells of a product, on two workers, are one after a start, with every row and every message", async () => {
    const address = await cluster.createPlainDatabase("two_cells");
    assert.ok("url" in address);
    const plain = await openUpgraded(address.url);
    await fillRecords(plain);
    const whole = await answersOf(plain);
    await plain.close();
    await divideRecords(address);
    await cluster.addCitus("two_cells");
    for (const tag of ["schedules", "rates"]) {
      const [first, second] = cellsNamed(SCHEMA_PREFIX, 2, tag);
      await migrateCells(address, [first, second!], silentLog, products);
      if ((await placedAt(address, first)) === (await placedAt(address, second!)))
        await move(address, second!);
    }
    await checkBroughtTogether(address.url, whole);
  });

  test("stores what waits in its outbox apart, when it is distributed already", async () => {
    const { coordinator } = await cluster.createDatabase("apart");
    const { schema } = SCHEDULES;
    await migrate(coordinator, CELLS, silentLog, products);
    // As the build before it left it.
    for (const sql of [
      `drop table ${schema}.outbox_messages`,
      `alter table ${schema}.outbox add column kind text not null`,
      `alter table ${schema}.outbox add column payload text not null`,
      `alter table ${schema}.outbox add column created_at timestamptz not null`,
      `alter table ${schema}.outbox drop constraint outbox_pkey`,
      `alter table ${schema}.outbox add primary key (id)`,
      `delete from ${schema}.migrations where name = '002_outbox_messages'`,
      `insert into ${schema}.outbox (id, cell, kind, payload, created_at, due_at) values (7, 0, 'note', 'waits', now(), now())`,
    ])
      await query(coordinator, sql);
    const { ran } = await migrate(coordinator, CELLS, silentLog, products);
    assert.deepEqual(ran, [`${schema}/002_outbox_messages`]);
    const { rows } = await query(
      coordinator,
      `select id::integer, cell, message.payload,
         (select count(*)::integer from citus_shards where table_name = '${schema}.outbox_messages'::regclass) as shards
       from ${schema}.outbox join ${schema}.outbox_messages as message using (id)`,
    );
    assert.deepEqual(rows, [{ id: 7, cell: 0, payload: "waits", shards: 1 }]);
  });

  test("keeps every call and numbers every message once while it moves", async () => {
    const ports: SchedulePorts = {
      database,
      cells: CELLS,
      cell: SCHEDULES,
      random: systemRandom(),
      clock: realClock,
      check: createEventDataCheck(products),
      wake: () => undefined,
      onCallsChanged: (tx, source, changes, atMs) =>
        writeMessages(
          tx,
          source,
          CELLS,
          "note",
          changes.map(({ after: { id } }) => id),
          atMs,
        ),
    };
    let isMoving = true;
    let ingested = 0;
    const ingestAll = async () => {
      while (isMoving) {
        const calls = [said({ voyage: { import: null, export: `V${ingested}` } })];
        try {
          await ingest(ports, SETTINGS, { feed: "ovs", atMs: START_MS, calls, complete: null });
          ingested += 1;
        } catch (cause) {
          // As the next fetch of a feed, the loop says the same again, once the node has found the cell.
          assert.ok(cause instanceof StoreUnavailable && cause.reason === "moved", String(cause));
          await refresh();
        }
      }
    };
    const ingesting = ingestAll();
    try {
      for (let moves = 0; moves < MOVES; moves += 1) await move(made.coordinator, SCHEDULES);
    } finally {
      isMoving = false;
      await ingesting;
    }
    const { rows } = await query(
      made.coordinator,
      `select (select count(*)::integer from ${SCHEDULES.schema}.port_calls) as calls,
         count(distinct id)::integer as numbers, max(id)::integer as last
       from ${SCHEDULES.schema}.outbox join ${SCHEDULES.schema}.outbox_messages using (id)`,
    );
    assert.ok(ingested > 10, String(ingested));
    assert.deepEqual(rows[0], { calls: ingested, numbers: ingested, last: ingested });
  });
});
