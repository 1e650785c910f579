import pg from "pg";

import { SCHEMA_PREFIX } from "../cell.ts";
import { connectionConfig, type DatabaseAddress } from "../database.ts";

export type StoreContent = {
  /** Every migration that some schema notes, `<table>/<name>`. */
  readonly migrations: readonly string[];
  /** The names of other servers, which hold some of the cells. */
  readonly others: readonly string[];
};

/** What a server holds of a store of any version; null: none, or one that `boathook move-store` took away. */
export async function inspectStore(address: DatabaseAddress): Promise<StoreContent | null> {
  const client = new pg.Client({ ...connectionConfig(address), application_name: "boathook inspect" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ schema: string; name: string }>(
      `select nspname as schema, relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where nspname ~ '^boathook(_|$)' and relname ~ '^(cells|migrations(_[a-z]+)?)$' and relkind = 'r'`,
    );
    if (!tables.some(({ schema }) => schema === SCHEMA_PREFIX)) return null;
    const [migrations, others] = [new Set<string>(), new Set<string>()];
    for (const { schema, name } of tables) {
      // Older versions lack columns, `server` among them.
      const { rows } = await client.query<{ row: { readonly name: string; readonly server?: string } }>(
        `select to_jsonb(one) as row from "${schema}"."${name}" as one`,
      );
      for (const { row } of rows) {
        if (name !== "cells") migrations.add(`${name}/${row.name}`);
        else if ((row.server ?? "") !== "") others.add(row.server!);
      }
    }
    return { migrations: [...migrations].toSorted(), others: [...others].toSorted() };
  } finally {
    await client.end();
  }
}
