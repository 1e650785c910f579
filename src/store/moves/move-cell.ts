/**
 * Moves a cell from one server of the list to another: an export under a fence.
 *
 *     at home ─▶ prepared ─▶ fenced ─▶ copied ─▶ placed ─▶ renamed ─▶ at its new home, the old copy dropped
 *        ▲          │           │         │
 *        └──────────┴── undo ───┴─────────┘
 *
 * The schema's names, S being the one that statements use:
 *
 *     old home:  S          S           S_moving … S_moving            S_moving             -
 *     new home:  -          S_arriving  S_arriving … S_arriving        S                    S
 *     directory: server=old moving_to=new            server=new, moved_from=old             server=new
 *
 * The names are the fence: from the rename on, statements find nothing, fail as `moved` and are repeated. No server has
 * S before all rows are there and the directory says so, so that a node that read the homes long ago writes nowhere
 * else. Any step may be the last of a process: the same command goes on where it stopped, or undoes it.
 */
import { DIRECTORY_SERVER } from "../../runtime/setting-kinds.ts";
import type { Cell } from "../cell.ts";
import type { Connection, DatabaseAddress } from "../database.ts";
import { listCells } from "../homes/cells.ts";
import { isOneDatabase } from "../homes/one-database.ts";
import { MIGRATING } from "../migrate.ts";
import { copySchema } from "./copy-schema.ts";
import type { HeldCell } from "./hold-cell.ts";
import { movedCell, type MovedCell } from "./moved-cell.ts";
import { patiently } from "./patiently.ts";
import { openSession, type Session } from "./session.ts";
import * as sql from "./statements.ts";

export type MoveStep =
  /** `left`: the old copy, on a server that has no address any more. */
  | { readonly step: "prepared" | "fenced" | "placed" | "arrived" | "ended" | "left" | "undone" }
  | { readonly step: "copied"; readonly table: string; readonly rows: number };

export type MovePorts = HeldCell & {
  /** Null: nobody names the server. */
  readonly addressOf: (server: string) => DatabaseAddress | null;
  /** Migrates the cell's schema on a server where it is not. */
  readonly makeSchema: (address: DatabaseAddress, cell: Cell) => Promise<void>;
  readonly onStep: (step: MoveStep) => void;
  /** Undoes what is not placed yet. */
  readonly signal: AbortSignal;
};

/** Somebody has to decide first. */
export class MoveRefused extends Error {
  override readonly name = "MoveRefused";
}

/**
 * Moves the cell to the server `to`, goes on with a move that stopped, or, where it lives already, undoes one.
 * Rejects with `StoreUnavailable` while a server cannot be reached, after undoing what it can, and with `MoveRefused`.
 */
export async function moveCell(ports: MovePorts, to: string): Promise<"moved" | "undone" | "there"> {
  const { directory } = ports;
  const cell = movedCell(ports.cell);
  const row = (await listCells(directory, cell)).find(({ number }) => number === cell.number);
  if (row === undefined) throw new MoveRefused(`there is no cell ${cell.number}`);
  const { server: from, movingTo, movedFrom } = row;
  if (movedFrom !== null) await finish(ports, cell, from, movedFrom);
  if (from === to && movedFrom !== null) return "moved";
  if (from === to) return (await undo(ports, cell, from, movingTo)) ? "undone" : "there";
  if (movingTo !== null && movingTo !== to) {
    throw new MoveRefused(
      `cell ${cell.number} is moving to ${nameOf(movingTo)}: finish that, or move it to ${nameOf(from)} to undo it`,
    );
  }
  await carry(ports, cell, from, to);
  await finish(ports, cell, to, from);
  return "moved";
}

/** How messages and the command line name a server. */
export function nameOf(server: string): string {
  return server === "" ? DIRECTORY_SERVER : server;
}

/** Up to the moment from which the cell lives on the new server; undoes everything when it fails. */
async function carry(ports: MovePorts, cell: MovedCell, from: string, to: string): Promise<void> {
  const { directory, onStep, signal } = ports;
  const sessions: Session[] = [];
  const open = async (server: string): Promise<Session> => {
    const session = await openSession(requireAddress(ports, server));
    sessions.push(session);
    return session;
  };
  let isPlacing = false;
  try {
    const [source, target] = [await open(from), await open(to)];
    await requireRoom(source, target, cell, from, to);
    const begun = await directory.rows(sql.moveBegin(cell), [cell.number, from, to]);
    if (begun.length === 0) throw new MoveRefused(`cell ${cell.number} was moved by another command`);
    await drop(target, cell.arriving);
    await ports.makeSchema(requireAddress(ports, to), cell.arriving);
    onStep({ step: "prepared" });
    signal.throwIfAborted();
    await fence(source, cell, from);
    onStep({ step: "fenced" });
    const onCopied = (table: string, rows: number) => onStep({ step: "copied", table, rows });
    await copySchema({ source, target, cell, onCopied, signal });
    signal.throwIfAborted();
    isPlacing = true;
    const placed = await directory.rows(sql.movePlaced(cell), [cell.number, from, to]);
    if (placed.length === 0) throw new MoveRefused(`cell ${cell.number} was moved by another command`);
  } catch (cause) {
    for (const session of sessions) await session.close().catch(() => undefined);
    // Whether it was placed, only the directory knows.
    if (!isPlacing) await undo(ports, cell, from, to);
    throw cause;
  }
  for (const session of sessions) await session.close();
  onStep({ step: "placed" });
}

