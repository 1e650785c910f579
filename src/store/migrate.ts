import pg from "pg";

import type { Log } from "../runtime/log.ts";
import { sideBySide } from "../runtime/side-by-side.ts";
import { StartupError } from "../runtime/startup-error.ts";
import { cellsNamed, kindOf, type Cell, type Cells } from "./cell.ts";
import { connectionConfig, type DatabaseAddress } from "./database.ts";
import { faultOf, storeFault } from "./faults.ts";
import { PLACEMENTS, type Placement } from "./homes/citus.ts";
import { outdatedOf } from "./migration-state.ts";
import {
  hasRecord,
  MIGRATIONS_TABLE,
  targetsOf,
  type MigratedProduct,
  type MigrationTarget,
  type SchemaTargets,
} from "./migration-targets.ts";
import { movedCell } from "./moves/moved-cell.ts";
import { refuseStranded } from "./refuse-stranded.ts";
import { distribute } from "./shards/distribute.ts";
import { sqlTokens } from "./sql-tokens.ts";

/**
 * The key of an advisory lock that all who migrate on a server share. `move-store` takes it alone before it renames schemas,
 * which a migration would otherwise make again.
 */
export const MIGRATING = "hashtext('boathook migrating')";

/** The oldest PostgreSQL that Boathook works on. */
const SERVER_MAJOR_MIN = 15;

const CONNECT_WAIT_MS_MAX = 10_000;

/** How long the coordinator of Citus tries to reach a worker, instead of half a minute. */
const WORKER_WAIT_MS_MAX = 3_000;

/** node-pg-migrate's own lock: of several processes at once one migrates, releases from before sessions included. */
const MIGRATE_LOCK = "7241865325823964";

/** Schemas that are migrated at the same time: most of a migration is waiting for answers and files. */
const SESSIONS_MAX = 4;

/** What `migrate` did. */
export type Migrated = {
  /** The names of the migrations that it ran, `<schema>/<name>` or `<schema>/<tag>/<name>`. */
  readonly ran: readonly string[];
  /** Schemas of cells whose worker the coordinator of Citus cannot reach: migrate these again before you use them. */
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
  const ofProducts = products.filter(hasRecord).map(({ tag }) => cellsNamed(prefix, 1, tag)[0]);
  const ofCells = await migrateCells(address, [...cells, ...ofProducts], log, products);
  return { ran: [...directory.ran, ...ofCells.ran], unreachable: ofCells.unreachable };
}

/**
 * Brings the directory to the shape that this build needs. Of several processes at once one migrates and the others
 * wait. Throws `StartupError` on a server that is too old, on a database that a newer build has migrated, on one from
 * which the store has moved: it would get an empty one, on one that this version does not serve (refuse-stranded.ts),
 * and, unless `mayCreate`, on one without a store.
 */
export function migrateDirectory(
  address: DatabaseAddress,
  schema: string,
  log: Log,
  products: readonly MigratedProduct[] = [],
  mayCreate = true,
): Promise<Migrated> {
  return runTargets(address, targetsOf("directory", [schema], products), [], log, async (client) => {
    const { fenced } = movedCell({ number: -1, schema, directory: schema });
    if (!(await isMade(client, fenced)) || (await isMade(client, { schema }))) {
      if (!mayCreate) await requireMigrated(client, schema);
      return refuseStranded(client, schema);
    }
    throw new StartupError(
      "The store has moved from this database to another, or is moving: boathook move-store was here. Set " +
        "BOATHOOK_DATABASE_URL to where it lives now. If the command did not end, repeat it, or undo the move by its --undo.",
    );
  });
}

/** A schema alone may be an administrator's. */
async function requireMigrated(client: pg.Client, schema: string): Promise<void> {
  const table = `"${schema}"."${MIGRATIONS_TABLE}"`;
  if ((await client.query("select 1 where to_regclass($1) is not null", [table])).rowCount === 1) return;
  throw new StartupError(
    "There is no Boathook in the database that BOATHOOK_DATABASE_URL names. Set it to the right one, or make one there " +
      "with `boathook migrate` or `boathook serve`.",
  );
}

/** The same for cells; on Citus, whose coordinator `address` then is, each becomes a distributed schema. */
export function migrateCells(
  address: DatabaseAddress,
  cells: readonly Cell[],
  log: Log,
  products: readonly MigratedProduct[] = [],
): Promise<Migrated> {
  const schemasOf = (some: readonly Cell[]) => some.map(({ schema }) => schema);
  const targets = [...Map.groupBy(cells, kindOf)].flatMap(([kind, some]) =>
    targetsOf(kind, schemasOf(some), products),
  );
  return runTargets(address, targets, schemasOf(cells), log);
}

