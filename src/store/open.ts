import { STORE_FAULTS, StoreUnavailable } from "../model/errors.ts";
import type { Clock } from "../runtime/clock.ts";
import { thisHost } from "../runtime/host.ts";
import { withoutWarnings, type Log } from "../runtime/log.ts";
import { DIRECTORY_SERVER } from "../runtime/setting-kinds.ts";
import { StartupError } from "../runtime/startup-error.ts";
import { cellsNamed, nameOfCell, OF_ACCOUNTS, SCHEMA_PREFIX, type Cell, type Cells } from "./cell.ts";
import type { Database, DatabaseAddress, DatabaseObserver } from "./database.ts";
import { startEmbedded, type EmbeddedPostgres } from "./embedded/embedded.ts";
import { faultOf } from "./faults.ts";
import { addMissingCells, cellsListed, listCells } from "./homes/cells.ts";
import type { Homes } from "./homes/homes.ts";
import { createNewCells, type OnCellAdded } from "./homes/new-cells.ts";
import { createProductCells, type ProductCells } from "./homes/product-cells.ts";
import { refuseTwoNames } from "./homes/one-database.ts";
import { createHomeReader } from "./homes/read-homes.ts";
import { migrateCells, migrateDirectory, type Migrated, type Residence } from "./migrate.ts";
import { hasRecord, type MigratedProduct } from "./migration-targets.ts";
import { listHolders } from "./nodes/nodes.ts";
import { openDatabaseOn } from "./open-database.ts";

export type StoreOptions = {
  /** An external database; null: the embedded PostgreSQL in `dataFolder`. */
  readonly databaseUrl: string | null;
  /** Further servers that hold cells, by name. */
  readonly servers?: ReadonlyMap<string, string>;
  readonly dataFolder: string;
  /** How many cells there are at least. */
  readonly cells: number;
  /** The pool's bound, for each server. */
  readonly connectionsMax: number;
  readonly connectTimeoutMs: number;
  /** Whose migrations run as well. */
  readonly products?: readonly MigratedProduct[] | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly watch?: DatabaseObserver | undefined;
  /** False: a database without a store is refused. */
  readonly mayCreate?: boolean;
};

/** The store, migrated and ready. */
export type Store = {
  readonly database: Database;
  /** Of the directory's server. */
  readonly address: DatabaseAddress;
  /** Grows while the process runs (`refreshHomes`): what is kept of a cell is made when the cell is first met. */
  readonly cells: Cells;
  readonly productCells: ProductCells;
  /** What opening it had to do. */
  readonly migrated: Migrated;
  /** Null with an external database. */
  readonly embedded: EmbeddedPostgres | null;
  /**
   * Reads again where the cells live, and takes up cells that were added; call it every so often. Rejects while the
   * directory cannot be reached.
   */
  refreshHomes(onAdded?: OnCellAdded): Promise<void>;
  /** Closes the pools, and stops the embedded PostgreSQL unless another process still uses it. */
  close(): Promise<void>;
};

/** How long after a failed start of the embedded PostgreSQL the next is tried. */
const RESTART_EVERY_MS = 5_000;

