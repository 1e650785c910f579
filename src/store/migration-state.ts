/** What of the migrations a database has, and who stands in the way of the rest. */
import type pg from "pg";

import { StartupError } from "../runtime/startup-error.ts";
import { migrationsIn, type MigrationTarget, type SchemaTargets } from "./migration-targets.ts";

/** What is left to run. Most starts end here, and load nothing more. */
export async function outdatedOf(client: pg.Client, targets: SchemaTargets): Promise<SchemaTargets> {
  const outdated: MigrationTarget[] = [];
  for (const target of targets) {
    const state = await stateOf(client, target);
    if (state === "older") await refuseOlderNodes(client, target);
    if (state !== "current") outdated.push(target);
  }
  return outdated;
}

/** `current`: all that this build has ran. */
async function stateOf(client: pg.Client, target: MigrationTarget): Promise<"none" | "older" | "current"> {
  const { schema } = target;
  const wanted = migrationsIn(target);
  const table = `"${schema}"."${target.table}"`;
  const found = await client.query("select 1 where to_regclass($1) is not null", [table]);
  if (found.rowCount === 0) return "none";
  const ran = await client.query<{ name: string }>(`select name from ${table}`);
  const names = new Set(ran.rows.map(({ name }) => name));
  const unknown = [...names].filter((name) => !wanted.includes(name));
  if (unknown.length > 0) {
    throw new StartupError(
      `The database was migrated by a newer Boathook (${schema} has ${unknown.toSorted().join(", ")}, ` +
        "which this one does not know). Start that version, or a later one.",
    );
  }
  return wanted.every((name) => names.has(name)) ? "current" : "older";
}

/**
 * A node of an older version may not know what a migration changes: all of them stop first. A node holds a lock in each
 * cell it uses (node_lock), whatever its version.
 */
async function refuseOlderNodes(client: pg.Client, target: MigrationTarget): Promise<void> {
  const { rows } = await client.query<{ process: string; pid: number }>(
    `select distinct a.application_name as process, l.pid
     from pg_locks l join pg_stat_activity a on a.pid = l.pid
     join pg_namespace n on l.classid::bigint = hashtext('"' || n.nspname || '".nodes')::bigint & 4294967295
     where l.locktype = 'advisory' and l.objsubid = 2 and l.granted
       and l.database = (select oid from pg_database where datname = current_database())
       and (n.nspname = $1 or starts_with(n.nspname, $1 || '_'))`,
    [target.schema],
  );
  // Nodes that have joined since are as new as this one: they have migrated it.
  if (rows.length === 0 || (await stateOf(client, target)) === "current") return;
  const sessions = rows.map(({ process, pid }) => `${pid} (${process})`).join(", ");
  throw new StartupError(
    `An older Boathook runs on this database, in PostgreSQL's sessions ${sessions}. Stop every node before this version ` +
      "migrates the database. If none runs, their machine is gone: end these sessions by pg_terminate_backend.",
  );
}
