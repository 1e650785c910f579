import type { Clock } from "../runtime/clock.ts";
import { thisHost } from "../runtime/host.ts";
import type { Log } from "../runtime/log.ts";
import { cellsNamed, SCHEMA_PREFIX, type Cells } from "./cell.ts";
import type { Database, DatabaseAddress, DatabaseObserver } from "./database.ts";
import { openDatabase } from "./open-database.ts";
import { startEmbedded, type EmbeddedPostgres } from "./embedded/embedded.ts";
import { migrate, type Migrated, type MigratedProduct } from "./migrate.ts";

export type StoreOptions = {
  /** An external database; null: the embedded PostgreSQL in `dataFolder`. */
  readonly databaseUrl: string | null;
  readonly dataFolder: string;
  /** How many cells there are. */
  readonly cells: number;
  /** The pool's bound. */
  readonly connectionsMax: number;
  readonly connectTimeoutMs: number;
  /** Whose migrations run as well. */
  readonly products?: readonly MigratedProduct[] | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly watch?: DatabaseObserver | undefined;
};

/** The store, migrated and ready. */
export type Store = {
  readonly database: Database;
  readonly address: DatabaseAddress;
  readonly cells: Cells;
  /** What opening it had to do. */
  readonly migrated: Migrated;
  /** Null with an external database. */
  readonly embedded: EmbeddedPostgres | null;
  /** Closes the pool, and stops the embedded PostgreSQL unless another process still uses it. */
  close(): Promise<void>;
};

/** How long after a failed start of the embedded PostgreSQL the next is tried. */
const RESTART_EVERY_MS = 5_000;

/** Opens the store of one process. Throws `StartupError` when a person has to act first. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { databaseUrl, log } = options;
  const cells = cellsNamed(SCHEMA_PREFIX, options.cells);
  const embedded = databaseUrl === null ? await startSupervised(options) : null;
  const address = embedded?.address ?? { url: databaseUrl ?? "" };
  let migrated: Migrated;
  try {
    migrated = await migrate(address, cells, log, options.products);
  } catch (cause) {
    await embedded?.stop();
    throw cause;
  }
  const database = openDatabase(address, {
    sessionName: `boathook ${thisHost().pid} ${options.clock.nowMs()}`,
    connectionsMax: options.connectionsMax,
    connectTimeoutMs: options.connectTimeoutMs,
    watch: options.watch,
    onIdleError: (cause) => log.warn({ cause: cause.message }, "a connection to the database was lost"),
  });
  return {
    database,
    address,
    cells,
    migrated,
    embedded,
    async close() {
      await database.close();
      await embedded?.stop();
    },
  };
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
