import type { Clock } from "../../runtime/clock.ts";
import { sleep } from "../../runtime/sleep.ts";
import type { Database } from "../../store/database.ts";
import {
  parseNotification,
  publishInvalidation,
  unacknowledgedBy,
  type Invalidation,
} from "../../store/endpoints/invalidations.ts";
import type { EngineSettings } from "../settings.ts";
import type { Member } from "./member.ts";

/**
 * A change of an endpoint reaches every node before the API answers it, so no attempt starts anywhere after
 * a pause or a delete was answered (spec 3.2: paused).
 *
 *      changed here ─▶ refreshed here ─▶ published ─▶ refreshed elsewhere ─▶ acknowledged ─▶ answered
 */
export type Invalidations = {
  /** Refreshes the endpoint here; resolves when every other node has done so or has lost its lease. */
  publish(accountId: string, endpointId: string): Promise<void>;
  /** Takes a notification from the channel. */
  receive(payload: string): void;
};

export type InvalidationsPorts = {
  readonly database: Database;
  readonly member: Member;
  readonly clock: Clock;
  /** Applies the endpoint's state in the database to this node. */
  readonly refresh: (accountId: string, endpointId: string) => Promise<void>;
  /** The node has applied every invalidation up to this one. */
  readonly onRefreshed: (number: number) => Promise<void>;
  /** Another node added due deliveries to the queue table. */
  readonly onDue: (endpointIds: readonly string[]) => void;
  /** Invalidations were missed: refresh all endpoints, and acknowledge every invalidation up to now. */
  readonly onMissed: (reason: MissedReason, cause?: unknown) => void;
};

export type MissedReason = "a changed endpoint could not be read" | "too many invalidations wait";

type State = {
  readonly ports: InvalidationsPorts;
  /** Refreshed one after the other, so that an acknowledged number covers all below it. */
  waiting: Invalidation[];
  isRefreshing: boolean;
};

const ACKNOWLEDGED_CHECK_MS = [2, 5, 10, 20, 50, 100] as const;
/** With more waiting, refreshing all endpoints costs less than refreshing each. */
const INVALIDATIONS_WAITING_MAX = 1_000;

export function createInvalidations(settings: EngineSettings, ports: InvalidationsPorts): Invalidations {
  const state: State = { ports, waiting: [], isRefreshing: false };
  return {
    publish: (accountId, endpointId) => publish(settings, ports, accountId, endpointId),
    receive: (payload) => receive(state, payload),
  };
}

async function publish(
  settings: EngineSettings,
  ports: InvalidationsPorts,
  accountId: string,
  endpointId: string,
): Promise<void> {
  const { database, member, clock } = ports;
  const refreshing = ports.refresh(accountId, endpointId);
  // The change is committed: publish it even if this node could not read it.
  await refreshing.catch(() => undefined);
  const number = await publishInvalidation(database, member.cell, accountId, endpointId, member.node);
  await refreshing;
  // One heartbeat longer than the lease: a node may have renewed it just before it froze.
  const untilMs = clock.monotonicMs() + settings.leaseMs + settings.heartbeatIntervalMs;
  for (let checks = 0; clock.monotonicMs() < untilMs; checks++) {
    const unacknowledged = await unacknowledgedBy(database, member.cell, member.node, number);
    if (unacknowledged.length === 0) return;
    await sleep(clock, ACKNOWLEDGED_CHECK_MS[Math.min(checks, ACKNOWLEDGED_CHECK_MS.length - 1)]!);
  }
}

function receive(state: State, payload: string): void {
  const { member, onDue, onMissed } = state.ports;
  const notification = parseNotification(member.cell, payload);
  if (notification?.kind === "due") return onDue(notification.endpointIds);
  if (notification === null || notification.node === member.node) return;
  if (state.waiting.length >= INVALIDATIONS_WAITING_MAX) {
    state.waiting = [];
    return onMissed("too many invalidations wait");
  }
  state.waiting.push(notification);
  void refreshWaiting(state);
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
