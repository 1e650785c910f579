import type { InFlightDelivery } from "../../model/delivery.ts";
import type { Cancel, Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { LoopMonitor } from "../../runtime/loop-monitor.ts";
import { sleep } from "../../runtime/sleep.ts";
import type { Database } from "../../store/database.ts";
import { claimDue, readNextDue, sweepQueue } from "../../store/deliveries/queue.ts";
import { nextDueMs, createDueHeap, schedule, takeDue, unschedule } from "./due-heap.ts";
import { COMMIT_UNKNOWN_MS_MAX } from "./in-flight.ts";
import type { EndpointQueue } from "../dispatch/endpoint-queue.ts";
import type { Member } from "../membership/member.ts";
import { classifyFailure } from "../statement-failure.ts";
import type { EngineSettings } from "../settings.ts";
import { createFailedClaims } from "./failed-claims.ts";

/**
 * Brings deliveries that are due out of the queue. The agenda knows which endpoint has something due
 * within the next sweep; a claim takes, for each endpoint whose time has come, as much as its lane has
 * room for. The sweep fills the agenda, and finds what a crash, a lost wake-up or another node left.
 *
 *      queue ──sweep──▶ agenda ──time──▶ claim ─▶ held
 *                          ▲               │
 *                          └── next due ◀──┤
 *                          └── room again ◀┘  blocked: the lane or the window was full
 */
export type Claimer = {
  /** Something of the endpoint is due at `dueAtMs`. */
  scheduleClaim(endpointId: string, dueAtMs: number): void;
  /** The endpoint is not to be claimed for: it went inactive, or away. */
  cancelClaim(endpointId: string): void;
  /** Looks through the queue; resolves when the agenda is up to date. */
  sweep(): Promise<void>;
  /** Lanes, or the window, may have room again. */
  retryBlocked(): void;
  stop(): Promise<void>;
};

export type ClaimerPorts = {
  readonly database: Database;
  readonly member: Member;
  readonly clock: Clock;
  readonly log: Log;
  readonly loops: LoopMonitor;
  /** The endpoint's lane, if there is one. */
  readonly queueOf: (endpointId: string) => EndpointQueue | undefined;
  /** Opens the lanes of those of the endpoints that are active. */
  readonly openQueues: (endpointIds: readonly string[]) => Promise<void>;
  /** Deliveries that the lane may take now. */
  readonly capacityOf: (lane: EndpointQueue) => number;
  /** Reserves so much of the room for what a claim brings. */
  readonly reserveCapacity: (deliveries: number) => void;
  readonly returnCapacity: (deliveries: number) => void;
  readonly enqueue: (deliveries: readonly InFlightDelivery[]) => void;
  /** Gives back what a claim took whose answer was lost; of which endpoints. No other claim is under way. */
  readonly releaseUnknownClaims: () => Promise<readonly string[]>;
};

/** Deliveries that a claim may bring for one endpoint. */
type ClaimRequest = { readonly endpointId: string; readonly limit: number };

const ENDPOINTS_A_CLAIM_MAX = 256;
/** No claim done for so long, though something is due, means that claiming does not get on. */
const CLAIM_MS_MAX = 60_000;
const RETRY_MS = 1_000;
/** Due times closer together than this are claimed together. */
const COALESCE_MS = 20;

export function createClaimer(settings: EngineSettings, ports: ClaimerPorts): Claimer {
  const { database, member, clock } = ports;
  const agenda = createDueHeap();
  const suspects = createFailedClaims(RETRY_MS);
  const blocked = new Set<EndpointQueue>();
  const pulse = ports.loops.watch(`claiming in cell ${member.cell.number}`, CLAIM_MS_MAX);
  pulse.idle();
  let underWay: Promise<void> | null = null;
  /** A claim failed, and may have taken something all the same, or may yet: looked for now, and until. */
  let inDoubt = false;
  let doubtfulUntilMs = Number.NEGATIVE_INFINITY;
  let timer: { readonly atMs: number; readonly cancel: Cancel } | null = null;
  let stopped = false;

  function arm(): void {
    const nextMs = nextDueMs(agenda);
    if (stopped || underWay !== null || nextMs === null) return;
    const nowMs = clock.nowMs();
    const atMs = Math.max(nextMs, nowMs);
    if (timer !== null) {
      if (timer.atMs <= atMs) return;
      timer.cancel();
    }
    const cancel = clock.after(atMs - nowMs + (atMs > nowMs ? COALESCE_MS : 0), () => {
      timer = null;
      begin();
    });
    timer = { atMs, cancel };
  }

  function begin(): void {
    if (underWay !== null || stopped) return;
    pulse.busy();
    underWay = claim()
      .then(pulse.idle, (cause: unknown) => {
        ports.log.warn({ err: cause }, "claiming failed; trying again shortly");
        return sleep(clock, RETRY_MS);
      })
      .finally(() => {
        underWay = null;
        arm();
      });
  }

  async function claim(): Promise<void> {
    const nowMs = clock.nowMs();
    if (inDoubt) await resolveDoubt(nowMs);
    const due = suspects.choose(takeDue(agenda, nowMs, ENDPOINTS_A_CLAIM_MAX), (endpointId) =>
      schedule(agenda, endpointId, nowMs),
    );
    if (due.length === 0) return;
    try {
      const wanted = roomFor(await lanesFor(due));
      if (wanted.length === 0) return;
      const claimed = await claimInto(wanted, nowMs);
      suspects.clear(due);
      await lookAhead(wanted, claimed, nowMs);
    } catch (cause) {
      const verdict = classifyFailure(cause);
      if (verdict === "unreachable") {
        inDoubt = true;
        doubtfulUntilMs = clock.monotonicMs() + COMMIT_UNKNOWN_MS_MAX;
      } else suspects.record(due);
      for (const endpointId of due) schedule(agenda, endpointId, nowMs + suspects.waitMs(endpointId));
      if (verdict === "unreachable" || due.length > 1) throw cause;
      const fields = { err: cause, endpoint: due[0] };
      ports.log.error(fields, "nothing can be claimed for an endpoint; the others go on");
    }
  }

  /** Nobody else fills the room while the claim is under way. */
  async function claimInto(
    wanted: readonly ClaimRequest[],
    nowMs: number,
  ): Promise<readonly InFlightDelivery[]> {
    const room = wanted.reduce((sum, one) => sum + one.limit, 0);
    let claimed: readonly InFlightDelivery[];
    try {
      claimed = await claimDue(database, member.cell, member.node, wanted, nowMs);
    } finally {
      ports.returnCapacity(room);
    }
    ports.enqueue(claimed);
    return claimed;
  }

  async function resolveDoubt(nowMs: number): Promise<void> {
    for (const endpointId of await ports.releaseUnknownClaims()) schedule(agenda, endpointId, nowMs);
    inDoubt = false;
  }

  async function lanesFor(endpointIds: readonly string[]): Promise<EndpointQueue[]> {
    const unknown = endpointIds.filter((id) => ports.queueOf(id) === undefined);
    if (unknown.length > 0) await ports.openQueues(unknown);
    return endpointIds.flatMap((id) => ports.queueOf(id) ?? []);
  }

  /** Shares the room of one claim among the lanes; a lane without room is left blocked. */
  function roomFor(lanes: readonly EndpointQueue[]): ClaimRequest[] {
    const wanted: ClaimRequest[] = [];
    const share = Math.max(1, Math.floor(settings.claimBatchMax / Math.max(1, lanes.length)));
    for (const lane of lanes) {
      const room = Math.min(share, ports.capacityOf(lane));
      if (room > 0) {
        ports.reserveCapacity(room);
        wanted.push({ endpointId: lane.target.id, limit: room });
      } else if (lane.target.active) {
        lane.blocked = true;
        blocked.add(lane);
      }
    }
    return wanted;
  }

  /** An endpoint that gave all that was asked for has more; of the others we ask when the next is due. */
  async function lookAhead(
    wanted: readonly ClaimRequest[],
    claimed: readonly InFlightDelivery[],
    nowMs: number,
  ): Promise<void> {
    const counts = new Map<string, number>();
    for (const { endpointId } of claimed) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
    const emptied: string[] = [];
    for (const { endpointId, limit } of wanted) {
      if ((counts.get(endpointId) ?? 0) >= limit) schedule(agenda, endpointId, nowMs);
      else emptied.push(endpointId);
    }
    if (emptied.length === 0) return;
    const horizonMs = nowMs + 2 * settings.sweepIntervalMs;
    for (const { endpointId, dueAt } of await readNextDue(database, member.cell, emptied)) {
      if (dueAt === null || dueAt.getTime() > horizonMs) continue;
      // Due already, and yet not claimed: another node has its hands on it. Look again, not at once.
      schedule(agenda, endpointId, Math.max(dueAt.getTime(), nowMs + RETRY_MS));
    }
  }

  return {
    scheduleClaim(endpointId, dueAtMs) {
      if (dueAtMs > clock.nowMs() + 2 * settings.sweepIntervalMs) return;
      schedule(agenda, endpointId, dueAtMs);
      arm();
    },
    cancelClaim(endpointId) {
      unschedule(agenda, endpointId);
      suspects.clear([endpointId]);
    },
    async sweep() {
      const nowMs = clock.nowMs();
      const dues = await sweepQueue(database, member.cell, nowMs + settings.sweepIntervalMs);
      for (const { endpointId, dueAt } of dues) {
        if (ports.queueOf(endpointId)?.blocked !== true) schedule(agenda, endpointId, dueAt!.getTime());
      }
      if (clock.monotonicMs() < doubtfulUntilMs) {
        inDoubt = true;
        begin();
      } else arm();
    },
    retryBlocked() {
      for (const lane of blocked) {
        if (lane.target.active && ports.capacityOf(lane) === 0) continue;
        blocked.delete(lane);
        lane.blocked = false;
        schedule(agenda, lane.target.id, clock.nowMs());
      }
      arm();
    },
    async stop() {
      stopped = true;
      pulse.end();
      timer?.cancel();
      await underWay;
    },
  };
}
