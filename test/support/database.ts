/**
 * Databases for tests: each its own, made in some milliseconds from a migrated template, all on one
 * embedded PostgreSQL that whoever comes first starts and whoever leaves last stops. It lasts for the
 * run only, and so does without `fsync`; whatever a killed run left is found and used by the next.
 *
 * BOATHOOK_TEST_CELLS=2 runs the suite with two cells in each database, BOATHOOK_TEST_DATABASE_URL on a
 * server of your own, whose user may create databases.
 */
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

import pg from "pg";

import { cellsNamed, SCHEMA_PREFIX, type Cell } from "../../src/store/cell.ts";
import { connectionConfig, openDatabase, type Database, type DatabaseAddress } from "../../src/store/database.ts";
import { startEmbedded, type EmbeddedOptions, type EmbeddedPostgres } from "../../src/store/embedded/embedded.ts";
import { migrate } from "../../src/store/migrate.ts";
import { silentLog } from "./log.ts";
import { realClock } from "./real-clock.ts";

export type TestDatabase = {
  readonly database: Database;
  readonly cells: readonly Cell[];
  readonly address: DatabaseAddress;
  /** Closes the pool and drops the database. */
  drop(): Promise<void>;
};

type Server = { readonly admin: pg.Client; readonly address: DatabaseAddress; stop(): Promise<void> };

const CONNECTIONS_MAX = 10;

/** How many cells a test database has unless the test says. */
export const TEST_CELLS = Number(process.env["BOATHOOK_TEST_CELLS"] ?? "1");

let server: Promise<Server> | null = null;
const templates = new Map<number, Promise<string>>();
let made = 0;

after(async () => {
  const running = server;
  server = null;
  templates.clear();
  await (await running)?.stop();
});

/**
 * A database of the test's own, migrated. Its events and deliveries have one default partition, which
 * takes ids of any time, or none with `partitions: "none"`, for a test that makes them.
 */
export async function createTestDatabase(
  options: { readonly cells?: 1 | 2; readonly partitions?: "default" | "none"; readonly connectionsMax?: number } = {},
): Promise<TestDatabase> {
  const count = options.cells ?? TEST_CELLS;
  const { admin, address: serverAddress } = await theServer();
  const template = await theTemplate(count);
  const name = newName();
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.query(`create database ${name} template ${template}`);
  const address = addressOf(serverAddress, name);
  const database = openDatabase(address, {
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
      await admin.query(`drop database ${name} with (force)`);
    },
  };
}

/** A database with nothing in it, for tests of migrating. */
export async function createEmptyDatabase(): Promise<{ readonly address: DatabaseAddress; drop(): Promise<void> }> {
  const { admin, address } = await theServer();
  const name = newName();
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.query(`create database ${name} template template0`);
  return {
    address: addressOf(address, name),
    async drop() {
      await admin.query(`drop database ${name} with (force)`);
    },
  };
}

function newName(): string {
  return `boathook_test_${process.pid}_${made++}`;
}

/** Runs plain SQL on a test's database, for what no statement of the store does. */
export async function query(address: DatabaseAddress, sql: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client(connectionConfig(address));
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await client.query(sql, values);
  } finally {
    await client.end();
  }
}

/** A PostgreSQL of the caller's own in a temporary folder, with the settings that users get. */
export async function startPrivatePostgres(
  options: Partial<EmbeddedOptions> = {},
): Promise<EmbeddedPostgres & { readonly dataFolder: string }> {
  const dataFolder = options.dataFolder ?? mkdtempSync(join(tmpdir(), "boathook-private-"));
  const postgres = await startEmbedded({ clock: realClock, log: silentLog, ...options, dataFolder });
  return {
    ...postgres,
    dataFolder,
    async stop() {
      const how = await postgres.stop();
      if (options.dataFolder === undefined) rmSync(dataFolder, { recursive: true, force: true });
      return how;
    },
  };
}

