import type { Cancel, Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { Random } from "../../runtime/random.ts";
import type { Cell } from "../../store/cell.ts";
import { NOTIFY_CHANNEL } from "../../store/endpoints/invalidations.ts";
import type { Database, DedicatedConnection } from "../../store/database.ts";
import {
  recordHeartbeat,
  endLockHolder,
  registerNode,
  lockNode,
  takeOverNode,
} from "../../store/nodes/nodes.ts";
import type { Member } from "./member.ts";
import { createPeers } from "./peers.ts";
import type { EngineSettings } from "../settings.ts";

/**
 * This process's membership in a cell, and its watch over the others.
 *
 *      absent ─join─▶ member ──beat──▶ member
 *        ▲              │  ▲
 *        │   link lost  ▼  │ link back, still listed
 *        │            adrift
 *        └── replaced ──┘        what it held is another's now; it joins under a new number
 *
 * A member may send while its link stands and its last beat is younger than the lease, by its own
 * monotonic clock, and once it has caught up with what it missed while either was not so. Another node is
 * dead when its beat has not moved for a lease, or when the lock that
 * its connection held has been free twice in a row: a killed process is found within two looks. The
 * sessions of one that is frozen are ended first, with whatever it has under way in them.
 */
export type Membership = {
  readonly member: Member;
  /** Joins; afterwards it beats and watches by itself until `leave`. */
  join(): Promise<void>;
  /**
   * Stops beating. `clean`: the node sends nothing any more and takes itself off the list, after giving
   * back what it may hold without knowing; otherwise another takes over what it held.
   */
  leave(clean: boolean): Promise<void>;
};

export type MembershipPorts = {
  readonly database: Database;
  readonly cell: Cell;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The oldest delivery that the node holds since it was raised, null when it holds none. */
  readonly oldestRaised: () => string | null;
  /** False while the node has no room for more results that the database refuses: then it sends nothing. */
  readonly canTakeResults: () => boolean;
  readonly onNotification: (payload: string) => void;
  /**
   * Notices may have been missed: the link was lost, or the lease had run out. Nothing is sent until
   * `caughtUp` is called.
   */
  readonly onReconnected: (caughtUp: () => void) => void;
  /** The node was replaced: nothing that it held is its own any more. */
  readonly onReplaced: () => void;
  /** What a dead node held is in the queue now. */
  readonly onTakeover: () => void;
};

/** A lock found free is looked at once more after so long before its node counts as dead. */
const RECHECK_MS = 1_000;
const RECONNECT_MS = 250;

export function createMembership(settings: EngineSettings, ports: MembershipPorts): Membership {
  const { database, cell, clock, log } = ports;
  let link: DedicatedConnection | null = null;
  let lastBeatMs = Number.NEGATIVE_INFINITY;
  let isInformed = true;
  let catchUps = 0;
  let leaving = false;
  let timer: Cancel = () => undefined;
  let looking: Promise<void> = Promise.resolve();
  const neighbours = createPeers(settings, ports);

  const member: Member = {
    cell,
    node: 0,
    maySend: () => link !== null && isInformed && hasLease() && ports.canTakeResults(),
  };

  const hasLease = () => clock.monotonicMs() - lastBeatMs < settings.leaseMs;

  /** A pause may have been answered without us, and what was paused stays so. */
  function catchUp(): void {
    const mine = ++catchUps;
    isInformed = false;
    ports.onReconnected(() => {
      if (mine === catchUps) isInformed = true;
    });
  }

  const oldestHeld = () => ports.oldestRaised() ?? ports.random.uuid(clock.nowMs());

  async function connect(): Promise<DedicatedConnection> {
    let connection: DedicatedConnection | null = null;
    connection = await database.dedicated((cause) => {
      if (connection !== null) lost(connection, cause);
    });
    return connection;
  }

  function lost(connection: DedicatedConnection, cause: unknown): void {
    if (link !== connection) return;
    link = null;
    log.warn(
      { err: cause, cell: cell.number },
      "the link to the database was lost; no attempt starts until it is back",
    );
    later(RECONNECT_MS, relink);
  }

  /** A connection may be gone without a word: one that does not answer for a lease is given up for another. */
  function giveUpIfSilent(connection: DedicatedConnection): Cancel {
    return clock.after(settings.leaseMs, () => {
      lost(connection, new Error(`no answer for ${settings.leaseMs} ms`));
      connection.close().catch(() => undefined);
    });
  }

  async function enrol(connection: DedicatedConnection): Promise<void> {
    const startedMs = clock.monotonicMs();
    member.node = await registerNode(connection, cell, clock.nowMs(), oldestHeld());
    await lockNode(connection, cell, member.node);
    lastBeatMs = startedMs;
    link = connection;
  }

  async function relink(): Promise<void> {
    let connection: DedicatedConnection | null = null;
    let answered: Cancel = () => undefined;
    try {
      connection = await connect();
      answered = giveUpIfSilent(connection);
      await connection.listen(NOTIFY_CHANNEL, ports.onNotification);
      const startedMs = clock.monotonicMs();
      if (await recordHeartbeat(connection, cell, member.node, oldestHeld())) {
        // The server may think the lost connection alive, and would keep its lock until it finds out.
        await endLockHolder(connection, cell, member.node);
        await lockNode(connection, cell, member.node);
        lastBeatMs = startedMs;
        link = connection;
      } else {
        await rejoin(connection);
      }
      log.info({ cell: cell.number, node: member.node }, "the link to the database is back");
      catchUp();
      later(settings.heartbeatIntervalMs, look);
    } catch (cause) {
      log.debug({ err: cause }, "the database cannot be reached yet");
      await connection?.close().catch(() => undefined);
      later(RECONNECT_MS, relink);
    } finally {
      answered();
    }
  }

  async function rejoin(connection: DedicatedConnection): Promise<void> {
    const replaced = member.node;
    isInformed = false;
    // Until it has joined anew nothing is its own, an answer that comes meanwhile included.
    member.node = 0;
    ports.onReplaced();
    await enrol(connection);
    log.warn(
      { cell: cell.number, replaced, node: member.node },
      "this node was replaced while it was away; joined anew",
    );
  }

  /** One beat, and one look at the others. */
  async function look(): Promise<void> {
    const connection = link;
    if (connection === null) return;
    const answered = giveUpIfSilent(connection);
    try {
      const startedMs = clock.monotonicMs();
      if (await recordHeartbeat(connection, cell, member.node, oldestHeld())) {
        const wasLate = !hasLease();
        lastBeatMs = startedMs;
        if (wasLate) catchUp();
      } else {
        // Replaced: the way back is the same as from a lost link, and is tried until it works.
        link = null;
        await connection.close().catch(() => undefined);
        return await relink();
      }
      const isSuspected = await neighbours.check(connection, member.node);
      if (link !== connection) return;
      later(isSuspected ? RECHECK_MS : settings.heartbeatIntervalMs, look);
    } catch (cause) {
      log.warn({ err: cause, cell: cell.number }, "a beat failed");
      // A lost link has its own way back; anything else is tried again.
      if (link === connection) later(RECONNECT_MS, look);
    } finally {
      answered();
    }
  }

  function later(delayMs: number, action: () => Promise<void>): void {
    if (leaving) return;
    timer = clock.after(delayMs, () => {
      looking = action();
    });
  }

  return {
    member,
    async join() {
      const connection = await connect();
      const answered = clock.after(settings.leaseMs, () => void connection.close().catch(() => undefined));
      try {
        await connection.listen(NOTIFY_CHANNEL, ports.onNotification);
        await enrol(connection);
      } catch (cause) {
        await connection.close().catch(() => undefined);
        throw cause;
      } finally {
        answered();
      }
      looking = look();
      await looking;
      await neighbours.takeoversDone();
    },
    async leave(clean) {
      leaving = true;
      timer();
      await looking;
      await neighbours.stop();
      const connection = link;
      link = null;
      if (connection === null) return;
      try {
        if (clean) await takeOverNode(database, cell, member.node, clock.nowMs());
      } catch (cause) {
        log.warn({ err: cause, cell: cell.number }, "this node could not take itself off; another does");
      }
      await connection.close();
    },
  };
}
