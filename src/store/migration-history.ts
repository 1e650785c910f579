/** Which migrations of this build ran in a schema, when, and which it lacks. */
import type { Cell } from "./cell.ts";
import { kindOf } from "./cell.ts";
import type { Connection } from "./database.ts";
import { migrationsIn, targetsOf, type MigratedProduct } from "./migration-targets.ts";
import { onShards, type Shards } from "./shards/on-shards.ts";
import { inSchemas, type Statement } from "./sql.ts";

export type MigrationHistory = {
  /** As `migrate` names them: `<name>`, or `<tag>/<name>`. The oldest first. */
  readonly ran: readonly { readonly name: string; readonly ranAt: Date }[];
  readonly lacks: readonly string[];
};

/** Of a cell, of accounts or of a product. */
export function cellMigrations(db: Connection, cell: Cell, products: readonly MigratedProduct[]) {
  return historyOf(db, cell, kindOf(cell), products);
}

/** `directory`: as statements take it that are of any schema. */
export function directoryMigrations(db: Connection, directory: Cell, products: readonly MigratedProduct[]) {
  return historyOf(db, directory, "directory", products);
}

async function historyOf(
  db: Connection,
  cell: Cell,
  kind: string,
  products: readonly MigratedProduct[],
): Promise<MigrationHistory> {
  const ran: { readonly name: string; readonly ranAt: Date }[] = [];
  const lacks: string[] = [];
  for (const target of targetsOf(kind, [cell.schema], products)) {
    const its = await db.rows(historyStatement(cell, target.table), []);
    const names = new Set(its.map(({ name }) => name));
    ran.push(...its.map(({ name, ranAt }) => ({ name: `${target.prefix}${name}`, ranAt })));
    const lacking = migrationsIn(target).filter((name) => !names.has(name));
    lacks.push(...lacking.map((name) => `${target.prefix}${name}`));
  }
  return { ran: ran.toSorted((a, b) => a.ranAt.getTime() - b.ranAt.getTime()), lacks };
}

/** No file has it, since the table's name has the product's tag; the migrator writes the time in its session's zone. */
function historyStatement(
  cell: Cell,
  table: string,
): Statement<{ readonly name: string; readonly ranAt: Date }, []> {
  const text = `select name, run_on at time zone current_setting('TimeZone') as "ranAt" from cell.${table} order by id`;
  return {
    name: `${table}@${cell.schema}`,
    text: inSchemas(text, cell),
    schema: cell.schema,
    onShards: (shards: Shards) => inSchemas(onShards(text, shards), cell),
  };
}
