import { StoreUnavailable } from "../../model/errors.ts";
import type { Cancel } from "../../runtime/clock.ts";
import type { Cell } from "../../store/cell.ts";
import type { DatabaseAddress } from "../../store/database.ts";
import type { NodeContext } from "../../store/node-context.ts";
import {
  endLockHolder,
  lockNode,
  recordHeartbeat,
  registerNode,
  takeOverNode,
  type NodeDescription,
} from "../../store/nodes/nodes.ts";
import type { EngineSettings } from "../settings.ts";
import type { Member } from "./member.ts";
import { createPeers, type Peers } from "./peers.ts";
import type { Session, Sessions } from "./sessions.ts";

/**
 * This process's membership in a cell: heartbeat, lease, and watch over the other nodes.
 *
 *      absent ──join──▶ member ──heartbeat──▶ member
 *        ▲               │  ▲
 *        │    connection │  │ reconnected,
 *        │          lost ▼  │ still registered
 *        │          disconnected
 *        └─ replaced ────┘    another node took over; it registers under a new number
 *
 * A member may send while its connection stands, its last heartbeat is younger than the lease by its own
 * monotonic clock, and it has read what it missed while either was not so. `peers.ts` decides which others are dead.
 */
export type Membership = {
  readonly member: Member;
  /** Joins; from then on the heartbeat runs until `leave`. */
  join(): Promise<void>;
  /**
   * Stops the heartbeat. `clean`: nothing is sent any more; the node releases what it may own without
   * knowing it, and unregisters. Otherwise another node takes over.
   */
  leave(clean: boolean): Promise<void>;
};

/** What a membership works with. */
export type MembershipPorts = Pick<NodeContext, "database" | "clock" | "random" | "log"> & {
  readonly cell: Cell;
  readonly sessions: Sessions;
  /** What it tells others. */
  readonly description?: NodeDescription | undefined;
  /** The oldest delivery in flight that was raised here, null for none. */
  readonly oldestRaised: () => string | null;
  /** False while too many refused results are in memory: then the node sends nothing. */
  readonly canTakeResults: () => boolean;
  readonly onNotification: (payload: string) => void;
  /** The number of the cell's last change of an endpoint, at each heartbeat. */
  readonly onHeartbeat: (latestChange: number) => void;
  /**
   * Invalidations may have been missed: the connection was lost, or the lease had expired. Nothing is sent
   * until `caughtUp` is called.
   */
  readonly onReconnected: (caughtUp: () => void) => void;
  /** The node was replaced: it owns none of its deliveries any more. */
  readonly onReplaced: () => void;
  /** The deliveries of a dead node are in the queue table now. */
  readonly onTakeover: () => void;
};

type State = {
  readonly settings: EngineSettings;
  readonly ports: MembershipPorts;
  readonly member: Member;
  readonly peers: Peers;
  connection: Session | null;
  /** Where the last connection went, and that server's name. */
  home: DatabaseAddress | null;
  server: string;
  lastHeartbeatMs: number;
  isCaughtUp: boolean;
  catchUps: number;
  isLeaving: boolean;
  cancelTimer: Cancel;
  running: Promise<void>;
};

/** A peer whose lock is free is checked again after this long, before it counts as dead. */
const RECHECK_MS = 1_000;
const RECONNECT_MS = 250;

export function createMembership(settings: EngineSettings, ports: MembershipPorts): Membership {
  const member: Member = {
    cell: ports.cell,
    node: 0,
    maySend: () => state.connection !== null && state.isCaughtUp && hasLease(state) && ports.canTakeResults(),
  };
  const state: State = {
    settings,
    ports,
    member,
    peers: createPeers(settings, ports),
    connection: null,
    home: null,
    server: "",
    lastHeartbeatMs: Number.NEGATIVE_INFINITY,
    isCaughtUp: true,
    catchUps: 0,
    isLeaving: false,
    cancelTimer: () => undefined,
    running: Promise.resolve(),
  };
  return { member, join: () => join(state), leave: (clean) => leave(state, clean) };
}

function hasLease({ ports, settings, lastHeartbeatMs }: State): boolean {
  return ports.clock.monotonicMs() - lastHeartbeatMs < settings.leaseMs;
}

function oldestInFlight({ ports }: State): string {
  return ports.oldestRaised() ?? ports.random.uuid(ports.clock.nowMs());
}

function beat(state: State, connection: Session) {
  const { cell, node } = state.member;
  return recordHeartbeat(connection, cell, node, oldestInFlight(state), state.server);
}

async function join(state: State): Promise<void> {
  const connection = await connect(state);
  const cancelTimeout = closeIfSilent(state, connection);
  try {
    await register(state, connection);
  } catch (cause) {
    await closeQuietly(connection);
    throw cause;
  } finally {
    cancelTimeout();
  }
  state.running = heartbeat(state);
  await state.running;
  await state.peers.takeoversDone();
}

async function leave(state: State, clean: boolean): Promise<void> {
  const { ports, member } = state;
  state.isLeaving = true;
  state.cancelTimer();
  await state.running;
  await state.peers.stop();
  const { connection } = state;
  state.connection = null;
  if (connection === null) return;
  try {
    if (clean) await takeOverNode(ports.database, member.cell, member.node, ports.clock.nowMs());
  } catch (cause) {
    const fields = { err: cause, cell: member.cell.number };
    ports.log.warn(fields, "this node could not unregister; another node takes over");
  }
  await connection.close();
}

