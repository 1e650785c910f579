/**
 * Moves the directory and all cells to another server: an export under a fence, with no service running.
 *
 *     at home ─▶ prepared ─▶ fenced ─▶ copied ─▶ placed
 *        ▲          │           │         │
 *        └──────────┴── undo ───┴─────────┘
 *
 * The names of the schemas, where statements use S:
 *
 *     old server:  S          S           S_moving … S_moving          S_moving, from then on
 *     new server:  -          S_arriving  S_arriving … S_arriving      S
 *
 * One transaction renames all schemas of a server. The new server decides: once it has S, the store lives there. The old
 * one keeps what it had, behind the fence: a service that starts there is refused.
 */
import type { Clock } from "../../runtime/clock.ts";
import { sleep } from "../../runtime/sleep.ts";
import { type Cell, SCHEMA_PREFIX } from "../cell.ts";
import type { Connection, DatabaseAddress } from "../database.ts";
import { cellListed } from "../homes/cells.ts";
import { cellList } from "../homes/cells.sql.ts";
import { MIGRATING } from "../migrate.ts";
import { refuseStranded } from "../refuse-stranded.ts";
import { copySchema } from "./copy-schema.ts";
import { type MovedCell, movedCell } from "./moved-cell.ts";
import { openSession, type Session } from "./session.ts";
import { cellLock, schemaSequences, schemaThere, storeIdentity, storeSessions } from "./moves.sql.ts";
import { StoreUnavailable } from "../../model/errors.ts";

export type MoveStep =
  | { readonly step: "prepared" | "fenced" | "placed" | "undone" }
  | { readonly step: "copied"; readonly table: string; readonly rows: number };

/** Somebody has to decide first. */
export class MoveRefused extends Error {
  override readonly name = "MoveRefused";
}

export type MoveStorePorts = {
  readonly from: DatabaseAddress;
  readonly to: DatabaseAddress;
  /** Migrates one schema on the new server, of the directory or of a cell. */
  readonly makeSchema: (kind: "directory" | "cell", schema: Cell) => Promise<void>;
  readonly onStep: (step: MoveStep) => void;
  readonly clock: Pick<Clock, "after">;
  /** Undoes what is not placed yet. */
  readonly signal: AbortSignal;
};

type Move = MoveStorePorts & {
  /** On the old server and on the new one, each with a lock: the commands that move the store do so one at a time. */
  readonly home: Session;
  readonly there: Session;
};

/** The directory's schema; no cell has the number. */
const DIRECTORY = movedCell({ number: -1, schema: SCHEMA_PREFIX, directory: SCHEMA_PREFIX });

/** The key of the lock of commands that move the store; no cell has this number. */
const STORE = -2;

/**
 * Moves the store, or goes on with a move that stopped; with `undo` it makes the store live where it did. Rejects with
 * `StoreUnavailable` while a server cannot be reached, after undoing what it can, and with `MoveRefused`.
 */
export async function moveStore(ports: MoveStorePorts, undo: boolean): Promise<"moved" | "undone" | "there"> {
  return withSessions(ports, async (home, there) => {
    const move = { ...ports, home, there };
    for (const session of [home, there]) {
      const { locked } = await cellLock(session, DIRECTORY, STORE);
      if (!locked) throw new MoveRefused("another command is moving the store");
    }
    if (await isPlaced(move)) {
      if (undo) throw new MoveRefused("the store lives on the new server now");
      return "there";
    }
    if (undo) return (await goBack(move)) ? "undone" : "there";
    await refuseStranded(home.client, SCHEMA_PREFIX);
    await requireNobody(move);
    await carry(move);
    return "moved";
  });
}

async function withSessions<T>(
  { from, to }: MoveStorePorts,
  work: (source: Session, target: Session) => Promise<T>,
): Promise<T> {
  const source = await openSession(from);
  try {
    const target = await openSession(to);
    try {
      return await work(source, target);
    } finally {
      await target.close().catch(() => undefined);
    }
  } finally {
    await source.close().catch(() => undefined);
  }
}

/** Whether the new server has the store already. Throws where it has another one. */
async function isPlaced({ home, there }: Move): Promise<boolean> {
  if (!(await isThere(there, DIRECTORY))) return false;
  const isSame =
    (await isThere(home, DIRECTORY.fenced)) &&
    (await identityOf(home, DIRECTORY.fenced)) === (await identityOf(there, DIRECTORY));
  if (!isSame) throw new MoveRefused(`the new server has a store already: a schema ${DIRECTORY.schema}`);
  return true;
}

/** The directory, under the name that it has there. */
function directoryAs({ schema }: Cell): Cell {
  return { ...DIRECTORY, schema, directory: schema };
}

async function identityOf(session: Session, directory: Cell): Promise<string> {
  return (await storeIdentity(session, directoryAs(directory))).identity;
}

/** PostgreSQL ends a session soon after its client has gone: a command that has just ended is no longer in the way. */
const COUNT_INTERVAL_MS = 100;
const COUNTS_MAX = 20;