async function isMade(client: pg.Client, { schema }: Pick<Cell, "schema">): Promise<boolean> {
  const found = await client.query("select 1 where to_regnamespace($1) is not null", [schema]);
  return found.rowCount === 1;
}

async function runTargets(
  address: DatabaseAddress,
  targets: readonly MigrationTarget[],
  distributed: readonly string[],
  log: Log,
  refuse: (client: pg.Client) => Promise<void> = async () => undefined,
): Promise<Migrated> {
  const client = await connect(address);
  const sessions = [client];
  try {
    await refuseOldServer(client);
    const isCitus = await hasCitus(client);
    // Where new schemas are distributed by themselves, the directory would leave the coordinator.
    if (isCitus) {
      await client.query("set citus.enable_schema_based_sharding = off");
      await client.query(`set citus.node_connection_timeout = ${WORKER_WAIT_MS_MAX}`);
    }
    await client.query(`select pg_advisory_lock_shared(${MIGRATING})`);
    await refuse(client);
    const unreachable = new Set<string>();
    const schemas = [...Map.groupBy(targets, ({ schema }) => schema).values()];
    const outdated = await ofReachable(schemas, [client], unreachable, log, outdatedOf);
    if (outdated.length > 0) await client.query(`select pg_advisory_lock(${MIGRATE_LOCK})`);
    const waiting = [...Map.groupBy(outdated, ({ schema }) => schema).values()];
    // On Citus every change of a distributed table is one of the coordinator's metadata.
    const count = isCitus ? 1 : Math.min(waiting.length, SESSIONS_MAX);
    while (sessions.length < count) sessions.push(await connect(address));
    const ran = await ofReachable(waiting, sessions, unreachable, log, (session, its) =>
      runMigrations(isCitus ? oneByOne(session) : session, its, log),
    );
    if (isCitus)
      await distribute(
        client,
        distributed.filter((schema) => !unreachable.has(schema)),
      );
    return { ran, unreachable: [...unreachable] };
  } finally {
    await Promise.all(sessions.map((session) => session.end()));
  }
}

async function connect(address: DatabaseAddress): Promise<pg.Client> {
  const client = new pg.Client({
    ...connectionConfig(address),
    application_name: "boathook migrate",
    connectionTimeoutMillis: CONNECT_WAIT_MS_MAX,
  });
  // A connection that breaks fails the running statement; nobody else needs to know.
  client.on("error", () => undefined);
  await client.connect().catch((cause: unknown) => {
    throw storeFault(cause);
  });
  return client;
}

/** What `work` answers for all schemas but the `unreachable`, to which it adds; a schema for each session at a time. */
async function ofReachable<Result>(
  schemas: readonly SchemaTargets[],
  sessions: readonly pg.Client[],
  unreachable: Set<string>,
  log: Log,
  work: (session: pg.Client, targets: SchemaTargets) => Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  const free = [...sessions];
  const ended = await sideBySide(schemas, sessions.length, async (targets) => {
    const { schema } = targets[0]!;
    if (unreachable.has(schema)) return [];
    const session = free.pop()!;
    try {
      return await work(session, targets);
    } catch (cause) {
      if (!isWorkerLost(cause)) throw cause;
      log.debug({ schema, cause }, "the server of a cell cannot be reached");
      for (const beside of await besides(session, schema)) unreachable.add(beside);
      return [];
    } finally {
      free.push(session);
    }
  });
  return ended.flatMap((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
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

/** Runs the migrations that a schema lacks, all in one transaction. Call it under the lock; answers the names of what ran. */
async function runMigrations(
  dbClient: pg.ClientBase,
  targets: SchemaTargets,
  log: Log,
): Promise<readonly string[]> {
  const { runner } = await import("node-pg-migrate");
  const ran: string[] = [];
  for (const { schema, folder, table, prefix } of targets) {
    const note = (message: string) => log.debug({ schema }, message);
    const migrations = (
      await runner({
        dbClient,
        dir: folder,
        direction: "up",
        schema,
        createSchema: true,
        migrationsTable: table,
        singleTransaction: true,
        noLock: true,
        logger: { info: note, warn: note, error: note },
      })
    ).map(({ name }) => name);
    if (migrations.length > 0) log.info({ schema, migrations }, "migrated the database");
    ran.push(...migrations.map((name) => `${schema}/${prefix}${name}`));
  }
  return ran;
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
