/** The store of a process, as its settings say: database, migrations and master keys. */
import { resolve } from "node:path";

import { countUnopened } from "../engine/reseal.ts";
import type { MasterKeys } from "../engine/secret.ts";
import { StoreUnavailable } from "../model/errors.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { Random } from "../runtime/random.ts";
import type { Settings } from "../runtime/settings.ts";
import type { Cell } from "../store/cell.ts";
import type { Database, DatabaseObserver } from "../store/database.ts";
import { masterKey, parseMasterKey } from "../store/master-key.ts";
import { products as allProducts } from "../products/index.ts";
import type { ProductManifest } from "../products/manifest.ts";
import type { MigratedProduct } from "../store/migration-targets.ts";
import { openStore, type Store } from "../store/open.ts";
import { StartupError } from "../runtime/startup-error.ts";
import { connectionsMaxOf } from "./workers/worker-count.ts";

type StoredProduct = MigratedProduct & Pick<ProductManifest, "recordCells">;

const CONNECT_MS_MAX = 5_000;

/** Creates the products' tables as well. Throws `StartupError` when a person has to act first. */
export async function openServiceStore(
  settings: Pick<Settings, "databaseUrl" | "servers" | "dataFolder" | "cells" | "databaseConnectionsMax">,
  clock: Clock,
  log: Log,
  {
    products = allProducts,
    watch,
  }: { readonly products?: readonly StoredProduct[]; readonly watch?: DatabaseObserver } = {},
): Promise<Store> {
  const { databaseUrl, cells } = settings;
  try {
    return await openStore({
      databaseUrl,
      servers: settings.servers ?? new Map(),
      dataFolder: resolve(settings.dataFolder),
      cells,
      connectionsMax: connectionsMaxOf(settings, 1),
      connectTimeoutMs: CONNECT_MS_MAX,
      products: products.map(({ recordCells, ...product }) => ({
        ...product,
        cells: recordCells?.(settings as never) ?? 1,
      })),
      clock,
      log,
      watch,
    });
  } catch (cause) {
    // Failures of an external database are the operator's to fix.
    if (databaseUrl === null || cause instanceof StartupError) throw cause;
    throw new StartupError(
      `The database at ${withoutCredentials(databaseUrl)} cannot be used: ${reasonOf(cause)}. ` +
        "Is it running, and is BOATHOOK_DATABASE_URL right?",
      { cause },
    );
  }
}

/** The current master key, then the previous ones. Throws `StartupError` when there is none. */
export function masterKeysOf(
  settings: Pick<Settings, "masterKey" | "previousMasterKeys" | "databaseUrl" | "dataFolder">,
  random: Random,
): MasterKeys {
  const dataFolder = settings.databaseUrl === null ? resolve(settings.dataFolder) : null;
  const previous = (settings.previousMasterKeys ?? []).map((text) =>
    parseMasterKey(text, "BOATHOOK_MASTER_KEY_PREVIOUS"),
  );
  return [masterKey({ setting: settings.masterKey, dataFolder }, random), ...previous];
}

/** Throws `StartupError` when secrets are sealed under a key that is not configured: their endpoints would get nothing. */
export async function requireMasterKeys(
  database: Database,
  cells: readonly Cell[],
  keys: MasterKeys,
  log: Log,
): Promise<void> {
  const { unopened, unreachable } = await countUnopened(database, cells, keys);
  // The engine logs each of their endpoints that it cannot sign for.
  if (unreachable.length > 0)
    log.warn(
      { cells: unreachable.map(({ number }) => number) },
      "the secrets of these cells were not checked",
    );
  if (unopened === 0) return;
  throw new StartupError(
    `The signing secrets of ${unopened} endpoints are sealed under a master key that is not configured. ` +
      "Set BOATHOOK_MASTER_KEY (with the embedded store, the file master.key in the data folder) to the key " +
      "they were sealed under, or name that one in BOATHOOK_MASTER_KEY_PREVIOUS.",
  );
}

function withoutCredentials(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return host + pathname;
}

function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0]);
  if (cause instanceof StoreUnavailable) return reasonOf(cause.cause);
  return cause instanceof Error ? cause.message : String(cause);
}