/** What a service has in memory when its store moves, it sends without being able to note it. */
async function requireNobody({ home, there, clock }: Move): Promise<void> {
  for (const session of [home, there]) {
    const countUsers = async () => (await storeSessions(session, DIRECTORY)).count;
    let users = await countUsers();
    for (let counts = 1; users > 0 && counts < COUNTS_MAX; counts++) {
      await sleep(clock, COUNT_INTERVAL_MS);
      users = await countUsers();
    }
    if (users > 0)
      throw new MoveRefused(`processes of Boathook that use the database: ${users}. Stop them first`);
  }
}

async function carry(move: Move): Promise<void> {
  const { home, there, onStep, signal } = move;
  let isPlacing = false;
  try {
    const { schemas, isFenced } = await schemasOf(move);
    for (const cell of schemas) {
      if (await isThere(there, cell)) {
        throw new MoveRefused(`the new server has a schema ${cell.schema} already: rename or drop it`);
      }
      await there.run(`drop schema if exists "${cell.arriving.schema}" cascade`);
      await move.makeSchema(cell === DIRECTORY ? "directory" : "cell", cell.arriving);
    }
    onStep({ step: "prepared" });
    signal.throwIfAborted();
    if (!isFenced) await rename(home, schemas, (cell) => [cell, cell.fenced]);
    onStep({ step: "fenced" });
    const onCopied = (table: string, rows: number) => onStep({ step: "copied", table, rows });
    await withSessions(move, async (source, target) => {
      for (const cell of schemas) await copySchema({ source, target, cell, onCopied, signal });
    });
    signal.throwIfAborted();
    isPlacing = true;
    await place(move, schemas);
  } catch (cause) {
    // Whether it was placed, only the new server knows.
    if (!isPlacing) await goBack(move);
    throw cause;
  }
  onStep({ step: "placed" });
}

/** The directory's, and those of the cells. */
async function schemasOf({
  home,
}: Move): Promise<{ readonly schemas: readonly MovedCell[]; readonly isFenced: boolean }> {
  const isFenced = await isThere(home, DIRECTORY.fenced);
  if (!isFenced && !(await isThere(home, DIRECTORY))) throw new MoveRefused("there is no store to move");
  const listed = await cellList(home, directoryAs(isFenced ? DIRECTORY.fenced : DIRECTORY));
  return { schemas: [DIRECTORY, ...listed.map((one) => movedCell(cellListed(DIRECTORY, one)))], isFenced };
}

/** From its commit on the store lives on the new server. */
async function place({ home, there }: Move, schemas: readonly MovedCell[]): Promise<void> {
  const { arriving, fenced } = DIRECTORY;
  const sequences = await schemaSequences(home, fenced, fenced.schema);
  await rename(
    there,
    schemas,
    (cell) => [cell.arriving, cell],
    async () => {
      for (const { name, value } of sequences) {
        await there.run(`select setval('"${arriving.schema}"."${name}"', ${value})`);
      }
    },
  );
}

/** Makes the store live where it did. False: it did so all along. */
async function goBack(move: Move): Promise<boolean> {
  const { schemas, isFenced } = await schemasOf(move);
  if (!isFenced) return false;
  await rename(move.home, schemas, (cell) => [cell.fenced, cell]);
  // The new server may be what failed. The next move drops what is left there.
  for (const { arriving } of schemas) {
    await move.there.run(`drop schema if exists "${arriving.schema}" cascade`).catch(() => undefined);
  }
  move.onStep({ step: "undone" });
  return true;
}

/** All or none. No process may be about to migrate a schema: it would make what it does not find. */
function rename(
  session: Session,
  schemas: readonly MovedCell[],
  names: (cell: MovedCell) => readonly [from: Cell, to: Cell],
  before: () => Promise<void> = async () => undefined,
): Promise<void> {
  return patiently(session, async () => {
    await session.run(`select pg_advisory_xact_lock(${MIGRATING})`);
    await before();
    for (const [from, to] of schemas.map(names)) {
      await session.run(`alter schema "${from.schema}" rename to "${to.schema}"`);
    }
  });
}

async function isThere(session: Connection, { schema }: Cell): Promise<boolean> {
  return (await schemaThere(session, DIRECTORY, schema)).there;
}

/** A session that waits for a lock makes others wait behind it: it rather gives up, and comes again. */
const LOCK_MS_MAX = 2_000;
const ATTEMPTS_MAX = 10;

/** Does the work in a transaction, and again while others hold the locks that it needs. */
async function patiently(session: Session, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await session.run("begin");
    try {
      await session.run(`set local lock_timeout = ${LOCK_MS_MAX}`);
      await work();
      return await session.run("commit");
    } catch (cause) {
      await session.run("rollback").catch(() => undefined);
      const isBusy = cause instanceof StoreUnavailable && cause.reason === "contention";
      if (!isBusy || attempt === ATTEMPTS_MAX) throw cause;
    }
  }
}
