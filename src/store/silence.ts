/**
 * Notices a server that no longer answers, as one that is frozen, or whose network is gone: what is asked of it would
 * wait for minutes, and hold what others need.
 *
 *     answers ─(something waits, and nothing is answered for a while)─▶ doubted ─(no new session begins)─▶ silent
 *        ▲                                                                 │ one begins                      │
 *        └─────────────────────────────────────────────────────────────────┴───────────(one begins)──────────┘
 *
 * All connections to a silent server are closed, so that what waits fails, and new ones fail at once.
 */
import { Socket } from "node:net";

import pg from "pg";

import type { Cancel, Clock } from "../runtime/clock.ts";

export type Silence = {
  /** The driver's sockets to the server. */
  readonly socket: () => Socket;
  /** Runs what the server has to answer. */
  awaiting<T>(work: () => Promise<T>): Promise<T>;
  /** Closes all connections: what waits fails. */
  closeAll(): void;
  /** Watches no more. */
  stop(): void;
};

/** A statement may take longer: then a new session still begins. */
const QUIET_MS_MAX = 2_000;
const SESSION_MS_MAX = 3_000;
const AGAIN_MS = 250;

type State = {
  readonly clock: Pick<Clock, "after" | "monotonicMs">;
  readonly config: pg.ClientConfig;
  readonly sockets: Set<Socket>;
  waiting: number;
  quietSinceMs: number;
  isSilent: boolean;
  isStopped: boolean;
  cancelCheck: Cancel | null;
};

/** `config` opens a session at the server. */
export function watchSilence(clock: State["clock"], config: pg.ClientConfig): Silence {
  const state: State = {
    clock,
    config: { ...config, connectionTimeoutMillis: SESSION_MS_MAX },
    sockets: new Set(),
    waiting: 0,
    quietSinceMs: 0,
    isSilent: false,
    isStopped: false,
    cancelCheck: null,
  };
  return {
    socket: () => socket(state),
    awaiting: (work) => awaiting(state, work),
    closeAll: () => closeAll(state),
    stop() {
      state.isStopped = true;
      state.cancelCheck?.();
    },
  };
}

function socket(state: State): Socket {
  const made = new Socket();
  state.sockets.add(made);
  made.once("close", () => state.sockets.delete(made));
  // The driver listens to it, and connects, within this turn.
  if (state.isSilent) process.nextTick(() => made.destroy(silent(made)));
  return made;
}

function closeAll({ sockets }: State): void {
  for (const one of sockets) one.destroy(silent(one));
}

/** An error of a connection that was not made, or lost. */
function silent({ connecting }: Socket): Error {
  const error = new Error("the server does not answer");
  return connecting ? Object.assign(error, { syscall: "connect" }) : error;
}

async function awaiting<T>(state: State, work: () => Promise<T>): Promise<T> {
  if (state.waiting === 0) state.quietSinceMs = state.clock.monotonicMs();
  state.waiting += 1;
  if (state.cancelCheck === null && !state.isSilent) checkAfter(state, QUIET_MS_MAX);
  let isAnswered = true;
  try {
    return await work();
  } catch (error) {
    isAnswered = error instanceof pg.DatabaseError;
    throw error;
  } finally {
    state.waiting -= 1;
    if (isAnswered) state.quietSinceMs = state.clock.monotonicMs();
  }
}

function checkAfter(state: State, delayMs: number): void {
  if (state.isStopped) return;
  state.cancelCheck = state.clock.after(delayMs, () => void check(state));
}

async function check(state: State): Promise<void> {
  const leftMs = state.quietSinceMs + QUIET_MS_MAX - state.clock.monotonicMs();
  if (!state.isSilent && state.waiting === 0) {
    state.cancelCheck = null;
    return;
  }
  if (!state.isSilent && leftMs > 0) return checkAfter(state, leftMs);
  const askedMs = state.clock.monotonicMs();
  const answers = await beginsSession(state.config);
  if (answers) {
    state.isSilent = false;
    state.quietSinceMs = state.clock.monotonicMs();
  } else if (!state.isSilent && state.quietSinceMs <= askedMs) {
    state.isSilent = true;
    closeAll(state);
  }
  checkAfter(state, state.isSilent ? AGAIN_MS : QUIET_MS_MAX);
}

/** A refusal is an answer as well. */
async function beginsSession(config: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(config);
  client.on("error", () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    return error instanceof pg.DatabaseError;
  } finally {
    void client.end().catch(() => undefined);
  }
}
