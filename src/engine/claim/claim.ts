import type { InFlightDelivery } from "../../model/delivery.ts";
import type { Cancel } from "../../runtime/clock.ts";
import type { LoopHandle } from "../../runtime/loop-monitor.ts";
import { sleep } from "../../runtime/sleep.ts";
import { claimDue } from "../../store/deliveries/queue.ts";
import { queueNextDue, queueSweep } from "../../store/deliveries/queue.sql.ts";
import type { NodeContext } from "../../store/node-context.ts";
import type { EndpointQueue } from "../dispatch/endpoint-queue.ts";
import type { Member } from "../membership/member.ts";
import type { EngineSettings } from "../settings.ts";
import { classifyFailure } from "../batch-writer.ts";
import { createDueHeap, nextDueMs, schedule, takeDue, unschedule, type DueHeap } from "./due-heap.ts";
import { createFailedClaims, type FailedClaims } from "./failed-claims.ts";
import { COMMIT_UNKNOWN_MS_MAX } from "./in-flight.ts";

/**
 * Claims due deliveries from the queue table. The due heap knows which endpoint has something due before
 * the next sweep; a claim takes, for each endpoint whose time has come, as much as its endpoint queue has
 * capacity for. The sweep fills the heap: it finds what a crash, a lost wake-up or another node left.
 *
 *      queue table ──sweep──▶ due heap ──time──▶ claim ─▶ in flight
 *                                ▲                 │
 *                                ├─── next due ◀───┤
 *                                └─ capacity freed ◀ blocked: endpoint queue or memory budget full
 */
export type Claimer = ReturnType<typeof createClaimer>;

export type ClaimerPorts = Pick<NodeContext, "database" | "clock" | "log" | "loops"> & {
  readonly member: Member;
  readonly queueOf: (endpointId: string) => EndpointQueue | undefined;
  /** Opens the queues of those endpoints that are active. */
  readonly openQueues: (endpointIds: readonly string[]) => Promise<void>;
  /** Deliveries that the endpoint queue may take now. */
  readonly capacityOf: (queue: EndpointQueue) => number;
  /** Reserves capacity for what a claim brings. */
  readonly reserveCapacity: (deliveries: number) => void;
  readonly returnCapacity: (deliveries: number) => void;
  readonly enqueue: (deliveries: readonly InFlightDelivery[]) => void;
  /** Releases what claims with a lost answer took; returns the endpoints. Runs while no claim does. */
  readonly releaseUnknownClaims: () => Promise<readonly string[]>;
};

type ClaimerState = {
  readonly settings: EngineSettings;
  readonly ports: ClaimerPorts;
  readonly heap: DueHeap;
  readonly failedClaims: FailedClaims;
  readonly blocked: Set<EndpointQueue>;
  readonly loop: LoopHandle;
  claiming: Promise<void> | null;
  /** The answer of a claim was lost: it may have taken deliveries. */
  commitUnknown: boolean;
  /** Until then the claim may still commit, so every sweep looks for what it took. */
  commitUnknownUntilMs: number;
  timer: { readonly atMs: number; readonly cancel: Cancel } | null;
  isStopped: boolean;
};

/** `limit`: deliveries that a claim may bring for the endpoint. */
type ClaimRequest = { readonly endpointId: string; readonly limit: number };

const ENDPOINTS_A_CLAIM_MAX = 256;
/** If something is due and no claim ends for this long, claiming makes no progress. */
const CLAIM_MS_MAX = 60_000;
const RETRY_MS = 1_000;
/** Deliveries due within this time are claimed together. */
const COALESCE_MS = 20;

