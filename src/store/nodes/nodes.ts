import type { Cell } from "../cell.ts";
import type { Connection, Database } from "../database.ts";
import { statement } from "../sql.ts";

/** How long the end of one session is waited for. */
const SESSION_END_MS_MAX = 1_000;

/** A running process as others see it. */
export type NodeHeartbeat = { readonly id: number; readonly heartbeat: number };

/** Registers a new node and returns its number, which was never used before. */
export async function registerNode(
  connection: Connection,
  cell: Cell,
  atMs: number,
  oldestHeld: string,
): Promise<number> {
  const rows = await connection.rows<{ id: number }>(statement("node_register", cell), [
    new Date(atMs),
    oldestHeld,
  ]);
  return rows[0]!.id;
}

/** Takes the lock that tells others that this node's connection is alive. */
export async function lockNode(connection: Connection, cell: Cell, node: number): Promise<void> {
  await connection.rows(statement("node_lock", cell), [node]);
}

/**
 * Ends the session that holds the node's lock, if it is another than the connection's own: the node's former one, which
 * the server does not know to be gone. `connection` must be a single one.
 */
export async function endLockHolder(connection: Connection, cell: Cell, node: number): Promise<void> {
  await connection.rows(statement("node_end_lock_holder", cell), [node, SESSION_END_MS_MAX]);
}

/** Counts the node's beat up. False: it has been replaced. */
export async function recordHeartbeat(
  connection: Connection,
  cell: Cell,
  node: number,
  oldestHeld: string,
): Promise<boolean> {
  const rows = await connection.rows(statement("node_heartbeat", cell), [node, oldestHeld]);
  return rows.length === 1;
}

/** All nodes but this one. */
export function listNodes(connection: Connection, cell: Cell, node: number): Promise<NodeHeartbeat[]> {
  return connection.rows<NodeHeartbeat>(statement("node_list", cell), [node]);
}

/** True when no living connection holds the node's lock. `connection` must be a single one. */
export async function isNodeLockFree(connection: Connection, cell: Cell, node: number): Promise<boolean> {
  const rows = await connection.rows<{ free: boolean }>(statement("node_try_lock", cell), [node]);
  const free = rows[0]!.free;
  if (free) await connection.rows(statement("node_unlock", cell), [node]);
  return free;
}

/** Ends all that a process has under way which does not beat any more. */
export async function endSessionsOf(connection: Connection, cell: Cell, node: number): Promise<void> {
  await connection.rows(statement("node_end_sessions", cell), [node, SESSION_END_MS_MAX]);
}

/**
 * Puts what a node held into the queue and removes the node. Null when another node is at it, or was, and
 * while a statement of the node itself is still running.
 */
export function takeOverNode(
  database: Database,
  cell: Cell,
  node: number,
  atMs: number,
): Promise<number | null> {
  return database.transaction(async (tx) => {
    const locked = await tx.rows<{ oldestHeld: string }>(statement("node_lock_row", cell), [node]);
    const row = locked[0];
    if (row === undefined) return null;
    const taken = await tx.rows<{ count: number }>(statement("node_takeover", cell), [
      node,
      row.oldestHeld,
      new Date(atMs),
    ]);
    await tx.rows(statement("node_leave", cell), [node]);
    return taken[0]!.count;
  });
}
