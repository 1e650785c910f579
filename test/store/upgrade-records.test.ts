/**
 * An installation of an older build, whose directory holds schedules and rates, opened by this one: every row is there,
 * and answers as before.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { settingsFor } from "../cli/run.ts";
import { products } from "../../src/products/index.ts";
import { cellsNamed, type Cells } from "../../src/store/cell.ts";
import { migrateCells } from "../../src/store/migrate.ts";
import { createEmptyDatabase, createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { silentLog } from "../support/log.ts";
import {
  answersOf,
  fillRecords,
  CARRIERS,
  load,
  makeOlder,
  openUpgraded,
  ORIGINS,
  readOlder,
  RECORDS,
  say,
  type Older,
} from "./older-installation.ts";

describe("an installation whose directory holds schedules and rates", () => {
  let older: Older;
  let url: string;
  let store: Awaited<ReturnType<typeof openUpgraded>>;
  let drop: () => Promise<void>;
  const ask = async (sql: string) => (await query({ url }, sql)).rows;
  before(async () => {
    older = await readOlder();
    const made = await createEmptyDatabase();
    drop = made.drop;
    await makeOlder(made.address, older);
    url = settingsFor({ address: made.address, cells: [] })["BOATHOOK_DATABASE_URL"]!;
    store = await openUpgraded(url);
  });
  after(async () => {
    await store.close();
    await drop();
  });

  test("keeps every row, every answer and every message that waits", async () => {
    assert.deepEqual(await answersOf(store), older.answers);
    const texts = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).toSorted();
    for (const [tag, tables] of Object.entries(RECORDS)) {
      const { schema } = store.productCells.of(tag);
      for (const table of tables) {
        const found = await ask(`select to_jsonb(t) as row from ${schema}.${table} t`);
        assert.deepEqual(texts(found.map(({ row }) => row as object)), texts(older.rows.get(table)!), table);
      }
    }
    const waiting = await ask(
      `select message.payload from boathook.outbox join boathook.outbox_messages as message using (id)
       where message.created_at = '2026-11-01Z' and due_at = '2026-11-02Z' order by id`,
    );
    assert.deepEqual(
      waiting,
      ["1", "2", "3"].map((payload) => ({ payload })),
    );
  });

  test("lets a node of the older build write its messages, and keeps the numbers that it knows for cells of accounts", async () => {
    await ask(
      "insert into boathook.outbox (cell, kind, payload, created_at, due_at) values (0, 'note', '4', now(), now())",
    );
    const last =
      "select id::integer, message.payload from boathook.outbox join boathook.outbox_messages as message using (id) order by id desc limit 1";
    assert.deepEqual(await ask(last), [{ id: 4, payload: "4" }]);
    const numbers =
      "select kind, min(number)::integer as least, bool_or(open) as open from boathook.cells group by kind order by kind";
    assert.deepEqual(await ask(numbers), [
      { kind: "cell", least: 0, open: true },
      { kind: "rates", least: 257, open: false },
      { kind: "schedules", least: 256, open: false },
    ]);
  });

  test("goes on: what it has is known again", async () => {
    assert.deepEqual(await say(store, CARRIERS), { calls: 3, added: 0, changed: 0, missing: 0, events: 0 });
    assert.equal((await load(store, "800")).unchanged, ORIGINS.length);
  });
});

describe("an installation with several cells of schedules and rates", () => {
  let on: TestDatabase;
  let whole: Awaited<ReturnType<typeof answersOf>>;
  const ask = async (sql: string) => (await query(on.address, sql)).rows;
  before(async () => {
    on = await createTestDatabase();
    await fillRecords(on);
    whole = await answersOf({ ...on, cells: on.cells as Cells });
    // As the last version placed them: carriers and trade lanes but for the first in cells of their own.
    const others = ["schedules", "rates"].map((tag) => cellsNamed("boathook", 2, tag)[1]!);
    await migrateCells(on.address, others, silentLog, products);
    for (const [nth, { schema }] of others.entries()) {
      const first = schema.replace(/_1$/, "_0");
      await ask(`insert into boathook.cells (kind, number, open, created_at) values ('${schema.split("_")[1]}', ${258 + nth}, false, now());
        insert into boathook.slots (kind, slot, cell) values ('${schema.split("_")[1]}', 7, ${258 + nth});
        insert into ${schema}.outbox_messages values (1, 'note', '"of ${schema}"', now());
        insert into ${schema}.outbox (id, cell, due_at) values (1, 0, now());
        update ${schema}.outbox_numbers set last = 1;
        insert into ${first}.outbox_messages values (100, 'note', '"of ${first}"', now());
        insert into ${first}.outbox (id, cell, due_at) values (100, 0, now());
        update ${first}.outbox_numbers set last = 100`);
    }
    await ask(`with gone as (delete from boathook_schedules_0.port_calls where carrier <> 'ALFA' returning *)
      insert into boathook_schedules_1.port_calls select * from gone`);
    await ask(`insert into boathook_schedules_1.schedule_days values (true, '2026-10-29');
      insert into boathook_schedules_1.routings select * from boathook_schedules_0.routings limit 1`);
    await ask(`insert into boathook_rates_1.rate_lanes select * from boathook_rates_0.rate_lanes where origin <> 'CNSHA';
      insert into boathook_rates_1.lane_rates select r.* from boathook_rates_0.lane_rates r
        where lane_id in (select id from boathook_rates_1.rate_lanes);
      delete from boathook_rates_0.lane_rates where lane_id in (select id from boathook_rates_1.rate_lanes);
      delete from boathook_rates_0.rate_lanes where id in (select id from boathook_rates_1.rate_lanes)`);
  });
  after(() => on.drop());

  test("has one of each after a start, with every row and every message, and raises nothing again", async () => {
    const url = settingsFor({ address: on.address, cells: [] })["BOATHOOK_DATABASE_URL"]!;
    const stores = await Promise.all([openUpgraded(url), openUpgraded(url)]);
    const [store] = stores;
    try {
      // The earlier day of the two: what one of them lacks is worked out again.
      assert.deepEqual(await answersOf(store), { ...whole, day: "2026-10-29" });
      assert.deepEqual(await say(store, CARRIERS), { calls: 3, added: 0, changed: 0, missing: 0, events: 0 });
      assert.deepEqual(await load(store, "800"), { loaded: 0, replaced: 0, unchanged: 3, changes: 0 });
    } finally {
      for (const one of stores) await one.close();
    }
    for (const tag of ["schedules", "rates"]) {
      const waiting = await ask(
        `select id::int, payload from boathook_${tag}_0.outbox join boathook_${tag}_0.outbox_messages using (id)
         where kind = 'note' order by id`,
      );
      assert.deepEqual(waiting, [
        { id: 100, payload: `"of boathook_${tag}_0"` },
        { id: 101, payload: `"of boathook_${tag}_1"` },
      ]);
      assert.deepEqual(await ask(`select to_regnamespace('boathook_${tag}_1') as schema`), [
        { schema: null },
      ]);
    }
    assert.deepEqual(await ask("select number from boathook.cells order by number"), [
      { number: 0 },
      { number: 256 },
      { number: 257 },
    ]);
  });

  test("brings three together or none: what breaks off is begun again, and nothing is left behind", async (t) => {
    const three = await createTestDatabase();
    t.after(three.drop);
    const run = async (sql: string) => (await query(three.address, sql)).rows;
    const [, one, two] = cellsNamed("boathook", 3, "schedules");
    await migrateCells(three.address, [one!, two!], silentLog, products);
    await run(`insert into boathook.cells (kind, number, open, created_at)
        values ('schedules', 258, false, now()), ('schedules', 259, false, now());
      insert into boathook_schedules_0.schedule_carriers values ('AAAA');
      insert into boathook_schedules_1.schedule_carriers values ('BBBB');
      insert into boathook_schedules_2.schedule_carriers values ('CCCC')`);
    const url = settingsFor({ address: three.address, cells: [] })["BOATHOOK_DATABASE_URL"]!;
    await run("alter table boathook_schedules_2.schedule_carriers rename to away");
    await assert.rejects(openUpgraded(url));
    await run("alter table boathook_schedules_2.away rename to schedule_carriers");
    await (await openUpgraded(url)).close();
    const carriers = await run("select carrier from boathook_schedules_0.schedule_carriers order by 1");
    assert.deepEqual(
      carriers.map(({ carrier }) => carrier),
      ["AAAA", "BBBB", "CCCC"],
    );
    assert.equal(
      (await run("select from pg_namespace where nspname ~ '^boathook_schedules_[12]$'")).length,
      0,
    );
  });
});
