/**
 * Databases for tests: each its own, made in some milliseconds from a migrated template on the server of
 * `test-server.ts`. BOATHOOK_TEST_CELLS=2 runs the suite with two cells in each.
 */
import { after } from "node:test";

import pg from "pg";

import { cellsNamed, SCHEMA_PREFIX, type Cell } from "../../src/store/cell.ts";
import { connectionConfig, type Database, type DatabaseAddress } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { databaseName, startTestServer, TEST_CELLS, type TestServer } from "./test-server.ts";

export type TestDatabase = {
  readonly database: Database;
  readonly cells: readonly Cell[];
  readonly address: DatabaseAddress;
  /** Closes the pool and drops the database. */
  drop(): Promise<void>;
};

const CONNECTIONS_MAX = 10;

let server: Promise<TestServer> | null = null;
let made = 0;

after(async () => {
  const running = server;
  server = null;
  await (await running)?.stop();
});

/**
 * A database of the test's own, migrated. Its events and deliveries have one default partition, which
 * takes ids of any time, or none with `partitions: "none"`, for a test that makes them.
 */
export async function createTestDatabase(
  options: {
    readonly cells?: 1 | 2;
    readonly partitions?: "default" | "none";
    readonly connectionsMax?: number;
  } = {},
): Promise<TestDatabase> {
  const count = options.cells ?? TEST_CELLS;
  const { address, drop } = await copyDatabase(await (await sharedServer()).template(count));
  const database = openDatabase(address, {
    sessionName: "boathook test",
    connectionsMax: options.connectionsMax ?? CONNECTIONS_MAX,
    connectTimeoutMs: 10_000,
    onIdleError: () => undefined,
  });
  const cells = cellsNamed(SCHEMA_PREFIX, count);
  if (options.partitions === "none") await dropDefaultPartitions(address, cells);
  return {
    database,
    cells,
    address,
    async drop() {
      await database.close();
      await drop();
    },
  };
}

/** A database with nothing in it, for tests of migrating. */
export function createEmptyDatabase(): Promise<{ readonly address: DatabaseAddress; drop(): Promise<void> }> {
  return copyDatabase("template0");
}

async function copyDatabase(template: string) {
  const { run, copy, addressOf } = await sharedServer();
  const name = databaseName(made++);
  // A process before us may have had our number, and been killed.
  await run(`drop database if exists ${name} with (force)`);
  await copy(template, name);
  return { address: addressOf(name), drop: () => run(`drop database ${name} with (force)`) };
}

function sharedServer(): Promise<TestServer> {
  server ??= startTestServer();
  return server;
}

async function dropDefaultPartitions(address: DatabaseAddress, cells: readonly Cell[]): Promise<void> {
  for (const { schema } of cells) {
    await query(address, `drop table ${schema}.events_default, ${schema}.deliveries_default`);
  }
}

/** Runs plain SQL on a test's database, for what no statement of the store does. */
export async function query(
  address: DatabaseAddress,
  sql: string,
  values: unknown[] = [],
): Promise<pg.QueryResult> {
  const client = new pg.Client(connectionConfig(address));
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await client.query(sql, values);
  } finally {
    await client.end();
  }
}
