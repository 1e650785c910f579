import type { Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";
import { endSessionsOf, isNodeLockFree, takeOverNode, type Peer } from "../../store/nodes/nodes.ts";
import type { NodeContext } from "../../store/node-context.ts";
import type { EngineSettings } from "../settings.ts";

/**
 * The other nodes of a cell, and the takeover of dead ones (docs/architecture.md, guarantee 6).
 *
 *      seen ─(its lock is free: killed)─▶ suspected ─(still free)─▶ dead ─▶ taken over
 *        └────(its heartbeat has not moved for a lease: frozen)──────▲
 *
 * When the cell moves, each node follows at a time of its own: until then its lock is free at the new home, and its row
 * names the old one.
 */
export type Peers = ReturnType<typeof createPeers>;

export type PeersPorts = Pick<NodeContext, "database" | "clock" | "log"> & {
  readonly cell: Cell;
  /** The deliveries of a dead node are in the queue table now. */
  readonly onTakeover: () => void;
};

type Observation = {
  readonly heartbeat: number;
  readonly changedMs: number;
  /** Its lock is free on the server where it was last. */
  readonly lockFree: boolean;
};

type DeadPeer = { readonly id: number; readonly isFrozen: boolean };

type State = {
  readonly leaseMs: number;
  readonly ports: PeersPorts;
  readonly observations: Map<number, Observation>;
  takingOver: Promise<void> | null;
  isStopped: boolean;
};

export function createPeers({ leaseMs }: Pick<EngineSettings, "leaseMs">, ports: PeersPorts) {
  const state: State = { leaseMs, ports, observations: new Map(), takingOver: null, isStopped: false };
  return {
    /**
     * Checks all peers, as the node's last heartbeat on `server` found them. Returns true when another check is wanted
     * soon.
     */
    check: (connection: Connection, peers: readonly Peer[], server: string): Promise<boolean> =>
      check(state, connection, peers, server),
    /** The node had no heartbeat for a lease, or the cell has moved. Its peers may have had none of the same cause: they get a lease more. */
    wasAway(): void {
      const changedMs = ports.clock.monotonicMs();
      for (const [id, seen] of state.observations) state.observations.set(id, { ...seen, changedMs });
    },
    /** Resolves when no takeover runs. */
    async takeoversDone(): Promise<void> {
      await state.takingOver;
    },
    /** Starts no further takeover, and waits for the running one. */
    async stop(): Promise<void> {
      state.isStopped = true;
      await state.takingOver;
    },
  };
}

async function check(
  state: State,
  connection: Connection,
  peers: readonly Peer[],
  server: string,
): Promise<boolean> {
  const { ports, observations } = state;
  const nowMs = ports.clock.monotonicMs();
  const dead: DeadPeer[] = [];
  let isSuspected = false;
  for (const { id, heartbeat, server: last } of peers) {
    const before = observations.get(id);
    const isHere = last === null || last === server;
    const lockFree = (await isNodeLockFree(connection, ports.cell, id)) && isHere;
    const changedMs = before?.heartbeat === heartbeat ? before.changedMs : nowMs;
    observations.set(id, { heartbeat, changedMs, lockFree });
    const isFrozen = nowMs - changedMs >= state.leaseMs;
    if (isFrozen || (lockFree && before?.lockFree === true)) dead.push({ id, isFrozen });
    else if (lockFree) isSuspected = true;
  }
  const listed = new Set(peers.map((peer) => peer.id));
  for (const id of observations.keys()) if (!listed.has(id)) observations.delete(id);
  // Not awaited: a takeover may take long, and the heartbeat must go on.
  state.takingOver ??= takeOverAll(state, dead).finally(() => {
    state.takingOver = null;
  });
  return isSuspected;
}

async function takeOverAll(state: State, dead: readonly DeadPeer[]): Promise<void> {
  const { cell, log } = state.ports;
  for (const peer of dead) {
    if (state.isStopped) return;
    try {
      await takeOver(state, peer);
    } catch (cause) {
      log.warn({ err: cause, cell: cell.number, deadNode: peer.id }, "a dead node is not taken over yet");
    }
  }
}

async function takeOver({ ports, observations }: State, { id, isFrozen }: DeadPeer): Promise<void> {
  const { database, cell, clock, log, onTakeover } = ports;
  if (isFrozen) await endSessionsOf(database, cell, id);
  // Null also while a statement of the dead node still runs: the next check tries again.
  const count = await takeOverNode(database, cell, id, clock.nowMs());
  if (count === null) return;
  observations.delete(id);
  log.warn({ cell: cell.number, deadNode: id, deliveries: count }, "took over the deliveries of a dead node");
  onTakeover();
}
