import type { Cell } from "../cell.ts";
import type { Connection, Database } from "../database.ts";
import {
  nodeDescribe,
  nodeEndLockHolder,
  nodeEndSessions,
  nodeHeartbeat,
  nodeHolders,
  nodeLeave,
  nodeLock,
  nodeLockRow,
  nodeRegister,
  nodeTakeover,
  nodeTryLock,
  nodeUnlock,
} from "./nodes.sql.ts";

/** How long the end of one session is waited for. */
const SESSION_END_MS_MAX = 1_000;

/** What a process tells others of itself. */
export type NodeDescription = {
  /** Fingerprints of the master keys that it has (`engine/secret.ts`), one behind the other. */
  readonly masterKeys: Buffer;
  readonly build: string;
  readonly host: string;
  readonly roles: string;
};

const UNDESCRIBED: NodeDescription = { masterKeys: Buffer.alloc(0), build: "", host: "", roles: "" };

/** Registers a new node of the server and returns its number, which was never used before. */
export async function registerNode(
  db: Connection,
  cell: Cell,
  atMs: number,
  oldestHeld: string,
  server = "",
  { masterKeys, build, host, roles }: NodeDescription = UNDESCRIBED,
): Promise<number> {
  return (
    await nodeRegister(db, cell, { at: new Date(atMs), oldestHeld, server, masterKeys, build, host, roles })
  ).id;
}

/** What the cell's nodes registered. */
export function describeNodes(db: Connection, cell: Cell) {
  return nodeDescribe(db, cell);
}

/** What the key of a node's lock is made of, beside the node's number. */
function lockName(cell: Cell): string {
  return `"${cell.schema}".nodes`;
}

/** Takes the lock that shows others that this node's connection is alive. */
export async function lockNode(db: Connection, cell: Cell, node: number): Promise<void> {
  await nodeLock(db, cell, { node, lockName: lockName(cell) });
}

/**
 * Ends the session that holds the node's lock, if it is another than the connection's own: the node's former one, which
 * the server does not know to be gone. `db` must be a single one.
 */
export async function endLockHolder(db: Connection, cell: Cell, node: number): Promise<void> {
  await nodeEndLockHolder(db, cell, { node, sessionEndMsMax: SESSION_END_MS_MAX, lockName: lockName(cell) });
}

/** Another node of the cell, how far its beat has counted, and at which server; null: an older build's. */
export type Peer = { readonly id: number; readonly heartbeat: number; readonly server: string | null };

/**
 * Counts the node's beat up at the server, and returns the number of the last change of an endpoint and the other nodes.
 * Null: it has been replaced.
 */
export async function recordHeartbeat(
  db: Connection,
  cell: Cell,
  node: number,
  oldestHeld: string,
  server = "",
) {
  const rows = await nodeHeartbeat(db, cell, { node, oldestHeld, server });
  if (rows[0] === undefined) return null;
  const peers = rows.flatMap(({ id, heartbeat, server: last }): readonly Peer[] =>
    id === null || heartbeat === null ? [] : [{ id, heartbeat, server: last }],
  );
  return { latestChange: rows[0].latestChange, peers };
}

/** The processes that hold locks of the cell's nodes. */
export function listHolders(db: Connection, cell: Cell) {
  return nodeHolders(db, cell, lockName(cell));
}

/** True when no living connection holds the node's lock. `db` must be a single one. */
export async function isNodeLockFree(db: Connection, cell: Cell, node: number): Promise<boolean> {
  const rows = await nodeTryLock(db, cell, { node, lockName: lockName(cell) });
  const free = rows[0]!.free;
  if (free) await nodeUnlock(db, cell, { node, lockName: lockName(cell) });
  return free;
}

/** Ends the statements of a process whose heartbeat has stopped. */
export async function endSessionsOf(db: Connection, cell: Cell, node: number): Promise<void> {
  await nodeEndSessions(db, cell, { node, sessionEndMsMax: SESSION_END_MS_MAX, lockName: lockName(cell) });
}

/**
 * Returns a node's deliveries to the queue and removes the node. Null when another node does so or has done so, and
 * while a statement of the node itself still runs.
 */
export function takeOverNode(database: Database, cell: Cell, node: number, atMs: number) {
  return database.transaction(async (tx) => {
    const row = await nodeLockRow(tx, cell, node);
    if (row === null) return null;
    const taken = await nodeTakeover(tx, cell, { node, oldestHeld: row.oldestHeld, at: atMs });
    await nodeLeave(tx, cell, node);
    return taken[0]!.count;
  });
}
