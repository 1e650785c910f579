import type pg from "pg";

/**
 * Distributes the schemas of cells that are not distributed yet: Citus puts each on a worker, with all it holds. Before,
 * released migrations have run on plain tables, since Citus refuses some of what they do to distributed ones.
 */
export async function distribute(client: pg.Client, schemas: readonly string[]): Promise<void> {
  await client.query("begin");
  try {
    await client.query("select pg_advisory_xact_lock(hashtext('boathook cells'))");
    const { rows } = await client.query<{ schema: string }>(
      `select wanted.name as schema
       from unnest($1::text[]) as wanted (name)
       where wanted.name::regnamespace not in (select schemaid from pg_dist_schema)`,
      [schemas],
    );
    for (const { schema } of rows) {
      // Workers have none of the functions that were made before Citus was.
      await client.query(
        `select create_distributed_function(oid::regprocedure)
         from pg_proc
         where pronamespace = $1::regnamespace`,
        [schema],
      );
      await client.query("select citus_schema_distribute($1::regnamespace)", [schema]);
    }
    await client.query("commit");
  } catch (cause) {
    await client.query("rollback");
    throw cause;
  }
}