async function connect(state: State): Promise<Session> {
  const { cell, database, sessions, onNotification } = state.ports;
  const home = database.homeOf(cell);
  if (state.home !== home || !hasLease(state)) state.peers.wasAway();
  state.home = home;
  state.server = database.homeName(cell);
  let connection: Session | null = null;
  connection = await sessions.open(cell, {
    onNotification,
    onLost(cause) {
      if (connection !== null) onConnectionLost(state, connection, cause);
    },
  });
  return connection;
}

async function register(state: State, connection: Session): Promise<void> {
  const { ports, member } = state;
  const startedMs = ports.clock.monotonicMs();
  const atMs = ports.clock.nowMs();
  const held = oldestInFlight(state);
  member.node = await registerNode(connection, member.cell, atMs, held, state.server, ports.description);
  await lockNode(connection, member.cell, member.node);
  state.lastHeartbeatMs = startedMs;
  state.connection = connection;
}

/** Records one heartbeat and checks the peers once. */
async function heartbeat(state: State): Promise<void> {
  const { ports, member, connection } = state;
  if (connection === null) return;
  const cancelTimeout = closeIfSilent(state, connection);
  try {
    // On another server the cell's notifications do not arrive here.
    if (!connection.isAtHome()) return await leaveServer(state, connection);
    const startedMs = ports.clock.monotonicMs();
    const beaten = await beat(state, connection);
    // Replaced: reconnecting registers the node again, and retries until that works.
    if (beaten === null) return await leaveServer(state, connection);
    ports.onHeartbeat(beaten.latestChange);
    const wasLate = !hasLease(state);
    state.lastHeartbeatMs = startedMs;
    if (wasLate) {
      state.peers.wasAway();
      catchUp(state);
    }
    const isSuspected = await state.peers.check(connection, beaten.peers, state.server);
    if (state.connection !== connection) return;
    later(state, isSuspected ? RECHECK_MS : state.settings.heartbeatIntervalMs, heartbeat);
  } catch (cause) {
    // As in a move: what is refused lasts, and is logged once (service/database-health.ts, store/homes/read-homes.ts).
    const isRefused = cause instanceof StoreUnavailable && !cause.commitUnknown;
    ports.log[isRefused ? "debug" : "warn"]({ err: cause, cell: member.cell.number }, "a heartbeat failed");
    // A lost connection schedules its own reconnect.
    if (state.connection === connection) later(state, RECONNECT_MS, heartbeat);
  } finally {
    cancelTimeout();
  }
}

async function leaveServer(state: State, connection: Session): Promise<void> {
  state.connection = null;
  // Not awaited: the server that the cell has left may not answer.
  void closeQuietly(connection);
  return reconnect(state);
}

/** The session goes on for the other cells of its server. */
async function closeQuietly(connection: Session): Promise<void> {
  await connection.close().catch(() => undefined);
}

function onConnectionLost(state: State, connection: Session, cause: unknown): void {
  if (state.connection !== connection) return;
  state.connection = null;
  const fields = { err: cause, cell: state.member.cell.number };
  state.ports.log.warn(fields, "the database connection was lost; no attempt starts until it is back");
  later(state, RECONNECT_MS, reconnect);
}

async function reconnect(state: State): Promise<void> {
  const { ports, member } = state;
  let connection: Session | null = null;
  let cancelTimeout: Cancel = () => undefined;
  try {
    connection = await connect(state);
    cancelTimeout = closeIfSilent(state, connection);
    const startedMs = ports.clock.monotonicMs();
    const beaten = await beat(state, connection);
    if (beaten !== null) {
      // The server may not have noticed that the old connection is lost; that still has the lock.
      await endLockHolder(connection, member.cell, member.node);
      await lockNode(connection, member.cell, member.node);
      state.lastHeartbeatMs = startedMs;
      state.connection = connection;
    } else {
      await rejoin(state, connection);
    }
    ports.log.info({ cell: member.cell.number, node: member.node }, "the database connection is back");
    catchUp(state);
    later(state, state.settings.heartbeatIntervalMs, heartbeat);
  } catch (cause) {
    ports.log.debug({ err: cause }, "the database cannot be reached yet");
    if (connection !== null) await closeQuietly(connection);
    later(state, RECONNECT_MS, reconnect);
  } finally {
    cancelTimeout();
  }
}

async function rejoin(state: State, connection: Session): Promise<void> {
  const { ports, member } = state;
  const replaced = member.node;
  state.isCaughtUp = false;
  // Until it is registered it owns nothing, not even what a late answer brings.
  member.node = 0;
  ports.onReplaced();
  await register(state, connection);
  ports.log.warn(
    { cell: member.cell.number, replaced, node: member.node },
    "this node was replaced while it was away; it joined under a new number",
  );
}

/** A pause may have been answered during the gap: nothing is sent until all endpoints are read again. */
function catchUp(state: State): void {
  const number = ++state.catchUps;
  state.isCaughtUp = false;
  state.ports.onReconnected(() => {
    if (number === state.catchUps) state.isCaughtUp = true;
  });
}

/** A connection may be lost without a word: one that does not answer for a lease is replaced. */
function closeIfSilent({ settings: { leaseMs }, ports }: State, connection: Session): Cancel {
  return ports.clock.after(leaseMs, () => connection.end(new Error(`no answer for ${leaseMs} ms`)));
}

function later(state: State, delayMs: number, action: (state: State) => Promise<void>): void {
  if (state.isLeaving) return;
  state.cancelTimer = state.ports.clock.after(delayMs, () => {
    state.running = action(state);
  });
}
