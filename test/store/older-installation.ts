/**
 * An installation of an older build, whose directory held schedules and rates itself: made from the migrations that the
 * build had, with rows in every table.
 */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { runner } from "node-pg-migrate";
import pg from "pg";

import { createEventDataCheck } from "../../src/model/event-check.ts";
import { products } from "../../src/products/index.ts";
import { defineIndex } from "../../src/products/rates/indices/define.ts";
import { readIndexDefinition } from "../../src/products/rates/indices/definition.ts";
import { loadRates } from "../../src/products/rates/lanes/load.ts";
import { FILE_BOUNDS, readRates } from "../../src/products/rates/lanes/read-rates.ts";
import { rateIndexList, rateIndexValueList } from "../../src/products/rates/store/rate-indices.sql.ts";
import { listLanes } from "../../src/products/rates/store/reading/rate-lanes-read.ts";
import { ingest } from "../../src/products/schedules/calls/ingest.ts";
import { listPortCalls } from "../../src/products/schedules/store/schedules-read.ts";
import { readReliabilityDay } from "../../src/products/schedules/store/service-reliability.ts";
import { runToEnd } from "../../src/runtime/time-slices.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { cellsNamed, SCHEMA_PREFIX, type Cells } from "../../src/store/cell.ts";
import { connectionConfig, type Database, type DatabaseAddress } from "../../src/store/database.ts";
import type { ProductCells } from "../../src/store/homes/product-cells.ts";
import { migrateCells } from "../../src/store/migrate.ts";
import { openStore } from "../../src/store/open.ts";
import { callOn } from "../http/schedules-service.ts";
import { SETTINGS } from "../schedules/scene.ts";
import { manualClock } from "../support/clock.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { silentLog } from "../support/log.ts";
import { realClock } from "../support/real-clock.ts";
import { column } from "../support/columns.ts";
import { laneRateHistory } from "../../src/products/rates/store/reading/lane-rates.sql.ts";

/** The last migration of a directory that held the records itself. */
const LAST = "015";
export const CARRIERS = ["ALFA", "BRVO", "CHRL"];
export const ORIGINS = ["CNSHA", "CNYTN", "CNNGB"];

export const RECORDS = {
  schedules: ["schedule_carriers", "port_calls", "service_reliability", "schedule_days"],
  rates: ["rate_day", "rate_lanes", "lane_rates", "rate_indices", "rate_index_values"],
} as const;

type Opened = { readonly database: Database; readonly cells: Cells; readonly productCells: ProductCells };

const clock = manualClock();

const portsOn = ({ database, cells, productCells }: Opened) => ({
  ...{ database, cells, productCells, clock, random: systemRandom() },
  cell: productCells.of("schedules"),
  check: createEventDataCheck(products),
  wake: () => undefined,
});

export const say = (opened: Opened, carriers: readonly string[]) =>
  ingest(portsOn(opened), SETTINGS, {
    feed: "ovs",
    atMs: clock.nowMs(),
    calls: carriers.map((carrier, nth) => callOn("NLRTM", nth + 3, { carrier })),
    complete: null,
  });

export function load(opened: Opened, base: string) {
  const rates = ORIGINS.map((origin) => ({
    ...{ origin, destination: "NLRTM", equipment: "40HC", carrier: null, currency: "USD" },
    ...{ valid_from: "2026-10-01", valid_to: null, base, surcharges: "" },
  }));
  const read = runToEnd(readRates(Buffer.from(JSON.stringify(rates)), "json", FILE_BOUNDS));
  assert.ok(read.kind === "rates");
  return loadRates(portsOn(opened), read.rates);
}

/** What readers get of it. */
export async function answersOf({ database, productCells }: Opened) {
  const [schedules, rates] = [productCells.of("schedules"), productCells.of("rates")];
  const window = { port: "NLRTM", kind: "arrival" as const, fromMs: 0, beforeMs: Date.UTC(2030, 0) };
  const filter = { ...window, carrier: null, vessel: null, withCancelled: true };
  const lanesOf = {
    origin: null,
    destination: null,
    equipment: null,
    carrier: null,
    ...{ kind: null, contract: null, commodity: null },
    day: "2026-11-02",
  };
  const lanes = await listLanes(database, rates, lanesOf, { afterId: null, limit: 100 });
  const answers = {
    calls: await listPortCalls(database, schedules, filter, null, 100),
    ofCarriers: await Promise.all(
      CARRIERS.map((carrier) => listPortCalls(database, schedules, { ...filter, carrier }, null, 100)),
    ),
    day: await readReliabilityDay(database, schedules),
    lanes,
    past: await Promise.all(
      lanes.map(({ id }) => laneRateHistory(database, rates, { laneId: id, afterId: null, limit: 100 })),
    ),
    indices: await rateIndexList(database, rates, 100),
    values: await rateIndexValueList(database, rates, { indexId: "europe", upTo: null, limit: 100 }),
  };
  assert.deepEqual(column([answers.calls, answers.lanes, answers.indices, answers.values], "length"), [
    CARRIERS.length,
    ORIGINS.length,
    1,
    1,
  ]);
  assert.ok(
    answers.past.every(({ length }) => length === 2) && answers.ofCarriers.every((some) => some.length === 1),
  );
  return answers;
}

