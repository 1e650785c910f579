/**
 * Every statement of the project on a real Citus: those of a cell, of accounts or of a product, on its worker, those of
 * the directory on the coordinator. An outbox is in both.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import pg from "pg";

import { describeStatement } from "../../scripts/describe-statement.ts";
import { cellOfStatement, queryFiles } from "../../scripts/statement-types.ts";
import { products } from "../../src/products/index.ts";
import { cellsNamed } from "../../src/store/cell.ts";
import { connectionConfig, type Database, type DatabaseAddress } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { onShards, type Shards } from "../../src/store/shards/on-shards.ts";
import { guardShards } from "../../src/store/shards/shards.ts";
import { inSchemas, queriesIn } from "../../src/store/sql.ts";
import { noCitus, startCitus, type CitusCluster } from "../support/citus.ts";
import { silentLog } from "../support/log.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const [CELL] = cellsNamed("boathook", 1);
const PRODUCT_CELLS = ["schedules", "rates"].map((tag) => cellsNamed("boathook", 1, tag)[0]);
/** PostgreSQL plans for the values five times, and may then plan once for all. */
const RUNS = 6;

const ID = "0192d3a0-0000-7000-8000-000000000001";
const AT = "2026-11-21T09:30:00Z";

/** A value of each type that statements take. */
const VALUES: Readonly<Record<string, string>> = {
  bool: "true",
  bytea: `\\x${"ab".repeat(32)}`,
  date: "2026-11-21",
  float8: "2",
  int2: "1",
  int4: "1",
  int8: "1",
  // A number and a day as well, since some texts are cast.
  text: "20261121",
  timestamptz: AT,
  uuid: ID,
};

/** What the values may run into: they are of the right types, not right. */
const DATA_REFUSED = /^(?:22|23)/;

describe("every statement on Citus", { skip: noCitus() }, () => {
  let cluster: CitusCluster;
  let coordinator: Database;
  let onCoordinator: pg.Client;
  /** By schema. */
  const homes = new Map<string, { client: pg.Client; database: Database; shards: Shards }>();

  before(async () => {
    cluster = await startCitus();
    const made = await cluster.createDatabase("statements");
    await migrate(made.coordinator, [CELL], silentLog, products);
    onCoordinator = await connect(made.coordinator);
    coordinator = open(made.coordinator);
    const placed = await onCoordinator.query<{ schema: string; port: number }>(
      `select distinct c.relnamespace::regnamespace::text as schema, s.nodeport as port
       from citus_shards s join pg_class c on c.oid = s.table_name`,
    );
    for (const cell of [CELL, ...PRODUCT_CELLS]) {
      const { port: home } = placed.rows.find(({ schema }) => schema === cell.schema)!;
      const address = cluster.workers.find(({ port }) => port === home)!.addressOf(made.name);
      const database = open(address);
      const shards = await guardShards(database, cell);
      homes.set(cell.schema, { client: await connect(address), database, shards });
    }
    const { shards } = homes.get(CELL.schema)!;
    await onCoordinator.query(`select ${CELL.schema}.make_partitions('2026-11-20', '2026-11-23')`);
    assert.ok(shards.has("deliveries") && !shards.has("deliveries_p20261121"), [...shards.keys()].join());
    await onCoordinator.query(`insert into ${CELL.schema}.accounts (id) values ($1)`, [ID]);
  });
  after(async () => {
    for (const { client, database } of homes.values()) {
      await client.end();
      await database.close();
    }
    await onCoordinator?.end();
    await coordinator?.close();
    await cluster?.stop();
  });

  for (const [path, { name, text }] of queryFiles().flatMap((file) =>
    queriesIn(readFileSync(join(ROOT, file), "utf8")).map((query) => [file, query] as const),
  )) {
    const own = cellOfStatement(path, CELL);
    for (const cell of own.schema === own.directory ? [own, ...PRODUCT_CELLS] : [own])
      test(`${name} in ${cell.schema}`, async () => {
        // Partitions are tables, which are made and dropped where Citus keeps their list.
        const isOfCell = usesCell(text) && !name.startsWith("partition_");
        const home = isOfCell ? homes.get(cell.schema) : undefined;
        const { client, database } = home ?? { client: onCoordinator, database: coordinator };
        const placed = inSchemas(home === undefined ? text : onShards(text, home.shards), cell);
        const values = await valuesFor(client, placed);
        if (!/^(?:--.*\n)*set /.test(placed)) {
          const plan = await client.query<{ "QUERY PLAN": string }>(`explain ${placed}`, values);
          // Citus would make a plan of its own at each run.
          assert.doesNotMatch(plan.rows.map((row) => row["QUERY PLAN"]).join("\n"), /Citus/);
        }
        for (let run = 0; run < RUNS; run++) await runUndone(database, { name, text: placed }, values);
      });
  }
});

/** Not where a comment says "cell." alone. */
function usesCell(text: string): boolean {
  return inSchemas(text, { schema: "a cell", directory: "the directory" }).includes('"a cell".');
}

async function connect(address: DatabaseAddress): Promise<pg.Client> {
  const client = new pg.Client(connectionConfig(address));
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

function open(address: DatabaseAddress): Database {
  return openDatabase(address, {
    sessionName: "boathook statements",
    // One session: it prepares each statement once.
    connectionsMax: 1,
    connectTimeoutMs: 10_000,
    onIdleError: () => undefined,
  });
}

async function valuesFor(client: pg.Client, text: string): Promise<string[]> {
  const { parameters } = await describeStatement(client, text);
  const types = await client.query<{ name: string }>(
    "select t.typname as name from unnest($1::oid[]) with ordinality as p (id, nth) join pg_type t on t.oid = p.id order by nth",
    [parameters],
  );
  return types.rows.map(({ name }) => {
    const value = VALUES[name.replace(/^_/, "")];
    assert.ok(value !== undefined, `no value of type ${name}`);
    return name.startsWith("_") ? `{"${value.replaceAll("\\", "\\\\")}"}` : value;
  });
}

const UNDONE = new Error("undone");

async function runUndone(
  database: Database,
  statement: { readonly name: string; readonly text: string },
  values: readonly string[],
): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      await tx.rows(statement, values);
      throw UNDONE;
    });
  } catch (error) {
    const isRefused = error instanceof pg.DatabaseError && DATA_REFUSED.test(error.code ?? "");
    if (error !== UNDONE && !isRefused) throw error;
  }
}
