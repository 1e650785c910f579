/** Every statement of the project on a real Citus: those of a cell on its worker, those of the directory on the coordinator. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { after, before, describe, test } from "node:test";

import pg from "pg";

import { describeStatement } from "../../scripts/describe-statement.ts";
import { products } from "../../src/products/index.ts";
import { cellsNamed } from "../../src/store/cell.ts";
import { connectionConfig, type Database, type DatabaseAddress } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { onShards, type Shards } from "../../src/store/shards/on-shards.ts";
import { guardShards } from "../../src/store/shards/shards.ts";
import { inSchemas } from "../../src/store/sql.ts";
import { noCitus, startCitus, type CitusCluster } from "../support/citus.ts";
import { silentLog } from "../support/log.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const [CELL] = cellsNamed("boathook", 1);
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
  let worker: Database;
  let coordinator: Database;
  let shards: Shards;
  let onWorker: pg.Client;
  let onCoordinator: pg.Client;

  before(async () => {
    cluster = await startCitus();
    const made = await cluster.createDatabase("statements");
    await migrate(made.coordinator, [CELL], silentLog, products);
    onCoordinator = await connect(made.coordinator);
    const home = await onCoordinator.query<{ port: number }>(
      "select distinct nodeport as port from citus_shards",
    );
    const address = cluster.workers.find(({ port }) => port === home.rows[0]!.port)!.addressOf(made.name);
    onWorker = await connect(address);
    worker = open(address);
    coordinator = open(made.coordinator);
    await onCoordinator.query(`select ${CELL.schema}.make_partitions('2026-11-20', '2026-11-23')`);
    shards = await guardShards(worker, CELL);
    assert.ok(shards.has("deliveries") && !shards.has("deliveries_p20261121"), [...shards.keys()].join());
    await onCoordinator.query(`insert into ${CELL.schema}.accounts (id) values ($1)`, [ID]);
  });
  after(async () => {
    await onWorker?.end();
    await onCoordinator?.end();
    await worker?.close();
    await coordinator?.close();
    await cluster?.stop();
  });

  for (const path of globSync("src/**/store/**/*.sql", {
    cwd: ROOT,
    exclude: ["src/store/migrations/**"],
  }).toSorted()) {
    const text = readFileSync(join(ROOT, path), "utf8");
    const name = basename(path, ".sql");
    test(name, async () => {
      // Partitions are tables, which are made and dropped where Citus keeps their list.
      const isOfCell = /\bcell\./.test(text.replaceAll(/--.*$/gm, "")) && !name.startsWith("partition_");
      const [client, database] = isOfCell ? [onWorker, worker] : [onCoordinator, coordinator];
      const placed = inSchemas(isOfCell ? onShards(text, shards) : text, CELL);
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
