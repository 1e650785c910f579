/**
 * One session a server, shared by the cells that live there: it listens, and holds the locks of the process's nodes.
 *
 *      none ─(the first cell opens)─▶ connecting ─▶ open ─(the last cell closes)─▶ none
 *        ▲                                           │
 *        └───────(lost, or ended by a cell that it does not answer: every cell is notified)
 */
import type { Clock } from "../../runtime/clock.ts";
import type { Cell } from "../../store/cell.ts";
import type { Connection, Database, DatabaseAddress, DedicatedConnection } from "../../store/database.ts";
import { cellSchemaOf, NOTIFY_CHANNEL } from "../../store/endpoints/invalidations.ts";

export type Sessions = {
  /** Rejects when the server cannot be reached. It notifies of nothing before that, nor after `close`. */
  open(cell: Cell, user: SessionUser): Promise<Session>;
};

export type SessionUser = {
  readonly onNotification: (payload: string) => void;
  /** Called once. */
  readonly onLost: (cause: Error) => void;
};

/** One cell's use of a server's session. */
export type Session = Connection & {
  /** False once the cell lives on another server. */
  isAtHome(): boolean;
  /** The cell uses it no more. */
  close(): Promise<void>;
  /** Ends it for all its cells: it does not answer. */
  end(cause: Error): void;
};

type Shared = {
  readonly connection: DedicatedConnection;
  readonly users: Map<string, SessionUser>;
  isLost: boolean;
};

export type SessionsPorts = {
  readonly database: Pick<Database, "dedicated" | "homeOf">;
  readonly clock: Pick<Clock, "after">;
};

type State = SessionsPorts & {
  readonly listenMsMax: number;
  readonly shared: Map<DatabaseAddress, Promise<Shared>>;
};

/** A server that does not answer for `listenMsMax` when a session begins counts as not reached. */
export function createSessions({ database, clock }: SessionsPorts, listenMsMax: number): Sessions {
  const state: State = { database, clock, listenMsMax, shared: new Map() };
  return { open: (cell, user) => open(state, cell, user) };
}

async function open(state: State, cell: Cell, user: SessionUser): Promise<Session> {
  const { database } = state;
  const home = database.homeOf(cell);
  const shared = await sharedAt(state, cell, home);
  // It was lost before this cell could use it.
  if (shared.isLost) return open(state, cell, user);
  shared.users.set(cell.schema, user);
  const isUser = (): boolean => shared.users.get(cell.schema) === user;
  return {
    rows: shared.connection.rows,
    isAtHome: () => database.homeOf(cell) === home,
    async close() {
      if (!isUser()) return;
      shared.users.delete(cell.schema);
      if (shared.users.size > 0) return;
      forget(state, home, shared);
      await shared.connection.close();
    },
    end(cause) {
      if (isUser()) lose(state, home, shared, cause);
    },
  };
}

function sharedAt(state: State, cell: Cell, home: DatabaseAddress): Promise<Shared> {
  const known = state.shared.get(home);
  if (known !== undefined) return known;
  const connecting = connect(state, cell, home);
  state.shared.set(home, connecting);
  // Another may have begun since this one was lost.
  connecting.catch(() => state.shared.get(home) === connecting && state.shared.delete(home));
  return connecting;
}

async function connect(state: State, cell: Cell, home: DatabaseAddress): Promise<Shared> {
  let shared: Shared | null = null;
  const connection = await state.database.dedicated(cell, (cause) => {
    if (shared !== null) lose(state, home, shared, cause);
  });
  shared = { connection, users: new Map(), isLost: false };
  const { users } = shared;
  const cancelTimeout = state.clock.after(state.listenMsMax, () => void closeQuietly(connection));
  try {
    await connection.listen(NOTIFY_CHANNEL, (payload) => {
      users.get(cellSchemaOf(payload) ?? "")?.onNotification(payload);
    });
  } catch (cause) {
    await closeQuietly(connection);
    throw cause;
  } finally {
    cancelTimeout();
  }
  return shared;
}

function lose(state: State, home: DatabaseAddress, shared: Shared, cause: Error): void {
  if (shared.isLost) return;
  forget(state, home, shared);
  const users = [...shared.users.values()];
  shared.users.clear();
  for (const user of users) user.onLost(cause);
  void closeQuietly(shared.connection);
}

function forget(state: State, home: DatabaseAddress, shared: Shared): void {
  shared.isLost = true;
  state.shared.delete(home);
}

async function closeQuietly(connection: DedicatedConnection): Promise<void> {
  await connection.close().catch(() => undefined);
}