/** What is there already may be live: no message advises to drop it. */
async function requireRoom(
  source: Session,
  target: Session,
  cell: MovedCell,
  from: string,
  to: string,
): Promise<void> {
  if (await isOneDatabase(source, target)) {
    throw new MoveRefused(
      `${nameOf(from)} and ${nameOf(to)} are one database, where the cell lives: nothing is to move`,
    );
  }
  if (!(await isThere(target, cell))) return;
  throw new MoveRefused(
    `${nameOf(to)} has a schema ${cell.schema} of something else, such as another Boathook: name another database`,
  );
}

async function fence(source: Session, cell: MovedCell, server: string): Promise<void> {
  const [isHome, isFenced] = [await isThere(source, cell), await isThere(source, cell.fenced)];
  if (isHome === isFenced) {
    const what = isHome ? `both ${cell.schema} and ${cell.fenced.schema}` : `no ${cell.schema}`;
    throw new MoveRefused(`${nameOf(server)} has ${what}`);
  }
  if (isHome) await rename(source, cell, cell.fenced);
}

/** No process may be about to migrate the schema: it would make what it does not find. */
function rename(session: Session, from: Cell, to: Cell): Promise<void> {
  return patiently(session, async () => {
    await session.run(`select pg_advisory_xact_lock(${MIGRATING})`);
    await session.run(`alter schema "${from.schema}" rename to "${to.schema}"`);
  });
}

function drop(session: Session, { schema }: Cell): Promise<void> {
  return patiently(session, () => session.run(`drop schema if exists "${schema}" cascade`));
}

async function isThere(session: Connection, cell: Cell): Promise<boolean> {
  return (await session.rows(sql.schemaThere(cell), [cell.schema]))[0]!.there;
}

/** Makes the cell live where it did. False: it did so all along. */
async function undo(ports: MovePorts, cell: MovedCell, from: string, to: string | null): Promise<boolean> {
  const { directory, onStep } = ports;
  // Without the directory's session, somebody else may be at it. A statement of the cell, which waits, would be refused.
  await listCells(directory, cell);
  const source = await openSession(requireAddress(ports, from));
  let isFenced: boolean;
  try {
    isFenced = !(await isThere(source, cell)) && (await isThere(source, cell.fenced));
    if (isFenced) await rename(source, cell.fenced, cell);
  } finally {
    await source.close();
  }
  if (to === null && !isFenced) return false;
  // The new server may be what failed. The next move drops what is left there.
  const target = to === null ? null : ports.addressOf(to);
  if (target !== null) await dropAt(target, cell.arriving).catch(() => undefined);
  await directory.rows(sql.moveUndone(cell), [cell.number]);
  onStep({ step: "undone" });
  return true;
}

/** After the cell was placed: gives the schema its name on the new server, and drops the old copy. */
async function finish(ports: MovePorts, cell: MovedCell, server: string, old: string): Promise<void> {
  const { directory, onStep } = ports;
  const target = await openSession(requireAddress(ports, server));
  try {
    if (!(await isThere(target, cell))) await rename(target, cell.arriving, cell);
  } finally {
    await target.close();
  }
  onStep({ step: "arrived" });
  // A server that is gone for good would hold up every later move.
  const source = ports.addressOf(old);
  if (source !== null) await dropAt(source, cell.fenced);
  await directory.rows(sql.moveEnded(cell), [cell.number]);
  onStep({ step: source === null ? "left" : "ended" });
}

function requireAddress({ addressOf }: MovePorts, server: string): DatabaseAddress {
  const address = addressOf(server);
  if (address === null) throw new MoveRefused(`BOATHOOK_SERVERS does not name ${server}`);
  return address;
}

async function dropAt(address: DatabaseAddress, cell: Cell): Promise<void> {
  const session = await openSession(address);
  try {
    await drop(session, cell);
  } finally {
    await session.close();
  }
}
