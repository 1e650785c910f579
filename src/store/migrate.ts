import { readdirSync } from "node:fs";
import { basename } from "node:path";

import pg from "pg";

import type { Log } from "../runtime/log.ts";
import { cellsNamed, kindOf, type Cell, type Cells } from "./cell.ts";
import { connectionConfig, type DatabaseAddress } from "./database.ts";
import { faultOf } from "./faults.ts";
import { PLACEMENTS, type Placement } from "./homes/citus.ts";
import { distribute } from "./shards/distribute.ts";
import { hasRecord, targetsOf, type MigratedProduct, type MigrationTarget } from "./migration-targets.ts";
import { sqlTokens } from "./sql-tokens.ts";
import { StartupError } from "../runtime/startup-error.ts";

/**
 * The key of an advisory lock that all who migrate cells of a server share. A move takes it alone before it renames the
 * cell's schema, which a migration would otherwise make again.
 */
export const MIGRATING = "hashtext('boathook migrating')";

/** The oldest PostgreSQL that Boathook works on. */
const SERVER_MAJOR_MIN = 15;

const CONNECT_WAIT_MS_MAX = 10_000;

/** How long the coordinator of Citus tries to reach a worker, instead of half a minute. */
const WORKER_WAIT_MS_MAX = 3_000;

/** What `migrate` did. */
export type Migrated = {
  /** The names of the migrations that it ran, `<schema>/<name>` or `<schema>/<tag>/<name>`. */
  readonly ran: readonly string[];
  /** Schemas of cells that move, or whose worker the coordinator of Citus cannot reach: migrate these again before you use them. */
  readonly unreachable: readonly string[];
};

/** Migrates the directory and all cells of a single server. */
export async function migrate(
  address: DatabaseAddress,
  cells: Cells,
  log: Log,
  products: readonly MigratedProduct[] = [],
): Promise<Migrated> {
  const [{ directory: prefix }] = cells;
  const directory = await migrateDirectory(address, prefix, log, products);
  const ofProducts = products
    .filter(hasRecord)
    .flatMap(({ tag, cells: count = 1 }) => cellsNamed(prefix, count, tag));
  const ofCells = await migrateCells(address, [...cells, ...ofProducts], log, products);
  return { ran: [...directory.ran, ...ofCells.ran], unreachable: ofCells.unreachable };
}

/**
 * Brings the directory to the shape that this build needs. Of several processes at once one migrates and the others
 * wait. Throws `StartupError` on a server that is too old and on a database that a newer build has migrated.
 */
export function migrateDirectory(
  address: DatabaseAddress,
  schema: string,
  log: Log,
  products: readonly MigratedProduct[] = [],
): Promise<Migrated> {
  return runTargets(address, targetsOf("directory", [schema], products), [], log);
}

/** Whether a server is the home of a cell. Where it moved to, its schema gets its name only after the directory says so. */
export type Residence = "here" | "here once it is made" | "elsewhere";

/**
 * The same for cells that live at `address`; on Citus, the coordinator's, each becomes a distributed schema. Asks
 * for `residences` while no move can begin; a cell that is not here counts as unreachable.
 */
export function migrateCells(
  address: DatabaseAddress,
  cells: readonly Cell[],
  log: Log,
  products: readonly MigratedProduct[] = [],
  residences: () => Promise<(cell: Cell) => Residence> = async () => () => "here",
): Promise<Migrated> {
  const schemasOf = (some: readonly Cell[]) => some.map(({ schema }) => schema);
  const targets = [...Map.groupBy(cells, kindOf)].flatMap(([kind, some]) =>
    targetsOf(kind, schemasOf(some), products),
  );
  return runTargets(address, targets, schemasOf(cells), log, async (client) => {
    await client.query(`select pg_advisory_lock_shared(${MIGRATING})`);
    const residenceOf = await residences();
    const elsewhere: string[] = [];
    for (const cell of cells) {
      const residence = residenceOf(cell);
      const isHere = residence === "here" || (residence !== "elsewhere" && (await isMade(client, cell)));
      if (!isHere) elsewhere.push(cell.schema);
    }
    return elsewhere;
  });
}

async function isMade(client: pg.Client, { schema }: Cell): Promise<boolean> {
  const found = await client.query("select 1 where to_regnamespace($1) is not null", [schema]);
  return found.rowCount === 1;
}