/** Opens the store of one process. Throws `StartupError` when a person has to act first. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { databaseUrl } = options;
  const embedded = databaseUrl === null ? await startSupervised(options) : null;
  const address = embedded?.address ?? { url: databaseUrl ?? "" };
  const close: (() => Promise<unknown>)[] = [];
  const closeAll = async () => {
    for (const one of close.toReversed()) await one();
  };
  if (embedded !== null) close.push(embedded.stop);
  try {
    const { log, products, mayCreate } = options;
    const ran = [...(await migrateDirectory(address, SCHEMA_PREFIX, log, products, mayCreate)).ran];
    /** Schemas of cells that wait for their migrations. */
    const waiting = new Set<string>();
    const { database, reader } = openOn(address, options, waiting);
    close.push(() => database.close());
    const named = [...(options.servers?.keys() ?? [])].map((name) => [name, reader.serverAt(name)] as const);
    await refuseTwoNames(database, new Map([[DIRECTORY_SERVER, address], ...named]), options.clock);
    const { cells, productCells } = await knownCells(database, reader, options);
    const all = () => [...cells, ...productCells.all];
    await reader.read(database, all());
    const residences = (owner: DatabaseAddress, some: readonly Cell[]) =>
      readResidences(database, reader, owner, some);
    const nameOf = (owner: DatabaseAddress) => named.find(([, at]) => at === owner)?.[0] ?? DIRECTORY_SERVER;
    const migrateAll = (some: readonly Cell[], to = log) =>
      migrateWhereTheyLive(some, waiting, reader.homes, address, { log: to, products, residences, nameOf });
    ran.push(...(await migrateAll(all())));
    // Citus has put new cells on its workers only now.
    await reader.read(database, all());
    const follow = reader.follow(database, all, options.clock);
    const sayUnusable = createUnusableLog(log);
    const takeUp = createNewCells({
      cells,
      listedCount: reader.listedCount,
      log,
      async prepare(added) {
        waiting.add(added.schema);
        await reader.read(database, [added]);
        await migrateAll([added], withoutWarnings(log));
        await reader.read(database, [added]);
        if (reader.homes.shardsOf(added.schema) === null)
          throw new StoreUnavailable(STORE_FAULTS.unreachable, { commitUnknown: false });
      },
    });
    const refreshHomes = async (onAdded: OnCellAdded = () => undefined) => {
      const late = all().filter(({ schema }) => waiting.has(schema));
      // A server that cannot be used holds up no other.
      for (const some of Map.groupBy(late, ({ schema }) => reader.homes.ownerOf(schema)).values())
        await migrateAll(some, withoutWarnings(log)).catch(sayUnusable);
      await follow();
      await takeUp(onAdded);
    };
    const unreachable = [...waiting];
    return {
      database,
      address,
      cells,
      productCells,
      migrated: { ran, unreachable },
      embedded,
      refreshHomes,
      close: closeAll,
    };
  } catch (cause) {
    await closeAll();
    throw cause;
  }
}

/** Whether cells live at their owner. */
async function readResidences(
  database: Database,
  reader: ReturnType<typeof createHomeReader>,
  owner: DatabaseAddress,
  some: readonly Cell[],
): Promise<(cell: Cell) => Residence> {
  await reader.read(database, some);
  const listed = new Map((await listCells(database, some[0]!)).map((one) => [one.number, one]));
  return (cell) => {
    const { movingTo = null, movedFrom = null } = listed.get(cell.number) ?? {};
    const isHome = reader.isNamed(cell) && reader.homes.ownerOf(cell.schema) === owner;
    if (movingTo !== null || !isHome) return "elsewhere";
    return movedFrom === null ? "here" : "here once it is made";
  };
}

/** Says once what a person has to correct, however often it is tried. Throws what passes by itself. */
function createUnusableLog(log: Log) {
  const said = new Set<string>();
  return (cause: unknown): void => {
    if (!(cause instanceof StartupError)) throw cause;
    if (!said.has(cause.message)) log.error({ cause }, cause.message);
    said.add(cause.message);
  };
}

/** Migrates cells at their owners; cells that cannot be reached wait. Throws when the directory's server is one. */
async function migrateWhereTheyLive(
  cells: readonly Cell[],
  waiting: Set<string>,
  homes: Homes,
  directory: DatabaseAddress,
  {
    log,
    products,
    residences,
    nameOf,
  }: Pick<StoreOptions, "log" | "products"> & {
    readonly residences: (
      owner: DatabaseAddress,
      cells: readonly Cell[],
    ) => Promise<(cell: Cell) => Residence>;
    readonly nameOf: (owner: DatabaseAddress) => string;
  },
): Promise<readonly string[]> {
  const ran: string[] = [];
  for (const [owner, some] of Map.groupBy(cells, ({ schema }) => homes.ownerOf(schema))) {
    const names = some.map(nameOfCell);
    // They are tried again and again: that they wait is said once.
    const level = some.every(({ schema }) => waiting.has(schema)) ? "debug" : "warn";
    for (const { schema } of some) waiting.add(schema);
    try {
      const migrated = await migrateCells(owner, some, log, products, () => residences(owner, some));
      ran.push(...migrated.ran);
      for (const { schema } of some) if (!migrated.unreachable.includes(schema)) waiting.delete(schema);
      const fields = { cells: names, waiting: migrated.unreachable };
      if (migrated.unreachable.length > 0)
        log[level](fields, "cells move, or cannot be reached; their migrations wait");
      else if (level === "debug") log.info(fields, "cells can be reached again, and are migrated");
    } catch (cause) {
      if (owner === directory) throw cause;
      if (faultOf(cause) === "other" || cause instanceof StartupError) {
        const { message } = cause as Error;
        throw new StartupError(`The server ${nameOf(owner)} of BOATHOOK_SERVERS cannot be used: ${message}`, {
          cause,
        });
      }
      const fields = { server: nameOf(owner), cells: names, cause };
      log[level](fields, "the server of cells cannot be reached; their migrations wait");
    }
  }
  return ran;
}