function theServer(): Promise<Server> {
  server ??= startServer();
  return server;
}

async function startServer(): Promise<Server> {
  const url = process.env["BOATHOOK_TEST_DATABASE_URL"];
  if (url !== undefined) {
    const admin = await connect({ url });
    return { admin, address: { url }, stop: () => admin.end() };
  }
  const postgres = await startEmbedded({
    dataFolder: join(tmpdir(), `boathook-test-${process.getuid?.() ?? 0}`),
    clock: realClock,
    log: silentLog,
    settings: { fsync: "off", max_connections: "300", autovacuum_naptime: "1min" },
  });
  const admin = await connect(postgres.address);
  await dropLeftovers(admin);
  return {
    admin,
    address: postgres.address,
    async stop() {
      // What nobody waits for keeps no process alive, and so would not come to its end.
      admin.ref();
      await admin.end();
      await postgres.stop();
    },
  };
}

async function connect(address: DatabaseAddress): Promise<pg.Client & { ref(): void; unref(): void }> {
  const client = new pg.Client(connectionConfig(address)) as pg.Client & { ref(): void; unref(): void };
  client.on("error", () => undefined);
  await client.connect();
  client.unref();
  return client;
}

/** Drops what runs that were killed left. */
async function dropLeftovers(admin: pg.Client): Promise<void> {
  const found = await admin.query<{ name: string }>(
    "select datname as name from pg_database where datname ~ '^boathook_test_[0-9]+_[0-9]+$'",
  );
  for (const { name } of found.rows) {
    const pid = Number(name.split("_")[2]);
    if (!isAlive(pid)) await admin.query(`drop database if exists ${name} with (force)`);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function theTemplate(cells: number): Promise<string> {
  let template = templates.get(cells);
  if (template === undefined) {
    template = makeTemplate(cells);
    templates.set(cells, template);
  }
  return template;
}

/** The template's name holds a hash of the migrations: one that changed makes a new one. */
async function makeTemplate(count: number): Promise<string> {
  const { admin, address } = await theServer();
  const name = `boathook_template_${migrationsHash()}_${count}`;
  const exists = "select from pg_database where datname = $1";
  if ((await admin.query(exists, [name])).rows.length > 0) return name;
  await admin.query("select pg_advisory_lock(hashtext($1))", [name]);
  try {
    if ((await admin.query(exists, [name])).rows.length > 0) return name;
    const draft = `${name}_draft`;
    await admin.query(`drop database if exists ${draft} with (force)`);
    await admin.query(`create database ${draft}`);
    const cells = cellsNamed(SCHEMA_PREFIX, count);
    await migrate(addressOf(address, draft), cells, silentLog);
    for (const { schema } of cells) {
      for (const table of ["events", "deliveries"]) {
        const partition = `create table ${schema}.${table}_default partition of ${schema}.${table} default`;
        await query(addressOf(address, draft), partition);
      }
    }
    await admin.query(`alter database ${draft} rename to ${name}`);
    return name;
  } finally {
    await admin.query("select pg_advisory_unlock(hashtext($1))", [name]);
  }
}

async function dropDefaultPartitions(address: DatabaseAddress, cells: readonly Cell[]): Promise<void> {
  for (const { schema } of cells) {
    await query(address, `drop table ${schema}.events_default, ${schema}.deliveries_default`);
  }
}

function migrationsHash(): string {
  const folder = join(import.meta.dirname, "..", "..", "src", "store", "migrations");
  const hash = createHash("sha256");
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
    if (file.endsWith(".sql")) hash.update(file).update(readFileSync(join(folder, file)));
  }
  return hash.digest("hex").slice(0, 12);
}

function addressOf(server: DatabaseAddress, database: string): DatabaseAddress {
  if ("socketFolder" in server) return { ...server, database };
  const url = new URL(server.url);
  url.pathname = `/${database}`;
  return { url: url.href };
}
