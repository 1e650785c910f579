/** Accounts may come to a cell once every running process uses it: a process that does not would refuse them. */
import { CommandError } from "../../cli/command.ts";
import type { CommandContext, OpenedStore } from "../../cli/context.ts";
import { sleep } from "../../runtime/sleep.ts";
import type { Cell } from "../../store/cell.ts";
import { processesWithout } from "../../store/nodes/in-use.ts";

/** Nodes take a new cell up within five seconds (watch-homes.ts), and then start it. */
const WAIT_MS_MAX = 15_000;
const ASK_EVERY_MS = 500;

/**
 * Waits until all processes use the cell. Returns the others as people name them: empty, all use
 * it. A node that nobody holds is waited for as well, for it may be back at once; after that time it counts as dead.
 */
export async function waitUntilUsed(
  at: Pick<CommandContext, "err">,
  { database, cells, clock }: OpenedStore,
  cell: Cell,
): Promise<readonly string[]> {
  const startedMs = clock.monotonicMs();
  for (let isTold = false; ; isTold = true) {
    const { processes, lost } = await processesWithout(database, cells, cell);
    const names = [...processes].map(([name, address]) => nameOf(name, address));
    const isLate = clock.monotonicMs() - startedMs >= WAIT_MS_MAX;
    if (isLate || (names.length === 0 && lost === 0)) return names;
    if (!isTold) at.err(`cell ${cell.number}: waiting until all processes use it\n`);
    await sleep(clock, ASK_EVERY_MS);
  }
}

export async function requireInUse(
  at: Pick<CommandContext, "err">,
  opened: OpenedStore,
  cell: Cell,
): Promise<void> {
  const names = await waitUntilUsed(at, opened, cell);
  if (names.length > 0) throw new CommandError(notInUse(cell, names), 1);
}

export function notInUse({ number }: Cell, names: readonly string[]): string {
  return (
    `Cell ${number} is not used yet by ${names.join(", ")}. Its log may say why: the cell's server cannot be reached ` +
    "from there, or an older version runs there."
  );
}

/** Sessions are named after the process and its start (open.ts). */
function nameOf(session: string, address: string): string {
  const process = `process ${session.split(" ")[1] ?? session}`;
  return address === "" ? process : `${process} at ${address}`;
}
