/** Accounts may come to a cell once every running process uses it: a process that does not would refuse them. */
import { sleep } from "../runtime/sleep.ts";
import type { Cell } from "../store/cell.ts";
import { joinCells, openCell } from "../store/homes/cells.ts";
import type { NodeContext } from "../store/node-context.ts";
import { processesWithout } from "../store/nodes/in-use.ts";

type Ports = Pick<NodeContext, "database" | "cells" | "clock">;

/** Nodes take a new cell up within five seconds (watch-homes.ts), and then start it. */
const WAIT_MS_MAX = 15_000;
const ASK_EVERY_MS = 500;

/** Opens a cell once all processes use it. Returns what to say if some do not: then it is as before. */
export async function openOnceUsed(ports: Ports, cell: Cell): Promise<string | null> {
  const names = await waitUntilUsed(ports, cell);
  if (names.length > 0)
    return (
      `cell ${cell.number} is not used yet by ${names.join(", ")}; its log may say why: the cell's server cannot be ` +
      "reached from there, or an older version runs there"
    );
  const { database, cells, clock } = ports;
  await openCell(database, cells[0], cell.number, true);
  await joinCells(database, cells[0], new Date(clock.nowMs()));
  return null;
}

/**
 * Waits until all processes use the cell. Returns the others as people name them: empty, all use
 * it. A node that nobody holds is waited for as well, for it may be back at once; after that time it counts as dead.
 */
export async function waitUntilUsed(
  { database, cells, clock }: Ports,
  cell: Cell,
): Promise<readonly string[]> {
  const startedMs = clock.monotonicMs();
  for (;;) {
    const { processes, lost } = await processesWithout(database, cells, cell);
    const names = [...processes].map(([name, address]) => nameOf(name, address));
    const isLate = clock.monotonicMs() - startedMs >= WAIT_MS_MAX;
    if (isLate || (names.length === 0 && lost === 0)) return names;
    await sleep(clock, ASK_EVERY_MS);
  }
}

/** Sessions are named after the process and its start (open.ts). */
function nameOf(session: string, address: string): string {
  const process = `process ${session.split(" ")[1] ?? session}`;
  return address === "" ? process : `${process} at ${address}`;
}
