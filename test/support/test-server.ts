/**
 * The PostgreSQL that tests share: an embedded one that the first test process starts and the last one stops. It
 * lasts for one run only, and so runs without `fsync`; the next run finds and uses what a killed run left.
 * BOATHOOK_TEST_DATABASE_URL names your own server instead, whose user may create databases.
 */
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import pg from "pg";

import { cellsNamed, SCHEMA_PREFIX, type Cells } from "../../src/store/cell.ts";
import { connectionConfig, type DatabaseAddress } from "../../src/store/database.ts";
import { isAlive } from "../../src/store/embedded/cluster.ts";
import { startEmbedded } from "../../src/store/embedded/embedded.ts";
import { addMissingCells } from "../../src/store/homes/cells.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { migrate } from "../../src/store/migrate.ts";
import { hasRecord } from "../../src/store/migration-targets.ts";
import { databaseFolder } from "./database-folder.ts";
import { silentLog } from "./log.ts";
import { realClock } from "./real-clock.ts";

export type TestServer = {
  /** Runs one statement that makes or drops databases. */
  run(sql: string): Promise<void>;
  addressOf(database: string): DatabaseAddress;
  /** Makes a database with all that the template holds. */
  copy(template: string, name: string): Promise<void>;
  /** The name of a migrated database to copy, with so many cells of each kind; or of what one of two homes has of two. */
  template(cells: number, home?: TestHome): Promise<string>;
  stop(): Promise<void>;
};

/** The directory with the first cells, or the second ones: as the nodes of Citus hold them. */
export type TestHome = "first" | "second";

const SETTINGS = {
  fsync: "off",
  full_page_writes: "off",
  max_connections: "300",
  autovacuum_naptime: "1min",
};

export async function startTestServer(): Promise<TestServer> {
  const url = process.env["BOATHOOK_TEST_DATABASE_URL"];
  if (url !== undefined) return serverOn(await connect({ url }), { url }, "", async () => undefined);
  const postgres = await startEmbedded({
    dataFolder: join(databaseFolder(), `boathook-test-${process.getuid?.() ?? 0}`),
    clock: realClock,
    log: silentLog,
    settings: SETTINGS,
  });
  const admin = await connect(postgres.address);
  await dropLeftovers(admin);
  // Without fsync, copying files costs a third of what writing pages does.
  return serverOn(admin, postgres.address, "strategy file_copy", postgres.stop);
}

/** The names of tests' databases: the process that made one, and its number there. */
export function databaseName(number: number): string {
  return `boathook_test_${process.pid}_${number}`;
}

type Admin = pg.Client & { ref(): void; unref(): void };

async function connect(address: DatabaseAddress): Promise<Admin> {
  const admin = new pg.Client(connectionConfig(address)) as Admin;
  admin.on("error", () => undefined);
  await admin.connect();
  return admin;
}

function serverOn(
  admin: Admin,
  address: DatabaseAddress,
  strategy: string,
  release: () => Promise<unknown>,
): TestServer {
  const templates = new Map<string, Promise<string>>();
  let working = 0;
  // While idle it keeps no process alive: the last test may not know that it is the last.
  const keepingAlive = async <T>(work: () => Promise<T>): Promise<T> => {
    working++;
    admin.ref();
    try {
      return await work();
    } finally {
      if (--working === 0) admin.unref();
    }
  };
  const addressOf = (database: string) => withDatabase(address, database);
  const run = (sql: string) => keepingAlive(async () => void (await admin.query(sql)));
  return {
    addressOf,
    run,
    copy: (template, name) => run(`create database ${name} template ${template} ${strategy}`),
    template(cells, home) {
      const kind = `${cells}${home === undefined ? "" : `_${home}`}`;
      const make = (draft: DatabaseAddress) => fillTemplate(draft, cells, home);
      const known = templates.get(kind) ?? keepingAlive(() => makeTemplate(admin, addressOf, kind, make));
      templates.set(kind, known);
      return known;
    },
    async stop() {
      admin.ref();
      await admin.end();
      await release();
    },
  };
}

/** Drops what runs that were killed left. */
async function dropLeftovers(admin: pg.Client): Promise<void> {
  const found = await admin.query<{ name: string }>(
    "select datname as name from pg_database where datname ~ '^boathook_test_[0-9]+_[0-9]+$'",
  );
  for (const { name } of found.rows) {
    if (!isAlive(Number(name.split("_")[2])))
      await admin.query(`drop database if exists ${name} with (force)`);
  }
}

/** The name holds a hash of the migrations: when one changes, a new template is made. */
async function makeTemplate(
  admin: pg.Client,
  addressOf: (database: string) => DatabaseAddress,
  kind: string,
  fill: (address: DatabaseAddress) => Promise<void>,
): Promise<string> {
  const name = `boathook_template_${migrationsHash()}_${kind}`;
  const isThere = async () =>
    (await admin.query("select from pg_database where datname = $1", [name])).rows.length > 0;
  if (await isThere()) return name;
  await admin.query("select pg_advisory_lock(hashtext($1))", [name]);
  try {
    if (await isThere()) return name;
    const draft = `${name}_draft`;
    await admin.query(`drop database if exists ${draft} with (force)`);
    await admin.query(`create database ${draft} template template0`);
    await fill(addressOf(draft));
    await admin.query(`alter database ${draft} rename to ${name}`);
    return name;
  } finally {
    await admin.query("select pg_advisory_unlock(hashtext($1))", [name]);
  }
}

/** Besides the migrations, a default partition that takes ids of any time. */
async function fillTemplate(address: DatabaseAddress, count: number, home?: TestHome): Promise<void> {
  const cells = cellsNamed(SCHEMA_PREFIX, count);
  const { products } = await import("../../src/products/index.ts");
  await migrate(address, cells, silentLog, products);
  await listCellsIn(address, cells);
  const client = new pg.Client(connectionConfig(address));
  await client.connect();
  for (const { schema } of cells) {
    for (const table of ["event_references", "events", "deliveries", "attempts"]) {
      await client.query(`create table ${schema}.${table}_default partition of ${schema}.${table} default`);
    }
  }
  // What is elsewhere is not found here: a statement that goes astray fails.
  const { directory } = cells[0];
  const ofProducts = products.filter(hasRecord).map(({ tag }) => `${directory}_${tag}_0`);
  const elsewhere = {
    first: cells.slice(1).map(({ schema }) => schema),
    second: [directory, cells[0].schema, ...ofProducts],
  };
  for (const one of home === undefined ? [] : elsewhere[home])
    await client.query(`drop schema ${one} cascade`);
  await client.end();
}

/** As opening a store does. */
async function listCellsIn(address: DatabaseAddress, cells: Cells): Promise<void> {
  const database = openDatabase(address, {
    sessionName: "boathook test",
    connectionsMax: 1,
    connectTimeoutMs: 10_000,
    onIdleError: () => undefined,
  });
  await addMissingCells(database, cells[0], cells.length, new Date(0));
  await database.close();
}

/** Changes with the migrations. */
export function migrationsHash(): string {
  const folder = join(import.meta.dirname, "..", "..", "src");
  const hash = createHash("sha256");
  for (const file of globSync(["store/migrations/**/*.sql", "products/*/migrations/**/*.sql"], {
    cwd: folder,
  }).toSorted()) {
    hash.update(file).update(readFileSync(join(folder, file)));
  }
  return hash.digest("hex").slice(0, 12);
}

function withDatabase(server: DatabaseAddress, database: string): DatabaseAddress {
  if ("socketFolder" in server) return { ...server, database };
  const url = new URL(server.url);
  url.pathname = `/${database}`;
  return { url: url.href };
}