async function runTargets(
  address: DatabaseAddress,
  targets: readonly MigrationTarget[],
  distributed: readonly string[],
  log: Log,
  elsewhere: (client: pg.Client) => Promise<readonly string[]> = async () => [],
): Promise<Migrated> {
  const client = new pg.Client({
    ...connectionConfig(address),
    application_name: "boathook migrate",
    connectionTimeoutMillis: CONNECT_WAIT_MS_MAX,
  });
  // A connection that breaks fails the running statement; nobody else needs to know.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await refuseOldServer(client);
    const isCitus = await hasCitus(client);
    // Where new schemas are distributed by themselves, the directory would leave the coordinator.
    if (isCitus) {
      await client.query("set citus.enable_schema_based_sharding = off");
      await client.query(`set citus.node_connection_timeout = ${WORKER_WAIT_MS_MAX}`);
    }
    const ran: string[] = [];
    const unreachable = new Set(await elsewhere(client));
    for (const target of targets) {
      if (unreachable.has(target.schema)) continue;
      try {
        if (!(await isCurrent(client, target))) ran.push(...(await run(client, target, log)));
      } catch (cause) {
        if (!isWorkerLost(cause)) throw cause;
        log.debug({ schema: target.schema, cause }, "the server of a cell cannot be reached");
        for (const schema of await besides(client, target.schema)) unreachable.add(schema);
      }
    }
    const here = distributed.filter((schema) => !unreachable.has(schema));
    if (isCitus) await distribute(client, here);
    return { ran, unreachable: [...unreachable] };
  } finally {
    await client.end();
  }
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const answer = await client.query<{ number: number; version: string }>(
    "select current_setting('server_version_num')::integer as number, current_setting('server_version') as version",
  );
  const { number, version } = answer.rows[0]!;
  if (number >= SERVER_MAJOR_MIN * 10_000) return;
  throw new StartupError(
    `The database server is PostgreSQL ${version}; Boathook needs ${SERVER_MAJOR_MIN} or later.`,
  );
}

/** The coordinator itself still answers. */
function isWorkerLost(cause: unknown): boolean {
  return cause instanceof pg.DatabaseError && cause.severity === "ERROR" && faultOf(cause) === "unreachable";
}

/** The cell, and the others on its worker. */
async function besides(client: pg.Client, cell: string): Promise<readonly string[]> {
  const { rows } = await client.query<Placement>(PLACEMENTS.text);
  const its = rows.find(({ schema }) => schema === cell);
  const same = rows.filter(({ host, port }) => host === its?.host && port === its.port);
  return [cell, ...same.map(({ schema }) => schema)];
}

async function hasCitus(client: pg.Client): Promise<boolean> {
  return (await client.query("select from pg_extension where extname = 'citus'")).rowCount === 1;
}

/** Whether there is nothing to do. Most starts end here, and load nothing more. */
async function isCurrent(client: pg.Client, target: MigrationTarget): Promise<boolean> {
  const { schema } = target;
  const wanted = readdirSync(target.folder)
    .filter((file) => file.endsWith(".sql"))
    .map((file) => basename(file, ".sql"));
  const table = `"${schema}"."${target.table}"`;
  const found = await client.query("select 1 where to_regclass($1) is not null", [table]);
  if (found.rowCount === 0) return false;
  const ran = await client.query<{ name: string }>(`select name from ${table}`);
  const names = new Set(ran.rows.map(({ name }) => name));
  const unknown = [...names].filter((name) => !wanted.includes(name));
  if (unknown.length > 0) {
    throw new StartupError(
      `The database was migrated by a newer Boathook (${schema} has ${unknown.toSorted().join(", ")}, ` +
        "which this one does not know). Start that version, or a later one.",
    );
  }
  return wanted.every((name) => names.has(name));
}

async function run(
  client: pg.Client,
  { schema, folder, table, prefix }: MigrationTarget,
  log: Log,
): Promise<readonly string[]> {
  const { runner } = await import("node-pg-migrate");
  const note = (message: string) => log.debug({ schema }, message);
  const ran = await runner({
    dbClient: oneByOne(client),
    dir: folder,
    direction: "up",
    schema,
    createSchema: true,
    migrationsTable: table,
    singleTransaction: true,
    advisoryLockMode: "wait",
    logger: { info: note, warn: note, error: note },
  });
  const names = ran.map(({ name }) => `${schema}/${prefix}${name}`);
  if (names.length > 0)
    log.info({ schema, migrations: ran.map(({ name }) => name) }, "migrated the database");
  return names;
}

/** The client, for files of several statements: Citus takes a change of a distributed table by itself only. */
function oneByOne(client: pg.Client): pg.ClientBase {
  const query = async (text: string, values?: unknown[]) => {
    let answer: unknown;
    for (const one of statementsIn(text)) answer = await client.query(one, values);
    return answer;
  };
  return { query } as unknown as pg.ClientBase;
}

/** The statements of a file: its text cut at semicolons, but not at those in strings and comments. */
function statementsIn(text: string): readonly string[] {
  const ends = [...sqlTokens(text)].filter((token) => token.text === ";").map(({ start }) => start + 1);
  const pieces = [0, ...ends].map((start, index) => text.slice(start, ends[index]));
  return pieces.filter((piece) =>
    [...sqlTokens(piece)].some(
      ({ kind, text: token }) => kind !== "space" && kind !== "comment" && token !== ";",
    ),
  );
}
