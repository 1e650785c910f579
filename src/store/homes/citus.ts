/** Where Citus has put the cells: each is a distributed schema on one worker. */
import type { Connection, DatabaseAddress } from "../database.ts";
import type { Statement } from "../sql.ts";

/** The server of one distributed schema. */
export type Placement = { readonly schema: string; readonly host: string; readonly port: number };

const HAS_CITUS: Statement<{ there: boolean }, []> = {
  name: "citus_there",
  text: "select to_regclass('pg_catalog.pg_dist_schema') is not null as there",
};

/** Of all tables of a schema one tells, since they are moved together. */
export const PLACEMENTS: Statement<Placement, []> = {
  name: "citus_placements",
  text: `
    select schema.nspname as schema, node.nodename as host, node.nodeport as port
    from pg_dist_schema distributed
    join pg_namespace schema on schema.oid = distributed.schemaid
    cross join lateral (
      select placement.groupid
      from pg_dist_partition part
      join pg_dist_shard shard on shard.logicalrelid = part.logicalrelid
      join pg_dist_placement placement on placement.shardid = shard.shardid
      where part.colocationid = distributed.colocationid
      limit 1
    ) held
    join pg_dist_node node on node.groupid = held.groupid and node.noderole = 'primary'`,
};

const WORKERS: Statement<{ server: string }, []> = {
  name: "citus_workers",
  text: `
    select nodename || ':' || nodeport as server
    from pg_dist_node
    where noderole = 'primary' and isactive and shouldhaveshards
    order by 1`,
};

const MOVING: Statement<MovingSchema, []> = {
  name: "citus_moving",
  text: `
    select c.relnamespace::regnamespace::text as schema, p.targetname || ':' || p.targetport as server,
      sum(p.source_shard_size)::float8 as bytes,
      sum(p.target_shard_size)::float8 as copied
    from get_rebalance_progress() p
    join pg_class c on c.oid = p.table_name
    group by 1, 2`,
};

/** A schema that Citus is moving to the server. */
export type MovingSchema = {
  readonly schema: string;
  readonly server: string;
  readonly bytes: number;
  readonly copied: number;
};

/** The servers that may hold distributed schemas, as `host:port`. Empty without Citus. */
export async function readWorkers(db: Connection): Promise<readonly string[]> {
  return (await hasCitus(db)) ? (await db.rows(WORKERS, [])).map(({ server }) => server) : [];
}

export async function readMovingSchemas(db: Connection): Promise<readonly MovingSchema[]> {
  return (await hasCitus(db)) ? db.rows(MOVING, []) : [];
}

async function hasCitus(db: Connection): Promise<boolean> {
  return (await db.rows(HAS_CITUS, []))[0]?.there === true;
}

/** Empty without Citus, and on one without distributed schemas. `db` is the coordinator. */
export async function readPlacements(db: Connection): Promise<readonly Placement[]> {
  return (await hasCitus(db)) ? db.rows(PLACEMENTS, []) : [];
}

/** The worker's address: as the coordinator's, on the worker's host, which may be a socket's folder, and port. */
export function workerAddress(coordinator: DatabaseAddress, { host, port }: Placement): DatabaseAddress {
  if (!("url" in coordinator)) throw new Error("a worker of Citus is reached by its host and port");
  const url = new URL(coordinator.url);
  // In the query they would have the last word.
  for (const name of ["host", "port"]) url.searchParams.delete(name);
  if (host.startsWith("/")) url.searchParams.set("host", host);
  else url.hostname = host.includes(":") ? `[${host}]` : host;
  url.port = String(port);
  return { url: url.href };
}
