/** Which migrations run in which schemas. */
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";

import { OF_ACCOUNTS, type CellKind } from "./cell.ts";

/**
 * Numbered SQL files, only ever added: `directory/` holds those of the directory, `cell/` those of each cell of
 * accounts, `product/` those of each cell of a product. A file runs with its schema as the search path, and is noted in a
 * table of the schema.
 */
const STORE_FOLDER = join(import.meta.dirname, "migrations");

export const MIGRATIONS_TABLE = "migrations";

/**
 * A product's own migrations, which run after the store's and are noted in `migrations_<tag>`. `migrations` is an
 * absolute folder as above; without one, the product's tables are the store's. With a folder `record/` in it, the product
 * has a cell of its own.
 */
export type MigratedProduct = {
  readonly tag: string;
  readonly migrations?: string;
  /** Those of the tables in its `cell/` whose rows belong to accounts, and go with them (account-removal/). */
  readonly accountTables?: readonly string[];
};

const RECORD_FOLDER = "record";

export function hasRecord({ migrations }: MigratedProduct): boolean {
  return migrations !== undefined && existsSync(join(migrations, RECORD_FOLDER));
}

export type MigrationTarget = {
  readonly schema: string;
  readonly folder: string;
  /** Where they are noted. */
  readonly table: string;
  /** What their names begin with, as `migrate` tells them. */
  readonly prefix: string;
};

/** The migrations of one schema, in their order. */
export type SchemaTargets = readonly MigrationTarget[];

/** Those of the schemas of a kind, the store's before the products'. */
export function targetsOf(
  kind: CellKind,
  schemas: readonly string[],
  products: readonly MigratedProduct[],
): readonly MigrationTarget[] {
  for (const { tag, migrations } of products) {
    if (migrations !== undefined && !existsSync(migrations)) {
      throw new Error(`the manifest of ${tag} names migrations that are not there: ${migrations}`);
    }
  }
  const noted = (folder: string, tag: string) => ({
    folder,
    table: `${MIGRATIONS_TABLE}_${tag}`,
    prefix: `${tag}/`,
  });
  const own = { table: MIGRATIONS_TABLE, prefix: "" };
  const isOfProduct = kind !== "directory" && kind !== OF_ACCOUNTS;
  const owners = [
    { ...own, folder: join(STORE_FOLDER, isOfProduct ? "product" : kind) },
    ...products
      .filter(({ tag }) => !isOfProduct || tag === kind)
      .flatMap(({ tag, migrations }) =>
        migrations === undefined ? [] : [noted(join(migrations, isOfProduct ? RECORD_FOLDER : kind), tag)],
      )
      // A product may have no tables in one of them.
      .filter(({ folder }) => existsSync(folder)),
  ];
  return owners.flatMap((owner) => schemas.map((schema) => ({ ...owner, schema })));
}

/** The names of its migrations. */
export function migrationsIn({ folder }: Pick<MigrationTarget, "folder">): readonly string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".sql"));
  return files.map((file) => basename(file, ".sql"));
}

/** Every migration of this build, `<table>/<name>`. */
export function knownMigrations(products: readonly MigratedProduct[]): ReadonlySet<string> {
  const kinds = ["directory", OF_ACCOUNTS, ...products.filter(hasRecord).map(({ tag }) => tag)];
  const targets = kinds.flatMap((kind) => targetsOf(kind, [kind], products));
  return new Set(targets.flatMap((target) => migrationsIn(target).map((name) => `${target.table}/${name}`)));
}