/** Rows in every table of the records. */
export async function fillRecords(on: Pick<TestDatabase, keyof Opened | "address">): Promise<void> {
  const opened = { ...on, cells: on.cells as Cells };
  await say(opened, CARRIERS);
  await load(opened, "700");
  await load(opened, "800");
  const lanes = [{ origin: "CNSHA", destination: "NLRTM", equipment: "40HC", weight: 1 }];
  const definition = { id: "europe", name: "Europe", currency: "USD", base_date: "2026-11-02", lanes };
  const read = readIndexDefinition(Buffer.from(JSON.stringify(definition)));
  assert.ok(read.kind === "index");
  assert.equal((await defineIndex(portsOn(opened), read.index)).kind, "defined");
  await query(
    on.address,
    `insert into boathook_schedules_0.service_reliability values ('ALFA', 'HE1', '2026-11-01', 3, 4, 750);
     insert into boathook_schedules_0.schedule_days (reliability_until) values ('2026-11-01')`,
  );
}

/** Spreads them over two cells of each product, as 0.1.0 did: carriers and trade lanes but for the first in the second. */
export async function divideRecords(address: DatabaseAddress): Promise<void> {
  const ask = (sql: string) => query(address, sql);
  const others = ["schedules", "rates"].map((tag) => cellsNamed(SCHEMA_PREFIX, 2, tag)[1]!);
  await migrateCells(address, others, silentLog, products);
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
    insert into boathook_schedules_1.routings select * from boathook_schedules_0.routings limit 1;
    insert into boathook_schedules_1.schedule_carriers table boathook_schedules_0.schedule_carriers;
    insert into boathook_schedules_1.service_reliability table boathook_schedules_0.service_reliability;
    insert into boathook_rates_1.rate_indices table boathook_rates_0.rate_indices;
    insert into boathook_rates_1.rate_index_values table boathook_rates_0.rate_index_values`);
  await ask(`insert into boathook_rates_1.rate_lanes select * from boathook_rates_0.rate_lanes where origin <> 'CNSHA';
    insert into boathook_rates_1.lane_rates select r.* from boathook_rates_0.lane_rates r
      where lane_id in (select id from boathook_rates_1.rate_lanes);
    delete from boathook_rates_0.lane_rates where lane_id in (select id from boathook_rates_1.rate_lanes);
    delete from boathook_rates_0.rate_lanes where id in (select id from boathook_rates_1.rate_lanes)`);
}

/** Two processes start on divided records, and have them whole: every row and message is there, and nothing is raised again. */
export async function checkBroughtTogether(databaseUrl: string, whole: Answers): Promise<void> {
  const stores = await Promise.all([openUpgraded(databaseUrl), openUpgraded(databaseUrl)]);
  const [store] = stores;
  try {
    // The earlier day of the two: what one of them lacks is worked out again.
    assert.deepEqual(await answersOf(store), { ...whole, day: "2026-10-29" });
    assert.deepEqual(await say(store, CARRIERS), { calls: 3, added: 0, changed: 0, missing: 0, events: 0 });
    assert.deepEqual(await load(store, "800"), { loaded: 0, replaced: 0, unchanged: 3, changes: 0 });
  } finally {
    for (const one of stores) await one.close();
  }
  const ask = async (sql: string) => (await query({ url: databaseUrl }, sql)).rows;
  for (const tag of ["schedules", "rates"]) {
    const waiting = await ask(
      `select id::int, payload from boathook_${tag}_0.outbox join boathook_${tag}_0.outbox_messages using (id)
       where kind = 'note' order by id`,
    );
    assert.deepEqual(waiting, [
      { id: 100, payload: `"of boathook_${tag}_0"` },
      { id: 101, payload: `"of boathook_${tag}_1"` },
    ]);
    assert.deepEqual(await ask(`select to_regnamespace('boathook_${tag}_1') as schema`), [{ schema: null }]);
  }
  assert.deepEqual(await ask("select number from boathook.cells order by number"), [
    { number: 0 },
    { number: 256 },
    { number: 257 },
  ]);
}

type Answers = Awaited<ReturnType<typeof answersOf>>;

export type Older = {
  /** What readers got of it. */
  readonly answers: Answers;
  /** The rows of each table. */
  readonly rows: ReadonlyMap<string, readonly object[]>;
};

/** What the directory had. */
export async function readOlder(): Promise<Older> {
  const on = await createTestDatabase({ cells: 1 });
  try {
    await fillRecords(on);
    const rowsOf = new Map<string, readonly object[]>();
    for (const [tag, tables] of Object.entries(RECORDS)) {
      const cell = on.productCells.of(tag);
      for (const table of tables) {
        const { rows } = await on.queryIn(cell, `select to_jsonb(t) as row from cell.${table} t`);
        assert.ok(rows.length > 0, `${table} has rows`);
        rowsOf.set(
          table,
          rows.map(({ row }) => row as object),
        );
      }
    }
    return { answers: await answersOf({ ...on, cells: on.cells as Cells }), rows: rowsOf };
  } finally {
    await on.drop();
  }
}

/** Makes the directory in an empty database. */
export async function makeOlder(address: DatabaseAddress, { rows: rowsOf }: Older): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "boathook-older-"));
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
  rmSync(folder, { recursive: true });
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
     select 0, 'note', number, '2026-11-01Z', '2026-11-02Z' from generate_series(1, 3) as number`,
  );
  await client.end();
}

/** Opens it with this build. */
export const openUpgraded = (databaseUrl: string) =>
  openStore({
    ...{ databaseUrl, dataFolder: "", cells: 1, connectionsMax: 4, connectTimeoutMs: 10_000 },
    ...{ products, clock: realClock, log: silentLog },
  });
