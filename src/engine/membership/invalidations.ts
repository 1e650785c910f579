import type { Clock } from "../../runtime/clock.ts";
import {
  publishInvalidation,
  parseNotification,
  unacknowledgedBy,
  type Invalidation,
} from "../../store/endpoints/invalidations.ts";
import type { Database } from "../../store/database.ts";
import type { Member } from "./member.ts";
import type { EngineSettings } from "../settings.ts";

/**
 * Changes of endpoints reach every node before they are answered, so that a pause or a delete that has
 * been answered is followed by no new attempt anywhere.
 *
 *      changed here ─▶ taken in here ─▶ announced ─▶ taken in elsewhere ─▶ seen ─▶ answered
 */
export type Invalidations = {
  /** Takes a change in and waits until every other node has, or has lost its lease. */
  publish(accountId: string, endpointId: string): Promise<void>;
  /** A notice arrived on the channel. */
  receive(payload: string): void;
};

export type InvalidationsPorts = {
  readonly database: Database;
  readonly member: Member;
  readonly clock: Clock;
  /** Makes this node act by the endpoint's state as it is in the database now. */
  readonly refresh: (accountId: string, endpointId: string) => Promise<void>;
  /** The node has taken in every change up to this one. */
  readonly onRefreshed: (number: number) => Promise<void>;
  /** Another node put something into the queue that is due. */
  readonly onDue: (endpointIds: readonly string[]) => void;
  /** Changes were missed: all endpoints are to be read anew, and every change up to now seen with them. */
  readonly onMissed: (reason: MissedReason, cause?: unknown) => void;
};

export type MissedReason = "a changed endpoint could not be read" | "too many invalidations wait";

const ACKNOWLEDGED_CHECK_MS = [2, 5, 10, 20, 50, 100] as const;
/** Changes that wait to be taken in. Beyond it, reading every endpoint anew costs less than reading each. */
const INVALIDATIONS_WAITING_MAX = 1_000;

export function createInvalidations(settings: EngineSettings, ports: InvalidationsPorts): Invalidations {
  const { database, member, clock } = ports;
  /** Taken in one after the other, so that a number is seen only when all below it are. */
  let waiting: Invalidation[] = [];
  let isTakingIn = false;

  async function takeInWaiting(): Promise<void> {
    if (isTakingIn) return;
    isTakingIn = true;
    try {
      for (let change = waiting.shift(); change !== undefined; change = waiting.shift()) {
        await ports.refresh(change.accountId, change.endpointId);
        await ports.onRefreshed(change.number);
      }
    } catch (cause) {
      waiting = [];
      ports.onMissed("a changed endpoint could not be read", cause);
    } finally {
      isTakingIn = false;
    }
  }

  return {
    async publish(accountId, endpointId) {
      const takingIn = ports.refresh(accountId, endpointId);
      // The change is committed: the others are told of it, whether or not this node could take it in.
      await takingIn.catch(() => undefined);
      const number = await publishInvalidation(database, member.cell, accountId, endpointId, member.node);
      await takingIn;
      // A beat longer than the lease, which another may have renewed just before it was frozen.
      const untilMs = clock.monotonicMs() + settings.leaseMs + settings.heartbeatIntervalMs;
      for (let looks = 0; clock.monotonicMs() < untilMs; looks++) {
        const unseen = await unacknowledgedBy(database, member.cell, member.node, number);
        if (unseen.length === 0) return;
        const waitMs = ACKNOWLEDGED_CHECK_MS[Math.min(looks, ACKNOWLEDGED_CHECK_MS.length - 1)]!;
        await new Promise<void>((resolve) => clock.after(waitMs, resolve));
      }
    },
    receive(payload) {
      const change = parseNotification(member.cell, payload);
      if (change?.kind === "due") return ports.onDue(change.endpointIds);
      if (change === null || change.node === member.node) return;
      if (waiting.length >= INVALIDATIONS_WAITING_MAX) {
        waiting = [];
        return ports.onMissed("too many invalidations wait");
      }
      waiting.push(change);
      void takeInWaiting();
    },
  };
}
