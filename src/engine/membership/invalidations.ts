import { sleep } from "../../runtime/sleep.ts";
import {
  latestInvalidation,
  parseNotification,
  unacknowledgedBy,
  type Invalidation,
} from "../../store/endpoints/invalidations.ts";
import type { NodeContext } from "../../store/node-context.ts";
import type { EngineSettings } from "../settings.ts";
import type { Member } from "./member.ts";

/**
 * A change of an endpoint reaches every node before the API answers it, so no attempt starts anywhere after
 * a pause or a delete was answered (spec 3.2: paused).
 *
 *      changed, invalidation published with the commit ─▶ refreshed here and elsewhere ─▶ acknowledged ─▶ answered
 *                                                            └─ also where nobody is left to answer
 */
export type Invalidations = ReturnType<typeof createInvalidations>;

export type InvalidationsPorts = Pick<NodeContext, "database" | "clock"> & {
  readonly member: Member;
  /** Applies the endpoint's state in the database to this node. */
  readonly refresh: (accountId: string, endpointId: string) => Promise<void>;
  /** The node has applied every invalidation up to this one. */
  readonly onRefreshed: (number: number) => Promise<void>;
  /** Another node added due deliveries to the queue table. */
  readonly onDue: (endpointIds: readonly string[]) => void;
  /** A node has made other work due. */
  readonly onWork: () => void;
  /** Invalidations were missed: refresh all endpoints, and acknowledge every invalidation up to now. */
  readonly onMissed: (reason: MissedReason, cause?: unknown) => void;
};

export type MissedReason =
  | "a changed endpoint could not be read"
  | "too many invalidations wait"
  | "an invalidation did not arrive";

type State = {
  readonly ports: InvalidationsPorts;
  /** Refreshed one after the other, so that an acknowledged number covers all below it. */
  waiting: Invalidation[];
  isRefreshing: boolean;
  /** The last invalidation that arrived, or that a refresh of all endpoints covers. */
  arrived: number;
  /** The last one at the heartbeat before; null: a refresh of all endpoints covers it. */
  latest: number | null;
};

const ACKNOWLEDGED_CHECK_MS = [2, 5, 10, 20, 50, 100] as const;
/** With more waiting, refreshing all endpoints costs less than refreshing each. */
const INVALIDATIONS_WAITING_MAX = 1_000;

export function createInvalidations(settings: EngineSettings, ports: InvalidationsPorts) {
  const state: State = { ports, waiting: [], isRefreshing: false, arrived: 0, latest: null };
  return {
    /** Refreshes the endpoint here; resolves when every other node has done so or has lost its lease. */
    changed: (accountId: string, endpointId: string): Promise<void> =>
      changed(settings, ports, accountId, endpointId),
    /** Takes a notification from the channel. */
    receive: (payload: string): void => receive(state, payload),
    /**
     * Takes the number of the last invalidation, at each heartbeat. One that has not arrived by the next heartbeat got
     * lost: its notification went to another server, or the server dropped it.
     */
    expect: (latest: number): void => expect(state, latest),
    /** All endpoints are read again: what did not arrive until now is covered. */
    reconnected(): void {
      state.latest = null;
    },
  };
}

async function changed(
  settings: EngineSettings,
  ports: InvalidationsPorts,
  accountId: string,
  endpointId: string,
): Promise<void> {
  const { database, member, clock } = ports;
  await ports.refresh(accountId, endpointId);
  // The change's own number, or a later one.
  const number = await latestInvalidation(database, member.cell);
  // One heartbeat longer than the lease: a node may have renewed it just before it froze.
  const untilMs = clock.monotonicMs() + settings.leaseMs + settings.heartbeatIntervalMs;
  for (let checks = 0; clock.monotonicMs() < untilMs; checks++) {
    const unacknowledged = await unacknowledgedBy(database, member.cell, member.node, number);
    if (unacknowledged.length === 0) return;
    await sleep(clock, ACKNOWLEDGED_CHECK_MS[Math.min(checks, ACKNOWLEDGED_CHECK_MS.length - 1)]!);
  }
}

function receive(state: State, payload: string): void {
  const { member, onDue, onWork, onMissed } = state.ports;
  const notification = parseNotification(member.cell, payload);
  if (notification?.kind === "due") return onDue(notification.endpointIds);
  if (notification?.kind === "work") return onWork();
  if (notification === null) return;
  state.arrived = Math.max(state.arrived, notification.number);
  if (state.waiting.length >= INVALIDATIONS_WAITING_MAX) {
    state.waiting = [];
    return onMissed("too many invalidations wait");
  }
  state.waiting.push(notification);
  void refreshWaiting(state);
}

function expect(state: State, latest: number): void {
  if (state.latest === null) state.arrived = Math.max(state.arrived, latest);
  else if (state.arrived < state.latest) {
    state.arrived = latest;
    state.ports.onMissed("an invalidation did not arrive");
  }
  state.latest = latest;
}

async function refreshWaiting(state: State): Promise<void> {
  if (state.isRefreshing) return;
  state.isRefreshing = true;
  const { refresh, onRefreshed, onMissed } = state.ports;
  try {
    for (let one = state.waiting.shift(); one !== undefined; one = state.waiting.shift()) {
      await refresh(one.accountId, one.endpointId);
      await onRefreshed(one.number);
    }
  } catch (cause) {
    state.waiting = [];
    onMissed("a changed endpoint could not be read", cause);
  } finally {
    state.isRefreshing = false;
  }
}