function openOn(address: DatabaseAddress, options: StoreOptions, waiting: ReadonlySet<string>) {
  const { servers = new Map<string, string>(), clock, log } = options;
  const waits = ({ schema }: Cell) => waiting.has(schema);
  const reader = createHomeReader({ directory: address, servers, waits, log });
  const database = openDatabaseOn(reader.homes, {
    sessionName: `boathook ${thisHost().pid} ${clock.nowMs()}`,
    connectionsMax: options.connectionsMax,
    connectTimeoutMs: options.connectTimeoutMs,
    watch: options.watch,
    clock,
    onIdleError: (cause) => log.warn({ cause }, "a connection to the database was lost"),
  });
  return { database, reader };
}

/**
 * Lists cells until there are as many of each kind as are wanted; more may be listed already. Where processes run without
 * those of accounts, they are closed.
 */
async function knownCells(
  database: Database,
  reader: ReturnType<typeof createHomeReader>,
  { cells, products, servers, clock, log }: StoreOptions,
) {
  const [directory] = cellsNamed(SCHEMA_PREFIX, 1);
  const at = new Date(clock.nowMs());
  const names = [...(servers?.keys() ?? [])];
  const count = (await listCells(database, directory)).filter(({ kind }) => kind === OF_ACCOUNTS).length;
  const isAlone = count === 0 || count >= cells || !(await isUsed(database, reader, directory));
  const added = await addMissingCells(database, directory, cells, names, at, OF_ACCOUNTS, isAlone);
  if (added.length > 0 && !isAlone)
    log.warn({ cells: added }, "new cells are closed, since others run: boathook cells open opens them");
  const ofProducts = (products ?? []).filter(hasRecord);
  for (const { tag, cells: wanted = 1 } of ofProducts)
    await addMissingCells(database, directory, wanted, names, at, tag, false);
  const listed = await listCells(database, directory);
  const keyed = ofProducts.map(({ tag }) => [tag, cellsListed(directory, listed, tag)] as const);
  const [first, ...others] = cellsListed(directory, listed);
  return {
    cells: [first, ...others] as [Cell, ...Cell[]],
    productCells: createProductCells(database, keyed),
  };
}

/** Whether some process uses the cell, as far as its server tells. */
async function isUsed(
  database: Database,
  reader: ReturnType<typeof createHomeReader>,
  cell: Cell,
): Promise<boolean> {
  await reader.read(database, [cell]);
  try {
    return (await listHolders(database, cell)).length > 0;
  } catch (cause) {
    if (cause instanceof StoreUnavailable) return true;
    throw cause;
  }
}

/** The embedded PostgreSQL, started again whenever it is lost, until it is stopped. */
async function startSupervised({ dataFolder, clock, log }: StoreOptions): Promise<EmbeddedPostgres> {
  let stopped = false;
  const restart = () => {
    if (stopped) return;
    postgres.ensureRunning().catch((cause: unknown) => {
      log.error({ cause }, "the embedded PostgreSQL cannot be started again; the next try follows");
      clock.after(RESTART_EVERY_MS, restart);
    });
  };
  const postgres = await startEmbedded({ dataFolder, clock, log, onLost: restart });
  return {
    ...postgres,
    stop() {
      stopped = true;
      return postgres.stop();
    },
  };
}
