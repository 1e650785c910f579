/**
 * An installation of an older build, whose directory holds schedules and rates, opened by this one: every row is there,
 * and answers as before.
 */
import assert from "node:assert/strict";
import { before, describe, test, type TestContext } from "node:test";

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
  before(async () => {
    older = await readOlder();
  });

  /** As the older build left it. */
  async function olderInstallation(t: TestContext): Promise<string> {
    const { address, drop } = await createEmptyDatabase();
    t.after(drop);
    await makeOlder(t, address, older);
    return settingsFor({ address, cells: [] })["BOATHOOK_DATABASE_URL"]!;
  }

  for (const count of [1, 2]) {
    test(`keeps every row, and every answer, with ${count} of each product's cells`, async (t) => {
      const url = await olderInstallation(t);
      const store = await openUpgraded(url, count);
      t.after(() => store.close());
      assert.deepEqual(await answersOf(store), older.answers);
      for (const [tag, tables] of Object.entries(RECORDS)) {
        const [first] = store.productCells.of(tag).all;
        for (const table of tables) {
          const { rows } = await query({ url }, `select to_jsonb(t) as row from ${first.schema}.${table} t`);
          const found = rows.map(({ row }) => JSON.stringify(row)).toSorted();
          assert.deepEqual(
            found,
            older.rows
              .get(table)!
              .map((row) => JSON.stringify(row))
              .toSorted(),
            table,
          );
        }
      }
      const outbox = await query(
        { url },
        `select message.payload from boathook.outbox join boathook.outbox_messages as message using (id)
         where message.created_at = '2026-11-01Z' and due_at = '2026-11-02Z' order by id`,
      );
      assert.deepEqual(
        outbox.rows.map(({ payload }) => payload),
        ["1", "2", "3"],
      );
    });
  }

  test("goes on: what it has is known again, and what is new may go to another cell", async (t) => {
    const url = await olderInstallation(t);
    const store = await openUpgraded(url, 2);
    t.after(() => store.close());
    const placed = await query(
      { url },
      "select kind, array_agg(slot order by slot) as slots from boathook.slots group by kind order by kind",
    );
    const slotsOf = (keys: readonly string[]) => keys.map(slotOf).toSorted((one, other) => one - other);
    assert.deepEqual(placed.rows, [
      { kind: "rates", slots: slotsOf(ORIGINS.map((origin) => `${origin}NLRTM`)) },
      { kind: "schedules", slots: slotsOf(CARRIERS) },
    ]);
    assert.deepEqual(await say(store, CARRIERS), { calls: 3, added: 0, changed: 0, missing: 0, events: 0 });
    const { unchanged } = await load(store, "800");
    assert.equal(unchanged, ORIGINS.length);
    await say(store, ["DLTA"]);
    const schedules = store.productCells.of("schedules");
    const names = (await schedules.holders([...CARRIERS, "DLTA"])).map((cells) =>
      cells.map(nameOfCell).join(),
    );
    assert.deepEqual(names, [...CARRIERS.map(() => "schedules_0"), "schedules_1"]);
  });

  test("lets a node of the older build write its messages while it still runs", async (t) => {
    const url = await olderInstallation(t);
    const store = await openUpgraded(url, 1);
    t.after(() => store.close());
    await query(
      { url },
      "insert into boathook.outbox (cell, kind, payload, created_at, due_at) values (0, 'note', '4', now(), now())",
    );
    const { rows } = await query(
      { url },
      "select id::integer, message.payload from boathook.outbox join boathook.outbox_messages as message using (id) order by id desc limit 1",
    );
    assert.deepEqual(rows, [{ id: 4, payload: "4" }]);
  });

  test("keeps the numbers of cells that an older build knows for cells of accounts", async (t) => {
    const url = await olderInstallation(t);
    const store = await openUpgraded(url, 2);
    t.after(() => store.close());
    const { rows } = await query(
      { url },
      "select kind, min(number)::integer as least, bool_or(open) as open from boathook.cells group by kind order by kind",
    );
    assert.deepEqual(rows, [
      { kind: "cell", least: 0, open: true },
      { kind: "rates", least: 257, open: false },
      { kind: "schedules", least: 256, open: false },
    ]);
  });
});
