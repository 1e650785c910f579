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
import { createEmptyDatabase, createTestDatabase, query } from "../support/database.ts";
import { silentLog } from "../support/log.ts";
import {
  answersOf,
  CARRIERS,
  checkBroughtTogether,
  divideRecords,
  fillRecords,
  load,
  makeOlder,
  openUpgraded,
  ORIGINS,
  readOlder,
  RECORDS,
  say,
  type Older,
} from "./older-installation.ts";
import { column } from "../support/columns.ts";

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
  test("has one of each after a start, with every row and every message, and raises nothing again", async (t) => {
    const on = await createTestDatabase();
    t.after(on.drop);
    await fillRecords(on);
    const whole = await answersOf({ ...on, cells: on.cells as Cells });
    await divideRecords(on.address);
    const url = settingsFor({ address: on.address, cells: [] })["BOATHOOK_DATABASE_URL"]!;
    await checkBroughtTogether(url, whole);
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
    assert.deepEqual(column(carriers, "carrier"), ["AAAA", "BBBB", "CCCC"]);
    assert.equal(
      (await run("select from pg_namespace where nspname ~ '^boathook_schedules_[12]$'")).length,
      0,
    );
  });
});