export function createClaimer(settings: EngineSettings, ports: ClaimerPorts) {
  const state: ClaimerState = {
    settings,
    ports,
    heap: createDueHeap(),
    failedClaims: createFailedClaims(RETRY_MS),
    blocked: new Set(),
    loop: ports.loops.watch(`claiming in cell ${ports.member.cell.number}`, CLAIM_MS_MAX),
    claiming: null,
    commitUnknown: false,
    commitUnknownUntilMs: Number.NEGATIVE_INFINITY,
    timer: null,
    isStopped: false,
  };
  state.loop.idle();
  return {
    /** The endpoint has a delivery due at `dueAtMs`. */
    scheduleClaim(endpointId: string, dueAtMs: number): void {
      if (dueAtMs > horizonMs(state, ports.clock.nowMs())) return;
      schedule(state.heap, endpointId, dueAtMs);
      setTimer(state);
    },
    /** Drops the endpoint from the due heap: it is inactive or deleted. */
    cancelClaim(endpointId: string): void {
      unschedule(state.heap, endpointId);
      state.failedClaims.clear([endpointId]);
    },
    /** Reads the queue table (spec 8: sweep); resolves when the due heap is up to date. */
    sweep: (): Promise<void> => sweep(state),
    /** Endpoint queues or the memory budget may have capacity again. */
    retryBlocked: (): void => retryBlocked(state),
    async stop(): Promise<void> {
      state.isStopped = true;
      state.loop.end();
      state.timer?.cancel();
      await state.claiming;
    },
  };
}

/** The sweep finds what is due later. */
function horizonMs({ settings }: ClaimerState, nowMs: number): number {
  return nowMs + 2 * settings.sweepIntervalMs;
}

function setTimer(state: ClaimerState): void {
  const nextMs = nextDueMs(state.heap);
  if (state.isStopped || state.claiming !== null || nextMs === null) return;
  const { clock } = state.ports;
  const nowMs = clock.nowMs();
  const atMs = Math.max(nextMs, nowMs);
  if (state.timer !== null) {
    if (state.timer.atMs <= atMs) return;
    state.timer.cancel();
  }
  const cancel = clock.after(atMs - nowMs + (atMs > nowMs ? COALESCE_MS : 0), () => {
    state.timer = null;
    startClaim(state);
  });
  state.timer = { atMs, cancel };
}

function startClaim(state: ClaimerState): void {
  if (state.claiming !== null || state.isStopped) return;
  const { loop, ports } = state;
  loop.busy();
  state.claiming = claim(state)
    .then(loop.idle, (cause: unknown) => {
      ports.log.warn({ err: cause }, "claiming failed; retrying shortly");
      return sleep(ports.clock, RETRY_MS);
    })
    .finally(() => {
      state.claiming = null;
      setTimer(state);
    });
}

async function claim(state: ClaimerState): Promise<void> {
  const { heap, failedClaims, ports } = state;
  const nowMs = ports.clock.nowMs();
  if (state.commitUnknown) await releaseUnknown(state, nowMs);
  const due = failedClaims.choose(takeDue(heap, nowMs, ENDPOINTS_A_CLAIM_MAX), (endpointId) =>
    schedule(heap, endpointId, nowMs),
  );
  if (due.length === 0) return;
  try {
    const requests = shareCapacity(state, await queuesFor(state, due));
    if (requests.length === 0) return;
    const claimed = await claimInto(state, requests, nowMs);
    failedClaims.clear(due);
    await scheduleNext(state, requests, claimed, nowMs);
  } catch (cause) {
    const kind = classifyFailure(cause);
    if (kind === "unreachable") {
      state.commitUnknown = true;
      state.commitUnknownUntilMs = ports.clock.monotonicMs() + COMMIT_UNKNOWN_MS_MAX;
    } else failedClaims.record(due);
    for (const endpointId of due) schedule(heap, endpointId, nowMs + failedClaims.waitMs(endpointId));
    if (kind === "unreachable" || due.length > 1) throw cause;
    const fields = { err: cause, endpoint: due[0] };
    ports.log.error(fields, "nothing can be claimed for an endpoint; the others go on");
  }
}

