import { STORE_FAULTS, StoreUnavailable } from "../model/errors.ts";
import type { Clock } from "../runtime/clock.ts";
import { thisHost } from "../runtime/host.ts";
import { withoutWarnings, type Log } from "../runtime/log.ts";
import { StartupError } from "../runtime/startup-error.ts";
import { cellsNamed, nameOfCell, OF_ACCOUNTS, SCHEMA_PREFIX, type Cell, type Cells } from "./cell.ts";
import type { Database, DatabaseAddress, DatabaseObserver } from "./database.ts";
import type { EmbeddedPostgres } from "./embedded/embedded.ts";
import { superviseEmbedded } from "./embedded/supervise.ts";
import { addMissingCells, cellsListed } from "./homes/cells.ts";
import { cellList } from "./homes/cells.sql.ts";
import { createNewCells, type OnCellAdded } from "./homes/new-cells.ts";
import { createProductCells, type ProductCells } from "./homes/product-cells.ts";
import { mergeCells } from "./merge-cells.ts";
import { createHomeReader } from "./homes/read-homes.ts";
import { migrateCells, migrateDirectory, type Migrated } from "./migrate.ts";
import { hasRecord, type MigratedProduct } from "./migration-targets.ts";
import { listHolders } from "./nodes/nodes.ts";
import { openDatabaseOn } from "./open-database.ts";

export type StoreOptions = {
  /** The embedded PostgreSQL, where the caller has begun to start it; the caller stops it, after the store. */
  readonly embedded?: Promise<EmbeddedPostgres> | undefined;
  /** An external database; null: the embedded PostgreSQL in `dataFolder`. */
  readonly databaseUrl: string | null;
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
  /** Closes the pools, and stops its own embedded PostgreSQL unless another process still uses it. */
  close(): Promise<void>;
};

/** Opens the store of one process. Throws `StartupError` when a person has to act first. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { databaseUrl } = options;
  const own =
    databaseUrl === null && options.embedded === undefined ? await superviseEmbedded(options) : null;
  const embedded = own ?? (await options.embedded) ?? null;
  const address = embedded?.address ?? { url: databaseUrl ?? "" };
  const close: (() => Promise<unknown>)[] = [];
  const closeAll = async () => {
    for (const one of close.toReversed()) await one();
  };
  if (own !== null) close.push(own.stop);
  try {
    const { log, products, mayCreate } = options;
    const ran = [...(await migrateDirectory(address, SCHEMA_PREFIX, log, products, mayCreate)).ran];
    /** Schemas of cells that wait for their migrations. */
    const waiting = new Set<string>();
    const { database, reader } = openOn(address, options, waiting);
    close.push(() => database.close());
    const { cells, productCells } = await knownCells(database, reader, address, options);
    const all = () => [...cells, ...productCells.all];
    await reader.read(database, all());
    const migrateAll = (some: readonly Cell[], to = log) =>
      migrateOrWait(some, waiting, address, { log: to, products });
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
      if (late.length > 0) await migrateAll(late, withoutWarnings(log)).catch(sayUnusable);
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

/** Says once what a person has to correct, however often it is tried. Throws what passes by itself. */
function createUnusableLog(log: Log) {
  const said = new Set<string>();
  return (cause: unknown): void => {
    if (!(cause instanceof StartupError)) throw cause;
    if (!said.has(cause.message)) log.error({ cause }, cause.message);
    said.add(cause.message);
  };
}

/** Migrates cells; those whose worker Citus' coordinator cannot reach wait. */
async function migrateOrWait(
  cells: readonly Cell[],
  waiting: Set<string>,
  address: DatabaseAddress,
  { log, products }: Pick<StoreOptions, "log" | "products">,
): Promise<readonly string[]> {
  // They are tried again and again: that they wait is said once.
  const isAgain = cells.every(({ schema }) => waiting.has(schema));
  for (const { schema } of cells) waiting.add(schema);
  const { ran, unreachable } = await migrateCells(address, cells, log, products);
  for (const { schema } of cells) if (!unreachable.includes(schema)) waiting.delete(schema);
  const fields = { cells: cells.map(nameOfCell), waiting: unreachable };
  if (unreachable.length > 0)
    log[isAgain ? "debug" : "warn"](fields, "cells cannot be reached; their migrations wait");
  else if (isAgain) log.info(fields, "cells can be reached again, and are migrated");
  return ran;
}

function openOn(address: DatabaseAddress, options: StoreOptions, waiting: ReadonlySet<string>) {
  const { clock, log } = options;
  const waits = ({ schema }: Cell) => waiting.has(schema);
  const reader = createHomeReader({ directory: address, waits, log });
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
  address: DatabaseAddress,
  { cells, products, clock, log }: StoreOptions,
) {
  const [directory] = cellsNamed(SCHEMA_PREFIX, 1);
  const at = new Date(clock.nowMs());
  const count = (await cellList(database, directory)).filter(({ kind }) => kind === OF_ACCOUNTS).length;
  const isAlone = count === 0 || count >= cells || !(await isUsed(database, reader, directory));
  const added = await addMissingCells(database, directory, cells, at, OF_ACCOUNTS, isAlone);
  if (added.length > 0 && !isAlone)
    log.warn({ cells: added }, "new cells are closed, since others run: boathook cells open opens them");
  const ofProducts = (products ?? []).filter(hasRecord);
  for (const { tag } of ofProducts) await addMissingCells(database, directory, 1, at, tag, false);
  const listed = await cellList(database, directory);
  const ofProduct = new Map<string, Cell>();
  for (const { tag } of ofProducts) {
    const [first, ...others] = cellsListed(directory, listed, tag);
    if (others.length > 0) await mergeCells(address, [first, ...others], log, ofProducts);
    ofProduct.set(tag, first);
  }
  const [first, ...others] = cellsListed(directory, listed);
  return {
    cells: [first, ...others] as [Cell, ...Cell[]],
    productCells: createProductCells(ofProduct),
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
