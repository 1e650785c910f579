/**
 * A cell of Citus on the worker that holds it. Citus plans each statement at each execution, which costs several times
 * what a plain PostgreSQL costs, and it refuses some. So statements name the tables in which Citus keeps the cell's
 * rows, its shards, and PostgreSQL plans them as any other. A trigger on the shards holds off moves of the cell
 * (migrations/cell/020_distributed.sql, docs/decisions/store-cells-on-citus.md).
 */
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import type { Shards } from "./on-shards.ts";
import { shardGuard } from "./shards.sql.ts";

/**
 * Guards the cell's shards on this server, which must come before any statement on them, and after each move; tells their
 * names. Empty: the cell is not distributed, or not here.
 */
export async function guardShards(db: Connection, cell: Cell): Promise<Shards> {
  return new Map((await shardGuard(db, cell)).map(({ name, shard }) => [name, shard]));
}
