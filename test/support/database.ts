/**
 * Databases for tests: each its own, made in some milliseconds from a migrated template on the server of
 * `test-server.ts`.
 */
import pg from "pg";

import { cellsNamed, directoryOf, SCHEMA_PREFIX, type Cell, type Cells } from "../../src/store/cell.ts";
import { connectionConfig, type Database, type DatabaseAddress } from "../../src/store/database.ts";
import { fixedHomes } from "../../src/store/homes/homes.ts";
import { createProductCells, type ProductCells } from "../../src/store/homes/product-cells.ts";
import { openDatabaseOn } from "../../src/store/open-database.ts";
import { FORWARDER_DEFAULTS, forwardBatch } from "../../src/store/outbox/forwarder.ts";
import { atEndOfFile } from "./endings.ts";
import { realClock } from "./real-clock.ts";
import { databaseName, startTestServer, type TestServer } from "./test-server.ts";

export type TestDatabase = {
  readonly database: Database;
  readonly cells: readonly Cell[];
  readonly productCells: ProductCells;
  /** The home of the directory, and of the cells unless they have another. */
  readonly address: DatabaseAddress;
  addressOf(cell: Cell): DatabaseAddress;
  /** Runs plain SQL where the cell lives; its tables are named `cell.x`. */
  queryIn(cell: Cell, sql: string, values?: unknown[]): Promise<pg.QueryResult>;
  /** The same in each of the cells; the rows of all. */
  queryEach(cells: readonly Cell[], sql: string, values?: unknown[]): Promise<pg.QueryResult["rows"]>;
  /** Applies what transactions say to cells of accounts: all that the outboxes hold. */
  forward(): Promise<void>;
  /** Closes the pool and drops the database. */
  drop(): Promise<void>;
};

const CONNECTIONS_MAX = 10;

let server: Promise<TestServer> | null = null;
let made = 0;

atEndOfFile(async () => {
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
    /** One unless the test says. */
    readonly cells?: number;
    readonly partitions?: "default" | "none";
    readonly connectionsMax?: number;
    /** In how many databases two cells live: one unless the test says. */
    readonly homes?: 1 | 2;
  } = {},
): Promise<TestDatabase> {
  const count = options.cells ?? 1;
  const isApart = options.homes === 2 && count === 2;
  const { template } = await sharedServer();
  const cells = cellsNamed(SCHEMA_PREFIX, count);
  const { address, drop } = await copyDatabase(await template(count, isApart ? "first" : undefined));
  const others = isApart ? [await copyDatabase(await template(count, "second"))] : [];
  const isSecond = (schema?: string) => schema?.endsWith("_1") === true;
  const addressOf = (schema?: string) => (isSecond(schema) ? others[0]?.address : null) ?? address;
  const database = openDatabaseOn(fixedHomes(addressOf), {
    sessionName: "boathook test",
    connectionsMax: options.connectionsMax ?? CONNECTIONS_MAX,
    connectTimeoutMs: 10_000,
    onIdleError: () => undefined,
  });
  for (const other of others) secondHomes.set(address, other.address);
  if (options.partitions === "none") await dropDefaultPartitions(addressOf, cells);
  const queryIn: TestDatabase["queryIn"] = (cell, sql, values) =>
    query(addressOf(cell.schema), sql.replaceAll(/\bcell\./g, `${cell.schema}.`), values);
  const productCells = productCellsOf();
  return {
    database,
    cells,
    productCells,
    address,
    addressOf: ({ schema }) => addressOf(schema),
    queryIn,
    async queryEach(some, sql, values) {
      const found = await Promise.all(some.map((cell) => queryIn(cell, sql, values)));
      return found.flatMap(({ rows }) => rows);
    },
    forward: () => forwardAll(database, cells, productCells),
    async drop() {
      await database.close();
      for (const one of others) await one.drop();
      await drop();
    },
  };
}

/** Later than all that a test's clock shows. */
const FAR_MS = Date.UTC(9000, 0);

/** As the directory's migrations number them. */
export function productCellsOf(): ProductCells {
  const numbered = ["schedules", "rates"].map((tag, place) => {
    const [cell] = cellsNamed(SCHEMA_PREFIX, 1, tag);
    return [tag, { ...cell, number: cell.number + place }] as const;
  });
  return createProductCells(new Map(numbered));
}

async function forwardAll(
  database: Database,
  cells: Cells,
  { all: ofProducts }: ProductCells,
): Promise<void> {
  const { products } = await import("../../src/products/index.ts");
  const { messageHandlers } = await import("../../src/service/outbox.ts");
  const handlers = await messageHandlers(products, () => undefined);
  const clock = { ...realClock, nowMs: () => FAR_MS };
  for (const source of [directoryOf(cells[0]), ...ofProducts]) {
    for (const cell of cells) {
      while (await forwardBatch({ database, source, clock }, handlers, FORWARDER_DEFAULTS, cell));
    }
  }
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

async function dropDefaultPartitions(
  addressOf: (schema: string) => DatabaseAddress,
  cells: readonly Cell[],
): Promise<void> {
  for (const { schema } of cells) {
    const names = ["event_references", "events", "deliveries", "attempts"].map(
      (table) => `${schema}.${table}_default`,
    );
    await query(addressOf(schema), `drop table ${names.join()}`);
  }
}

/** Of databases whose second cells have one of their own. */
const secondHomes = new WeakMap<DatabaseAddress, DatabaseAddress>();
const OF_SECOND = new RegExp(String.raw`\b${SCHEMA_PREFIX}_[a-z]+_1\b`);

/** Runs plain SQL on a test's database, for what no statement of the store does: where the cell lives that it names. */
export async function query(
  address: DatabaseAddress,
  sql: string,
  values: unknown[] = [],
): Promise<pg.QueryResult> {
  const second = secondHomes.get(address);
  const home = second !== undefined && OF_SECOND.test(sql) ? second : address;
  const client = new pg.Client(connectionConfig(home));
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await client.query(sql, values);
  } finally {
    await client.end();
  }
}
