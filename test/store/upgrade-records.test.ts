/**
 * An installation of an older build, whose directory holds schedules and rates, opened by this one: every row is there,
 * and answers as before. It is made from the migrations that the older build had.
 */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test, type TestContext } from "node:test";

import { runner } from "node-pg-migrate";
import pg from "pg";

import { createEventDataCheck } from "../../src/model/event-check.ts";
import { products } from "../../src/products/index.ts";
import { defineIndex } from "../../src/products/rates/indices/define.ts";
import { readIndexDefinition } from "../../src/products/rates/indices/definition.ts";
import { loadRates } from "../../src/products/rates/lanes/load.ts";
import { FILE_BOUNDS, readRates } from "../../src/products/rates/lanes/read-rates.ts";
import { listIndexValues, listIndices } from "../../src/products/rates/store/rate-indices.ts";
import { listLanes, listPastRates } from "../../src/products/rates/store/rate-lanes-read.ts";
import { ingest } from "../../src/products/schedules/calls/ingest.ts";
import { listPortCalls } from "../../src/products/schedules/store/schedules-read.ts";
import { readReliabilityDay } from "../../src/products/schedules/store/service-reliability.ts";
import { runToEnd } from "../../src/runtime/time-slices.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { nameOfCell, type Cells } from "../../src/store/cell.ts";
import { connectionConfig, type Database } from "../../src/store/database.ts";
import type { ProductCells } from "../../src/store/homes/product-cells.ts";
import { openStore } from "../../src/store/open.ts";
import { settingsFor } from "../cli/run.ts";
import { callOn } from "../http/schedules-service.ts";
import { SETTINGS } from "../schedules/scene.ts";
import { manualClock } from "../support/clock.ts";
import { createEmptyDatabase, createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { silentLog } from "../support/log.ts";
import { realClock } from "../support/real-clock.ts";

/** The last migration of a directory that held the records itself. */
const LAST = "015";
const CARRIERS = ["ALFA", "BRVO", "CHRL"];
const ORIGINS = ["CNSHA", "CNYTN", "CNNGB"];

const RECORDS = {
  schedules: ["schedule_carriers", "port_calls", "service_reliability", "schedule_days"],
  rates: ["rate_day", "rate_lanes", "lane_rates", "rate_indices", "rate_index_values"],
} as const;

type Opened = { readonly database: Database; readonly cells: Cells; readonly productCells: ProductCells };

const clock = manualClock();

const portsOn = ({ database, cells, productCells }: Opened) => ({
  ...{ database, cells, productCells, clock, random: systemRandom() },
  check: createEventDataCheck(products),
  wake: () => undefined,
});

const say = (opened: Opened, carriers: readonly string[]) =>
  ingest(portsOn(opened), SETTINGS, {
    feed: "ovs",
    atMs: clock.nowMs(),
    calls: carriers.map((carrier, nth) => callOn("NLRTM", nth + 3, { carrier })),
    complete: null,
  });

function load(opened: Opened, base: string) {
  const rates = ORIGINS.map((origin) => ({
    ...{ origin, destination: "NLRTM", equipment: "40HC", carrier: null, currency: "USD" },
    ...{ valid_from: "2026-10-01", valid_to: null, base, surcharges: "" },
  }));
  const read = runToEnd(readRates(Buffer.from(JSON.stringify(rates)), "json", FILE_BOUNDS));
  assert.ok(read.kind === "rates");
  return loadRates(portsOn(opened), read.rates);
}

/** What readers get of it. */
async function answersOf({ database, productCells }: Opened) {
  const [schedules, rates] = [productCells.of("schedules"), productCells.of("rates")];
  const window = { port: "NLRTM", kind: "arrival" as const, fromMs: 0, beforeMs: Date.UTC(2030, 0) };
  const filter = { ...window, carrier: null, vessel: null, withCancelled: true };
  const lanesOf = { origin: null, destination: null, equipment: null, carrier: null, day: "2026-11-02" };
  const lanes = await listLanes(database, rates, lanesOf, { afterId: null, limit: 100 });
  const holders = await schedules.holders([...CARRIERS]);
  const answers = {
    calls: await listPortCalls(database, schedules.all, filter, null, 100),
    ofCarriers: await Promise.all(
      CARRIERS.map((carrier, nth) =>
        listPortCalls(database, holders[nth]!, { ...filter, carrier }, null, 100),
      ),
    ),
    day: await readReliabilityDay(database, schedules.all),
    lanes,
    past: await Promise.all(
      lanes.map(({ id }) => listPastRates(database, rates.all[0], id, { afterId: null, limit: 100 })),
    ),
    indices: await listIndices(database, rates.all[0], 100),
    values: await listIndexValues(database, rates.all[0], "europe", null, 100),
  };
  assert.deepEqual(
    [answers.calls, answers.lanes, answers.indices, answers.values].map(({ length }) => length),
    [CARRIERS.length, ORIGINS.length, 1, 1],
  );
  assert.ok(
    answers.past.every(({ length }) => length === 2) && answers.ofCarriers.every((some) => some.length === 1),
  );
  return answers;
}

async function fill(opened: Opened, on: TestDatabase): Promise<void> {
  await say(opened, CARRIERS);
  await load(opened, "700");
  await load(opened, "800");
  const lanes = [{ origin: "CNSHA", destination: "NLRTM", equipment: "40HC", weight: 1 }];
  const definition = { id: "europe", name: "Europe", currency: "USD", base_date: "2026-11-02", lanes };
  const read = readIndexDefinition(Buffer.from(JSON.stringify(definition)));
  assert.ok(read.kind === "index");
  assert.equal((await defineIndex(portsOn(opened), read.index)).kind, "defined");
  const [cell] = opened.productCells.of("schedules").all;
  await on.queryIn(
    cell,
    "insert into cell.service_reliability values ('ALFA', 'HE1', '2026-11-01', 3, 4, 750)",
  );
  await on.queryIn(cell, "insert into cell.schedule_days (reliability_until) values ('2026-11-01')");
}

describe("an installation whose directory holds schedules and rates", () => {
  let origin: TestDatabase;
  let rowsOf: Map<string, readonly object[]>;
  let wanted: Awaited<ReturnType<typeof answersOf>>;
  before(async () => {
    origin = await createTestDatabase({ cells: 1 });
    const filled = { ...origin, cells: origin.cells as Cells };
    await fill(filled, origin);
    wanted = await answersOf(filled);
    rowsOf = new Map();
    for (const [tag, tables] of Object.entries(RECORDS)) {
      const [cell] = origin.productCells.of(tag).all;
      for (const table of tables) {
        const { rows } = await origin.queryIn(cell, `select to_jsonb(t) as row from cell.${table} t`);
        assert.ok(rows.length > 0, `${table} has rows`);
        rowsOf.set(
          table,
          rows.map(({ row }) => row as object),
        );
      }
    }
  });
  after(() => origin.drop());

  /** As the older build left it. */
  async function olderInstallation(t: TestContext): Promise<string> {
    const { address, drop } = await createEmptyDatabase();
    t.after(drop);
    const folder = mkdtempSync(join(tmpdir(), "boathook-older-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const migrations = join(import.meta.dirname, "..", "..", "src", "store", "migrations", "directory");
    for (const file of readdirSync(migrations)) {
      if (file.slice(0, 3) <= LAST) cpSync(join(migrations, file), join(folder, file));
    }
    const client = new pg.Client(connectionConfig(address));
    await client.connect();
    const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
    await runner({
      ...{ dbClient: client, dir: folder, direction: "up", schema: "boathook", createSchema: true },
      ...{ migrationsTable: "migrations", singleTransaction: true, logger: quiet },
    });
    await client.query("set search_path = boathook");
    for (const [table, rows] of rowsOf) {
      await client.query(`delete from ${table}`);
      const given = JSON.stringify(rows);
      await client.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`, [
        given,
      ]);
    }
    await client.query(
      `insert into outbox (cell, kind, payload, created_at, due_at)
       select 0, 'note', number, now(), now() from generate_series(1, 3) as number`,
    );
    await client.end();
    return settingsFor({ address, cells: [] } as never)["BOATHOOK_DATABASE_URL"]!;
  }

  const open = (databaseUrl: string, count: number) =>
    openStore({
      ...{ databaseUrl, dataFolder: "", cells: 1, connectionsMax: 4, connectTimeoutMs: 10_000 },
      products: products.map((product) => ({ ...product, cells: count })),
      ...{ clock: realClock, log: silentLog },
    });

  for (const count of [1, 2]) {
    test(`keeps every row, and every answer, with ${count} of each product's cells`, async (t) => {
      const url = await olderInstallation(t);
      const store = await open(url, count);
      t.after(() => store.close());
      assert.deepEqual(await answersOf(store), wanted);
      for (const [tag, tables] of Object.entries(RECORDS)) {
        const [first] = store.productCells.of(tag).all;
        for (const table of tables) {
          const { rows } = await query({ url }, `select to_jsonb(t) as row from ${first.schema}.${table} t`);
          const found = rows.map(({ row }) => JSON.stringify(row)).toSorted();
          assert.deepEqual(
            found,
            rowsOf
              .get(table)!
              .map((row) => JSON.stringify(row))
              .toSorted(),
            table,
          );
        }
      }
      const outbox = await query({ url }, "select payload from boathook.outbox order by id");
      assert.deepEqual(
        outbox.rows.map(({ payload }) => payload),
        ["1", "2", "3"],
      );
    });
  }

  test("goes on: what it has is known again, and what is new may go to another cell", async (t) => {
    const url = await olderInstallation(t);
    const store = await open(url, 2);
    t.after(() => store.close());
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
    const store = await open(url, 1);
    t.after(() => store.close());
    await query(
      { url },
      "insert into boathook.outbox (cell, kind, payload, created_at, due_at) values (0, 'note', '4', now(), now())",
    );
    const { rows } = await query(
      { url },
      "select id::integer, payload from boathook.outbox order by id desc limit 1",
    );
    assert.deepEqual(rows, [{ id: 4, payload: "4" }]);
  });

  test("keeps the numbers of cells that an older build knows for cells of accounts", async (t) => {
    const url = await olderInstallation(t);
    const store = await open(url, 2);
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
