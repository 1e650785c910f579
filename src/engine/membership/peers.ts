import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { Cell } from "../../store/cell.ts";
import type { Database, DedicatedConnection } from "../../store/database.ts";
import { endSessionsOf, isNodeLockFree, listNodes, takeOverNode } from "../../store/nodes/nodes.ts";
import type { EngineSettings } from "../settings.ts";

/**
 * The other nodes of a cell, as this one sees them, and the taking over of those that are dead.
 *
 *      seen ─(its lock is free)─▶ suspected ─(still free)─▶ dead ─▶ taken over
 *        └───────(its beat has not moved for a lease)────────▲
 */
export type Peers = {
  /** One look over the node's own connection; true when another is wanted soon. Dead nodes are taken over meanwhile. */
  check(connection: DedicatedConnection, own: number): Promise<boolean>;
  /** Resolves when no take-over is under way. */
  takeoversDone(): Promise<void>;
  /** The same, and begins none any more. */
  stop(): Promise<void>;
};

export type PeersPorts = {
  readonly database: Database;
  readonly cell: Cell;
  readonly clock: Clock;
  readonly log: Log;
  /** What a dead node held is in the queue now. */
  readonly onTakeover: () => void;
};

type Observation = { readonly heartbeat: number; readonly changedMs: number; readonly lockFree: boolean };

type DeadPeer = { readonly id: number; readonly isFrozen: boolean };

export function createPeers(
  { leaseMs }: Pick<EngineSettings, "leaseMs">,
  { database, cell, clock, log, onTakeover }: PeersPorts,
): Peers {
  const sightings = new Map<number, Observation>();
  let takingOver: Promise<void> | null = null;
  let isEnding = false;

  async function takeOverAll(dead: readonly DeadPeer[]): Promise<void> {
    for (const one of dead) {
      if (isEnding) return;
      try {
        await takeOver(one);
      } catch (cause) {
        log.warn({ err: cause, cell: cell.number, deadNode: one.id }, "a dead node is not taken over yet");
      }
    }
  }

  async function takeOver({ id, isFrozen }: DeadPeer): Promise<void> {
    if (isFrozen) await endSessionsOf(database, cell, id);
    // Null also while a statement of the dead node is still running: the next look tries again.
    const count = await takeOverNode(database, cell, id, clock.nowMs());
    if (count === null) return;
    sightings.delete(id);
    log.warn({ cell: cell.number, deadNode: id, deliveries: count }, "took over what a dead node held");
    onTakeover();
  }

  return {
    async check(connection, own) {
      const others = await listNodes(connection, cell, own);
      const nowMs = clock.monotonicMs();
      const dead: DeadPeer[] = [];
      let isSuspected = false;
      for (const { id, heartbeat } of others) {
        const seen = sightings.get(id);
        const lockFree = await isNodeLockFree(connection, cell, id);
        const changedMs = seen?.heartbeat === heartbeat ? seen.changedMs : nowMs;
        sightings.set(id, { heartbeat, changedMs, lockFree });
        const isFrozen = nowMs - changedMs >= leaseMs;
        if (isFrozen || (lockFree && seen?.lockFree === true)) dead.push({ id, isFrozen });
        else if (lockFree) isSuspected = true;
      }
      const listed = new Set(others.map((other) => other.id));
      for (const id of sightings.keys()) if (!listed.has(id)) sightings.delete(id);
      // A take-over may last, and the node's own beats go on beside it.
      takingOver ??= takeOverAll(dead).finally(() => {
        takingOver = null;
      });
      return isSuspected;
    },
    async takeoversDone() {
      await takingOver;
    },
    async stop() {
      isEnding = true;
      await takingOver;
    },
  };
}
