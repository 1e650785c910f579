/** The store of a process, as its settings say: database, migrations and master keys. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

import { countUnopened } from "../engine/reseal.ts";
import type { MasterKeys } from "../engine/secret.ts";
import { StoreUnavailable } from "../model/errors.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { Random } from "../runtime/random.ts";
import type { Settings } from "../runtime/settings.ts";
import type { Cell } from "../store/cell.ts";
import type { Database, DatabaseObserver } from "../store/database.ts";
import { masterKey, MASTER_KEY_FILE, parseMasterKey } from "../store/master-key.ts";
import { products as allProducts } from "../products/index.ts";
import type { MigratedProduct } from "../store/migration-targets.ts";
import { openStore, type Store, type StoreOptions } from "../store/open.ts";
import { StartupError } from "../runtime/startup-error.ts";
import { withoutCredentials } from "./start-line.ts";
import { connectionsMaxOf } from "./workers/worker-count.ts";

type KeySettings = Pick<Settings, "masterKey" | "previousMasterKeys" | "databaseUrl" | "dataFolder">;

const IF_LOST = "If it is lost for good, `boathook endpoints lost` shows what to do.";

const CONNECT_MS_MAX = 5_000;

/** Creates the tables, those of products as well, unless `mayCreate` is false. Throws `StartupError` when a person has to act first. */
export async function openServiceStore(
  settings: Pick<Settings, "databaseUrl" | "dataFolder" | "cells" | "databaseConnectionsMax">,
  clock: Clock,
  log: Log,
  {
    products = allProducts,
    watch,
    mayCreate = true,
    embedded,
  }: {
    readonly products?: readonly MigratedProduct[];
    readonly watch?: DatabaseObserver;
    readonly mayCreate?: boolean;
    /** Begun by the caller. */
    readonly embedded?: StoreOptions["embedded"];
  } = {},
): Promise<Store> {
  const { databaseUrl, cells } = settings;
  try {
    return await openStore({
      embedded,
      databaseUrl,
      dataFolder: resolve(settings.dataFolder),
      cells,
      connectionsMax: connectionsMaxOf(settings, 1),
      connectTimeoutMs: CONNECT_MS_MAX,
      products,
      clock,
      log,
      watch,
      mayCreate,
    });
  } catch (cause) {
    // Failures of an external database are the operator's to fix.
    if (databaseUrl === null || cause instanceof StartupError) throw cause;
    throw new StartupError(
      `The database at ${withoutCredentials(databaseUrl)} cannot be used: ${reasonOf(cause)}. ${adviceOn(cause)}`,
      { cause },
    );
  }
}

/** What OpenSSL calls a certificate whose authority it does not know. */
const UNKNOWN_AUTHORITY = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

function adviceOn(cause: unknown): string {
  if (UNKNOWN_AUTHORITY.has((originOf(cause) as NodeJS.ErrnoException).code ?? "")) {
    return "Name its authority's file in BOATHOOK_DATABASE_URL by &sslrootcert=/path/authority.pem.";
  }
  if (reasonOf(cause).endsWith("no encryption")) {
    return "It admits TLS alone: add ?sslmode=verify-full to BOATHOOK_DATABASE_URL.";
  }
  return "Is it running, and is BOATHOOK_DATABASE_URL right?";
}

/**
 * The current master key, then the previous ones. The embedded store gets one at its first start. Throws `StartupError`
 * when there is none, and none may be made.
 */
export async function openMasterKeys(
  settings: KeySettings,
  database: Database,
  cells: readonly Cell[],
  random: Random,
): Promise<MasterKeys> {
  const dataFolder = settings.databaseUrl === null ? resolve(settings.dataFolder) : null;
  const previous = previousKeys(settings);
  const file = dataFolder === null ? null : join(dataFolder, MASTER_KEY_FILE);
  if (settings.masterKey === null && file !== null && !existsSync(file)) {
    const { unopened, unreachable } = await countUnopened(database, cells, previous);
    // A new key beside them would look like the right one, and go into backups.
    if (unopened > 0 || unreachable.length > 0) {
      throw new StartupError(
        `The master key ${file} is gone, and the signing secrets of ${unopened} endpoints are sealed under it. ` +
          `Put it back from your copy or a backup; no other key opens them. ${IF_LOST}`,
      );
    }
  }
  return [masterKey({ setting: settings.masterKey, dataFolder }, random), ...previous];
}

/** The master keys that exist: for a person who has lost one. */
export function knownMasterKeys(settings: KeySettings, random: Random): readonly Buffer[] {
  const { masterKey: setting, databaseUrl } = settings;
  const dataFolder = databaseUrl === null ? resolve(settings.dataFolder) : null;
  const hasCurrent =
    setting !== null || (dataFolder !== null && existsSync(join(dataFolder, MASTER_KEY_FILE)));
  return [...(hasCurrent ? [masterKey({ setting, dataFolder }, random)] : []), ...previousKeys(settings)];
}

function previousKeys({ previousMasterKeys }: KeySettings): readonly Buffer[] {
  return (previousMasterKeys ?? []).map((text) => parseMasterKey(text, "BOATHOOK_MASTER_KEY_PREVIOUS"));
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
      `they were sealed under, or name that one in BOATHOOK_MASTER_KEY_PREVIOUS. ${IF_LOST}`,
  );
}

/** What the driver or the system reported. */
function originOf(cause: unknown): unknown {
  if (cause instanceof AggregateError) return originOf(cause.errors[0]);
  return cause instanceof StoreUnavailable ? originOf(cause.cause) : cause;
}

function reasonOf(cause: unknown): string {
  const origin = originOf(cause);
  return origin instanceof Error ? origin.message : String(origin);
}
