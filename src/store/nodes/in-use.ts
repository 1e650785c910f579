/** Which processes use a cell: each is a node of every cell that it uses, and has the same name in all of them. */
import { StoreUnavailable } from "../../model/errors.ts";
import { sideBySide } from "../../runtime/side-by-side.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import { listHolders } from "./nodes.ts";
import { nodeList } from "./nodes.sql.ts";

export type Without = {
  /** Living processes that do not use the cell, by name: where their sessions come from, empty for this machine. */
  readonly processes: ReadonlyMap<string, string>;
  /** Nodes of other cells that nobody holds: dead and not taken over yet, or away for a moment. */
  readonly lost: number;
};

const ASKED_MAX = 8;
/** Numbers of nodes begin at 1. */
const NO_NODE = 0;

/** Who runs without the cell. Cells that do not answer are left out: their processes are in others, too. */
export async function processesWithout(db: Connection, cells: readonly Cell[], cell: Cell): Promise<Without> {
  const { processes: its } = await nodesOf(db, cell);
  const others = cells.filter(({ number }) => number !== cell.number);
  const asked = await sideBySide(others, ASKED_MAX, (other) => nodesOf(db, other));
  const answers = asked.flatMap((one) => {
    if (one.status === "fulfilled") return [one.value];
    if (one.reason instanceof StoreUnavailable) return [];
    throw one.reason;
  });
  const all = answers.flatMap(({ processes }) => [...processes]);
  return {
    processes: new Map(all.filter(([name]) => !its.has(name))),
    lost: Math.max(0, ...answers.map(({ lost }) => lost)),
  };
}

async function nodesOf(db: Connection, cell: Cell) {
  const nodes = (await nodeList(db, cell, NO_NODE)).map(({ id }) => id);
  const holders = (await listHolders(db, cell)).filter(({ node }) => nodes.includes(node));
  return {
    processes: new Map(holders.map(({ process, address }) => [process, address])),
    lost: nodes.length - holders.length,
  };
}
