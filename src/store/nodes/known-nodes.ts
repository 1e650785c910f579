/** What nodes register: each process is a node of every cell that it uses. */
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import { describeNodes, listHolders, type NodeDescription } from "./nodes.ts";

/** `process`: the name of its sessions; null: nobody holds its lock, so it is dead, or away for a moment. */
export type KnownNode = NodeDescription & {
  readonly id: number;
  readonly startedAt: Date;
  readonly process: string | null;
  /** Where its sessions come from; empty for the database's machine. */
  readonly address: string;
};

export async function listKnownNodes(db: Connection, cell: Cell): Promise<readonly KnownNode[]> {
  const described = await describeNodes(db, cell);
  const holders = await listHolders(db, cell);
  const holderOf = new Map(holders.map((one) => [one.node, one]));
  return described.map((node) => {
    const { process = null, address = "" } = holderOf.get(node.id) ?? {};
    return { ...node, process, address };
  });
}

/** For people: `boathook 4711 … on node-2`. */
export function nameOfNode({ id, process, host, address }: KnownNode): string {
  const where = [host, address].filter((part) => part !== "").join(", ");
  const name = process ?? `node ${id}, which does not answer`;
  return where === "" ? name : `${name} (${where})`;
}
