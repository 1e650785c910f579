/**
 * An installation of an older build, whose directory holds schedules and rates, opened by this one: every row is there,
 * and answers as before.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { nameOfCell } from "../../src/store/cell.ts";
import { slotOf } from "../../src/store/homes/product-cells.ts";
import { settingsFor } from "../cli/run.ts";
import { createEmptyDatabase, query } from "../support/database.ts";
import {
  answersOf,
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
    store = await openUpgraded(url, 2);
  });
  after(async () => {
    await store.close();
    await drop();
  });

  test("keeps every row, every answer and every message that waits", async () => {
    assert.deepEqual(await answersOf(store), older.answers);
    const texts = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).toSorted();
    for (const [tag, tables] of Object.entries(RECORDS)) {
      const [first] = store.productCells.of(tag).all;
      for (const table of tables) {
        const found = await ask(`select to_jsonb(t) as row from ${first.schema}.${table} t`);
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

  test("goes on: what it has is known again, and what is new may go to another cell", async () => {
    const placed = await ask(
      "select kind, array_agg(slot order by slot) as slots from boathook.slots group by kind order by kind",
    );
    const slotsOf = (keys: readonly string[]) => keys.map(slotOf).toSorted((one, other) => one - other);
    assert.deepEqual(placed, [
      { kind: "rates", slots: slotsOf(ORIGINS.map((origin) => `${origin}NLRTM`)) },
      { kind: "schedules", slots: slotsOf(CARRIERS) },
    ]);
    assert.deepEqual(await say(store, CARRIERS), { calls: 3, added: 0, changed: 0, missing: 0, events: 0 });
    assert.equal((await load(store, "800")).unchanged, ORIGINS.length);
    await say(store, ["DLTA"]);
    const holders = await store.productCells.of("schedules").holders([...CARRIERS, "DLTA"]);
    assert.deepEqual(
      holders.map((cells) => cells.map(nameOfCell).join()),
      [...CARRIERS.map(() => "schedules_0"), "schedules_1"],
    );
  });
});
