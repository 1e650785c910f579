import type { Cell } from "./cell.ts";
import type { Connection } from "./database.ts";
import { statement } from "./sql.ts";

/** The channel on which changes of endpoints are told, for all cells of a database. */
export const CHANGES_CHANNEL = "boathook_changes";

/** A change of one endpoint, as it arrives on the channel. */
export type Change = {
  readonly number: number;
  readonly accountId: string;
  readonly endpointId: string;
  /** Who announced it. */
  readonly node: number;
};

/** Numbers a change and tells all nodes. */
export async function announceChange(
  connection: Connection,
  cell: Cell,
  accountId: string,
  endpointId: string,
  node: number,
): Promise<number> {
  const rows = await connection.rows<{ number: number }>(statement("change_announce", cell), [
    accountId,
    endpointId,
    node,
  ]);
  return rows[0]!.number;
}

/** What a notice says, or null when it is for another cell. */
export function parseChange(cell: Cell, payload: string): Change | null {
  const [where, number, accountId, endpointId, node] = payload.split(" ");
  if (where !== `"${cell.schema}".changes` || accountId === undefined || endpointId === undefined) return null;
  return { number: Number(number), accountId, endpointId, node: Number(node) };
}

/** The number of the last change. */
export async function latestChange(connection: Connection, cell: Cell): Promise<number> {
  const rows = await connection.rows<{ number: number }>(statement("change_latest", cell));
  return rows[0]!.number;
}

/** Notes that the node has taken in every change up to `number`. */
export async function seeChange(connection: Connection, cell: Cell, node: number, number: number): Promise<void> {
  await connection.rows(statement("change_seen", cell), [node, number]);
}

/** The other nodes that have not taken a change in. */
export async function unseenBy(connection: Connection, cell: Cell, node: number, number: number): Promise<number[]> {
  const rows = await connection.rows<{ id: number }>(statement("change_unseen_by", cell), [node, number]);
  return rows.map((row) => row.id);
}
