/** Moves of cells by Citus, one after the other. */
import { CommandError } from "../../cli/command.ts";
import type { CommandContext, OpenedStore } from "../../cli/context.ts";
import { StoreUnavailable } from "../../model/errors.ts";
import { sleep } from "../../runtime/sleep.ts";
import { showCells, type ShownCell } from "../../operator/cells.ts";
import { readMovingSchemas, readWorkers } from "../../store/homes/citus.ts";
import { planMoves } from "../../store/homes/plan-moves.ts";
import { holdCell } from "../../store/moves/hold-cell.ts";
import { moveOnCitus } from "../../store/moves/move-on-citus.ts";
import { unavailableText } from "./failure.ts";

/** Of the cell of that name. */
export type CellMove = { readonly cell: string; readonly from: string; readonly to: string };

const PROGRESS_EVERY_MS = 1_000;

async function nodesOf({ database }: OpenedStore): Promise<readonly string[]> {
  const nodes = await readWorkers(database);
  if (nodes.length > 0) return nodes;
  throw new CommandError("The database is not Citus: all cells live on its one server (docs/scale.md).");
}

/** The fewest moves that even out the nodes; those of `drained` are to hold none. */
export async function planAll(opened: OpenedStore, drained?: string): Promise<readonly CellMove[]> {
  const nodes = await nodesOf(opened);
  const shown = await showCells(opened);
  if (drained !== undefined && ![...nodes, ...shown.map(({ server }) => server)].includes(drained)) {
    throw new CommandError(`There is no node ${drained}. There are ${nodes.join(", ")}.`);
  }
  const plan = (some: readonly ShownCell[]): readonly CellMove[] => {
    const nameOf = new Map(some.map(({ number, name }) => [number, name]));
    try {
      const moves = planMoves(some, nodes, drained === undefined ? [] : [drained]);
      const named = moves.map((one) => ({ ...one, cell: nameOf.get(one.cell)! }));
      // A drain moves nothing else.
      return drained === undefined ? named : named.filter(({ from }) => from === drained);
    } catch (cause) {
      throw new CommandError(`${(cause as Error).message}.`, 1);
    }
  };
  // Those of a kind share its load.
  return [...Map.groupBy(shown, ({ product }) => product).values()].flatMap(plan);
}

/** Call it once: it is aborted by Ctrl-C. */
export function interruptionOf(at: CommandContext): AbortSignal {
  const interruption = new AbortController();
  void at.untilSignal().then(() => interruption.abort());
  return interruption.signal;
}

/** Moves one after the other; an interruption lets Citus end the running one, and begins no other. */
export async function moveAll(
  at: CommandContext,
  opened: OpenedStore,
  moves: readonly CellMove[],
  signal: AbortSignal,
): Promise<void> {
  for (const { cell, to } of moves) {
    if (signal.aborted) throw new CommandError(`Interrupted before cell ${cell} moved.`, 1);
    try {
      await moveOne(opened, cell, to, (text) => at.err(`cell ${cell}: ${text}\n`));
    } catch (cause) {
      if (!(cause instanceof StoreUnavailable)) throw cause;
      throw new CommandError(`Cell ${cell} has not moved: ${unavailableText(cause)}. Repeat the command.`, 1);
    }
  }
}

async function moveOne(
  opened: OpenedStore,
  name: string,
  to: string,
  say: (text: string) => void,
): Promise<void> {
  const { database, cells, productCells } = opened;
  const shown = (await showCells(opened)).find((one) => one.name === name);
  if (shown === undefined) throw new CommandError(`There is no cell ${name}.`);
  const nodes = await nodesOf(opened);
  if (!nodes.includes(to)) {
    throw new CommandError(`Cell ${name} cannot live on ${to}: name one of ${nodes.join(", ")}.`);
  }
  const cell = [...cells, ...productCells.all].find(({ number }) => number === shown.number);
  if (cell === undefined) throw new CommandError(`This version has no product with cells like ${name}.`);
  const done = await holdCell(database, cell, async () => {
    if (shown.server === to) return `it lives on ${to}`;
    await withProgress(opened, cell.schema, say, () =>
      moveOnCitus(database, cell, to, opened.clock, () => say("a transaction stays open; once more")),
    );
    return `it lives on ${to} now`;
  });
  if (done === null) throw new CommandError(`Another command is moving cell ${name}.`, 1);
  say(done);
}

/** Says how far Citus has come while it works. */
async function withProgress(
  { database, clock }: OpenedStore,
  moved: string,
  say: (text: string) => void,
  work: () => Promise<void>,
): Promise<void> {
  let isMoving = true;
  const report = async () => {
    for (let last = ""; isMoving; await sleep(clock, PROGRESS_EVERY_MS)) {
      const found = (await readMovingSchemas(database)).find(({ schema }) => schema === moved);
      if (found === undefined) continue;
      const text = `${Math.round((100 * found.copied) / Math.max(found.bytes, 1))} % copied`;
      if (text !== last) say(text);
      last = text;
    }
  };
  const reporting = report().catch(() => undefined);
  try {
    await work();
  } finally {
    isMoving = false;
    await reporting;
  }
}
