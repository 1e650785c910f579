/** Where cells live, as people name it, and their moves one after the other. */
import { CommandError } from "../../cli/command.ts";
import type { CommandContext, OpenedStore } from "../../cli/context.ts";
import { StoreUnavailable } from "../../model/errors.ts";
import { products } from "../../products/index.ts";
import { DIRECTORY_SERVER } from "../../runtime/setting-kinds.ts";
import { sleep } from "../../runtime/sleep.ts";
import { nameOfCell, type CellKind } from "../../store/cell.ts";
import type { DatabaseAddress } from "../../store/database.ts";
import { cellListed, listCells } from "../../store/homes/cells.ts";
import { readMovingSchemas, readPlacements, readWorkers } from "../../store/homes/citus.ts";
import { planMoves } from "../../store/homes/plan-moves.ts";
import { migrateCells } from "../../store/migrate.ts";
import { SchemasDiffer } from "../../store/moves/copy-schema.ts";
import { holdCell, type HeldCell } from "../../store/moves/hold-cell.ts";
import { moveCell, MoveRefused, nameOf, type MoveStep } from "../../store/moves/move-cell.ts";
import { moveOnCitus } from "../../store/moves/move-on-citus.ts";
import { unavailableText } from "./failure.ts";

/** A cell as people see it. */
export type ShownCell = {
  readonly number: number;
  /** The number, of a cell of accounts; `schedules_0`, of a product. */
  readonly name: string;
  readonly server: string;
  readonly open: boolean;
  readonly accounts: number;
  /** Where a move has got to; null: none is open. */
  readonly move: string | null;
};

type FoundCell = ShownCell & {
  readonly kind: CellKind;
  /** Citus holds it. */
  readonly isOnCitus: boolean;
  /** The server that an open move goes on to; null: none is, or Citus does it. */
  readonly next: string | null;
};

/** Of the cell of that name. */
export type CellMove = { readonly cell: string; readonly from: string; readonly to: string };

const PROGRESS_EVERY_MS = 1_000;

export async function showCells({ database, cells }: OpenedStore): Promise<readonly FoundCell[]> {
  const placements = new Map((await readPlacements(database)).map((one) => [one.schema, one]));
  const moving = new Map((await readMovingSchemas(database)).map((one) => [one.schema, one.server]));
  return (await listCells(database, cells[0])).map((listed) => {
    const { movingTo, movedFrom, kind, number, open, accounts } = listed;
    const cell = cellListed(cells[0], listed);
    const [{ schema }, name] = [cell, nameOfCell(cell)];
    const placement = listed.server === "" ? placements.get(schema) : undefined;
    const server = placement === undefined ? nameOf(listed.server) : `${placement.host}:${placement.port}`;
    const to = moving.get(schema) ?? (movingTo === null ? null : nameOf(movingTo));
    const toDrop = movedFrom === null ? null : `to drop the copy on ${nameOf(movedFrom)}`;
    const move = to === null ? toDrop : `to ${to}`;
    const next = movingTo === null ? (movedFrom === null ? null : server) : nameOf(movingTo);
    const isOnCitus = placement !== undefined;
    return { number, name, kind, server, open, accounts, move, isOnCitus, next };
  });
}

/** The cell that a person names. */
export async function cellCalled(opened: OpenedStore, name: string): Promise<FoundCell> {
  const found = (await showCells(opened)).find((one) => one.name === name);
  if (found === undefined) throw new CommandError(`There is no cell ${name}.`);
  return found;
}

/** By name: the workers of Citus and the servers of the list. The directory's own holds cells where it is no Citus. */
async function readServers({ database, settings }: OpenedStore) {
  const workers = await readWorkers(database);
  const listed = [...(settings.servers?.keys() ?? [])];
  return { workers, listed: workers.length > 0 ? listed : [DIRECTORY_SERVER, ...listed] };
}

/** The fewest moves that even out the servers; those of `drained` are to hold none. */
export async function planAll(opened: OpenedStore, drained?: string): Promise<readonly CellMove[]> {
  const { workers, listed } = await readServers(opened);
  const shown = await showCells(opened);
  if (
    drained !== undefined &&
    ![...workers, ...listed, ...shown.map(({ server }) => server)].includes(drained)
  ) {
    throw new CommandError(`There is no server ${drained}. There are ${[...workers, ...listed].join(", ")}.`);
  }
  // Those of a kind share its load.
  const plan = (kind: CellKind, isOnCitus: boolean, servers: readonly string[]) => {
    const some = shown.filter((one) => one.kind === kind && one.isOnCitus === isOnCitus);
    const out = drained !== undefined && some.some(({ server }) => server === drained) ? [drained] : [];
    if (drained !== undefined && out.length === 0) return [];
    try {
      // A drain moves nothing else.
      const nameOfNumber = new Map(some.map(({ number, name }) => [number, name]));
      const moved = planMoves(some, servers, out).map((one) => ({
        ...one,
        cell: nameOfNumber.get(one.cell)!,
      }));
      return drained === undefined ? moved : moved.filter(({ from }) => from === drained);
    } catch (cause) {
      throw new CommandError(`${(cause as Error).message}.`, 1);
    }
  };
  const kinds = [...new Set(shown.map(({ kind }) => kind))];
  return kinds.flatMap((kind) => [...plan(kind, true, workers), ...plan(kind, false, listed)]);
}

