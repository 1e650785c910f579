/** What a backup says of itself: its first entry, and the files of secrets that follow it. */
import { StartupError } from "../../runtime/startup-error.ts";
import { knownMigrations, type MigratedProduct } from "../migration-targets.ts";
import { damaged } from "./tar.ts";

export type BackupManifest = {
  readonly format: typeof FORMAT;
  /** The version that made it. */
  readonly boathook: string;
  /** PostgreSQL's major version. */
  readonly postgresql: number;
  /** `linux-x64`: PostgreSQL's files are at home on one platform. */
  readonly platform: string;
  readonly taken_at: string;
  /** The migrations that its database has seen, as `inspectStore` names them. */
  readonly migrations: readonly string[];
  /** Names of the files with secrets that it holds. */
  readonly secrets: readonly string[];
};

export const FORMAT = 1;
/** Files that are not PostgreSQL's are in here; PostgreSQL has no such folder. */
export const OWN_FOLDER = "boathook-backup/";
export const MANIFEST_NAME = `${OWN_FOLDER}manifest.json`;
export const MANIFEST_BYTES_MAX = 1 << 20;

/** What this machine and this build can restore. */
export type Restorable = Pick<BackupManifest, "boathook" | "postgresql" | "platform"> & {
  readonly products: readonly MigratedProduct[];
};

/** Throws `StartupError` when it is of a format that this build does not know. */
export function readManifest(bytes: Buffer): BackupManifest {
  let read: Partial<BackupManifest> | null;
  try {
    read = JSON.parse(bytes.toString("utf8")) as Partial<BackupManifest> | null;
  } catch {
    throw damaged("its manifest is no JSON");
  }
  if (typeof read?.format === "number" && read.format > FORMAT)
    throw new StartupError(`This backup was made by a newer Boathook (${String(read.boathook)}).`);
  const isList = (list: unknown) => Array.isArray(list) && list.every((one) => typeof one === "string");
  const isWhole =
    read?.format === FORMAT &&
    typeof read.postgresql === "number" &&
    [read.boathook, read.platform, read.taken_at].every((text) => typeof text === "string") &&
    isList(read.migrations) &&
    isList(read.secrets);
  if (!isWhole) throw damaged("its manifest is not whole");
  return read as BackupManifest;
}

/** Throws `StartupError` with the reason why it cannot live here. */
export function requireRestorable(manifest: BackupManifest, here: Restorable): void {
  const known = knownMigrations(here.products);
  const newer = manifest.migrations.filter((name) => !known.has(name));
  if (newer.length > 0) {
    throw new StartupError(
      `This backup was made by a newer Boathook (${manifest.boathook}; this is ${here.boathook}): its database has ` +
        `${newer.toSorted().join(", ")}. Restore it with that version, or a later one.`,
    );
  }
  const [has, needs] = [manifest, here].map((one) => `PostgreSQL ${one.postgresql} on ${one.platform}`);
  if (has !== needs) {
    throw new StartupError(
      `This backup is of ${has}, and here is ${needs}: PostgreSQL's files cannot be moved between them. ` +
        "Restore it on a machine and with a Boathook as it was made.",
    );
  }
}