async function releaseUnknown(state: ClaimerState, nowMs: number): Promise<void> {
  for (const endpointId of await state.ports.releaseUnknownClaims()) schedule(state.heap, endpointId, nowMs);
  state.commitUnknown = false;
}

async function queuesFor({ ports }: ClaimerState, endpointIds: readonly string[]): Promise<EndpointQueue[]> {
  const unopened = endpointIds.filter((id) => ports.queueOf(id) === undefined);
  if (unopened.length > 0) await ports.openQueues(unopened);
  return endpointIds.flatMap((id) => ports.queueOf(id) ?? []);
}

/** Shares the capacity of one claim among the endpoint queues; a full queue becomes blocked. */
function shareCapacity(
  { settings, ports, blocked }: ClaimerState,
  queues: readonly EndpointQueue[],
): ClaimRequest[] {
  const requests: ClaimRequest[] = [];
  const share = Math.max(1, Math.floor(settings.claimBatchMax / Math.max(1, queues.length)));
  for (const queue of queues) {
    const limit = Math.min(share, ports.capacityOf(queue));
    if (limit > 0) {
      ports.reserveCapacity(limit);
      requests.push({ endpointId: queue.target.id, limit });
    } else if (queue.target.active) {
      queue.blocked = true;
      blocked.add(queue);
    }
  }
  return requests;
}

/** The reservation keeps the capacity free while the claim runs. */
async function claimInto(
  { ports }: ClaimerState,
  requests: readonly ClaimRequest[],
  nowMs: number,
): Promise<readonly InFlightDelivery[]> {
  const { database, member } = ports;
  let claimed: readonly InFlightDelivery[];
  try {
    claimed = await claimDue(database, member.cell, member.node, requests, nowMs);
  } finally {
    ports.returnCapacity(requests.reduce((sum, { limit }) => sum + limit, 0));
  }
  ports.enqueue(claimed);
  return claimed;
}

/** An endpoint that filled its limit has more due; of the others, read when the next delivery is due. */
async function scheduleNext(
  state: ClaimerState,
  requests: readonly ClaimRequest[],
  claimed: readonly InFlightDelivery[],
  nowMs: number,
): Promise<void> {
  const { heap, ports } = state;
  const counts = new Map<string, number>();
  for (const { endpointId } of claimed) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
  const emptied: string[] = [];
  for (const { endpointId, limit } of requests) {
    if ((counts.get(endpointId) ?? 0) >= limit) schedule(heap, endpointId, nowMs);
    else emptied.push(endpointId);
  }
  if (emptied.length === 0) return;
  for (const { endpointId, dueAt } of await queueNextDue(ports.database, ports.member.cell, emptied)) {
    if (dueAt === null || dueAt.getTime() > horizonMs(state, nowMs)) continue;
    // If it is due and was not claimed, another node has it locked: check again, but not at once.
    schedule(heap, endpointId, Math.max(dueAt.getTime(), nowMs + RETRY_MS));
  }
}

async function sweep(state: ClaimerState): Promise<void> {
  const { settings, ports, heap } = state;
  const { database, member, clock } = ports;
  const dues = await queueSweep(database, member.cell, clock.nowMs() + settings.sweepIntervalMs);
  for (const { endpointId, dueAt } of dues) {
    if (ports.queueOf(endpointId)?.blocked !== true) schedule(heap, endpointId, dueAt!.getTime());
  }
  if (clock.monotonicMs() < state.commitUnknownUntilMs) {
    state.commitUnknown = true;
    startClaim(state);
  } else setTimer(state);
}

function retryBlocked(state: ClaimerState): void {
  const { ports, blocked } = state;
  for (const queue of blocked) {
    if (queue.target.active && ports.capacityOf(queue) === 0) continue;
    blocked.delete(queue);
    queue.blocked = false;
    schedule(state.heap, queue.target.id, ports.clock.nowMs());
  }
  setTimer(state);
}