/** Goes on with a move that stopped: to its end, or back where the cell would come to the drained server. */
export function unfinished(shown: readonly FoundCell[], drained?: string): readonly CellMove[] {
  return shown.flatMap(({ name: cell, server: from, next }) =>
    next === null ? [] : [{ cell, from, to: next === drained ? from : next }],
  );
}

/** Call it once: it is aborted by Ctrl-C. */
export function interruptionOf(at: CommandContext): AbortSignal {
  const interruption = new AbortController();
  void at.untilSignal().then(() => interruption.abort());
  return interruption.signal;
}

/** Moves one after the other; an interruption undoes the running one, or lets Citus end it, and begins no other. */
export async function moveAll(
  at: CommandContext,
  opened: OpenedStore,
  moves: readonly CellMove[],
  signal: AbortSignal,
): Promise<void> {
  for (const { cell, to } of moves) {
    if (signal.aborted) throw new CommandError(`Interrupted before cell ${cell} moved.`, 1);
    const say = (text: string) => at.err(`cell ${cell}: ${text}\n`);
    try {
      await moveOne(opened, cell, to, say, signal);
    } catch (cause) {
      throw asCommandError(cause, cell, signal);
    }
  }
}

async function moveOne(
  opened: OpenedStore,
  name: string,
  to: string,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { database, cells, productCells } = opened;
  const shown = await cellCalled(opened, name);
  const cell = [...cells, ...productCells.all].find(({ number }) => number === shown.number);
  if (cell === undefined) throw new CommandError(`This version has no product with cells like ${name}.`);
  const { workers, listed } = await readServers(opened);
  const servers = shown.isOnCitus ? workers : listed;
  if (![...servers, shown.server].includes(to)) {
    throw new CommandError(`Cell ${name} cannot live on ${to}: name one of ${servers.join(", ")}.`);
  }
  const move = (held: HeldCell) =>
    shown.isOnCitus
      ? citusMove(opened, held, shown, to, say)
      : listMove(opened, held, to === DIRECTORY_SERVER ? "" : to, say, signal);
  const done = await holdCell(database, cell, move);
  if (done === null) throw new CommandError(`Another command is moving cell ${name}.`, 1);
  say(done);
}

async function citusMove(
  { database, clock }: OpenedStore,
  { cell }: HeldCell,
  { server }: ShownCell,
  to: string,
  say: (text: string) => void,
): Promise<string> {
  if (server === to) return `it lives on ${to}`;
  let isMoving = true;
  const report = async () => {
    for (let last = ""; isMoving; await sleep(clock, PROGRESS_EVERY_MS)) {
      const found = (await readMovingSchemas(database)).find(({ schema }) => schema === cell.schema);
      if (found === undefined) continue;
      const text = `${Math.round((100 * found.copied) / Math.max(found.bytes, 1))} % copied`;
      if (text !== last) say(text);
      last = text;
    }
  };
  const reporting = report().catch(() => undefined);
  try {
    await moveOnCitus(database, cell, to, clock, () => say("a transaction stays open; once more"));
  } finally {
    isMoving = false;
    await reporting;
  }
  return `it lives on ${to} now`;
}

async function listMove(
  { database, cells, settings, log }: OpenedStore,
  held: HeldCell,
  to: string,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const addressOf = (server: string): DatabaseAddress | null => {
    if (server === "") return database.homeOf({ ...held.cell, schema: cells[0].directory });
    const url = settings.servers?.get(server);
    return url === undefined ? null : { url };
  };
  const done = await moveCell(
    {
      ...held,
      addressOf,
      makeSchema: async (address, cell) => void (await migrateCells(address, [cell], log, products)),
      onStep: (step) => saidOf(step, say),
      signal,
    },
    to,
  );
  const words = { moved: "it lives on", undone: "the move is undone; it lives on", there: "it lives on" };
  return `${words[done]} ${nameOf(to)}${done === "moved" ? " now" : ""}`;
}

export function saidOf(step: MoveStep, say: (text: string) => void): void {
  if (step.step === "copied") {
    if (step.rows > 0) say(`copied ${step.table}: ${step.rows} rows`);
    return;
  }
  say(STEPS[step.step]);
}

const STEPS = {
  prepared: "its tables are made on the new server",
  fenced: "statements wait",
  placed: "all rows are on the new server",
  arrived: "statements go on there",
  ended: "the old copy is dropped",
  left: "the old copy is left, since BOATHOOK_SERVERS does not name its server",
  undone: "it lives where it did",
} as const;

function asCommandError(cause: unknown, cell: string, signal: AbortSignal): unknown {
  if (cause instanceof MoveRefused || cause instanceof SchemasDiffer) {
    return new CommandError(`Cell ${cell}: ${cause.message}.`, 1);
  }
  if (signal.aborted && !(cause instanceof StoreUnavailable)) {
    return new CommandError(`Interrupted: cell ${cell} lives where it did.`, 1);
  }
  if (!(cause instanceof StoreUnavailable)) return cause;
  return new CommandError(
    `The move of cell ${cell} has not ended: ${unavailableText(cause)}. The same command goes on.`,
    1,
  );
}
