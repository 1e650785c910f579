import type { InFlightDelivery } from "../../model/delivery.ts";
import type { Cancel } from "../../runtime/clock.ts";
import type { LoopHandle } from "../../runtime/loop-monitor.ts";
import { sleep } from "../../runtime/sleep.ts";
import { claimDue } from "../../store/deliveries/queue.ts";
import { queueNextDue, queueSweep } from "../../store/deliveries/queue.sql.ts";
import type { EndpointQueue } from "../dispatch/endpoint-queue.ts";
import { classifyFailure } from "../statement-failure.ts";
import type { CellParts } from "../cell-queues.ts";
import { createDueHeap, nextDueMs, schedule, takeDue, unschedule, type DueHeap } from "./due-heap.ts";
import { createFailedClaims, type FailedClaims } from "./failed-claims.ts";
import { COMMIT_UNKNOWN_MS_MAX } from "./in-flight.ts";
import { reserve } from "./memory-budget.ts";

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

type State = CellParts & {
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

export function createClaimer(parts: CellParts) {
  const { engine, member } = parts;
  const state: State = {
    ...parts,
    heap: createDueHeap(),
    failedClaims: createFailedClaims(RETRY_MS),
    blocked: new Set(),
    loop: engine.loops.watch(`claiming in cell ${member.cell.number}`, CLAIM_MS_MAX),
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
      if (dueAtMs > horizonMs(state, engine.clock.nowMs())) return;
      schedule(state.heap, endpointId, dueAtMs);
      setTimer(state);
    },
    /** The endpoints have deliveries in the queue table that are due now. */
    claimNow(endpointIds: readonly string[]): void {
      if (!engine.delivers) return;
      for (const endpointId of endpointIds) schedule(state.heap, endpointId, engine.clock.nowMs());
      setTimer(state);
    },
    /** Drops the endpoint from the due heap: it is inactive or deleted. */
    cancelClaim(endpointId: string): void {
      unschedule(state.heap, endpointId);
      state.failedClaims.clear([endpointId]);
    },
    /** Retries failed releases, then fills the due heap from the queue table (spec 8: sweep). */
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
function horizonMs({ engine }: State, nowMs: number): number {
  return nowMs + 2 * engine.settings.sweepIntervalMs;
}

function setTimer(state: State): void {
  const nextMs = nextDueMs(state.heap);
  if (state.isStopped || state.claiming !== null || nextMs === null) return;
  const { clock } = state.engine;
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

function startClaim(state: State): void {
  if (state.claiming !== null || state.isStopped) return;
  const { loop, engine } = state;
  loop.busy();
  state.claiming = claim(state)
    .then(loop.idle, (cause: unknown) => {
      engine.log.warn({ err: cause }, "claiming failed; retrying shortly");
      return sleep(engine.clock, RETRY_MS);
    })
    .finally(() => {
      state.claiming = null;
      setTimer(state);
    });
}

async function claim(state: State): Promise<void> {
  const { heap, failedClaims, engine } = state;
  const nowMs = engine.clock.nowMs();
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
      state.commitUnknownUntilMs = engine.clock.monotonicMs() + COMMIT_UNKNOWN_MS_MAX;
    } else failedClaims.record(due);
    for (const endpointId of due) schedule(heap, endpointId, nowMs + failedClaims.waitMs(endpointId));
    if (kind === "unreachable" || due.length > 1) throw cause;
    const fields = { err: cause, endpoint: due[0] };
    engine.log.error(fields, "nothing can be claimed for an endpoint; the others go on");
  }
}

async function releaseUnknown(state: State, nowMs: number): Promise<void> {
  for (const endpointId of await state.inFlight.releaseUnknownClaims())
    schedule(state.heap, endpointId, nowMs);
  state.commitUnknown = false;
}

async function queuesFor({ queues }: State, endpointIds: readonly string[]): Promise<EndpointQueue[]> {
  const unopened = endpointIds.filter((id) => queues.queueOf(id) === undefined);
  if (unopened.length > 0) await queues.openActive(unopened);
  return endpointIds.flatMap((id) => queues.queueOf(id) ?? []);
}

/** Shares the capacity of one claim among the endpoint queues; a full queue becomes blocked. */
function shareCapacity(
  { engine, member, queues, blocked }: State,
  due: readonly EndpointQueue[],
): ClaimRequest[] {
  const requests: ClaimRequest[] = [];
  const share = Math.max(1, Math.floor(engine.settings.claimBatchMax / Math.max(1, due.length)));
  for (const queue of due) {
    const limit = Math.min(share, queues.capacityOf(queue));
    if (limit > 0) {
      reserve(engine.memoryBudget, member.cell.number, limit);
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
  { engine, member, queues }: State,
  requests: readonly ClaimRequest[],
  nowMs: number,
): Promise<readonly InFlightDelivery[]> {
  const { database, memoryBudget } = engine;
  let claimed: readonly InFlightDelivery[];
  try {
    claimed = await claimDue(database, member.cell, member.node, requests, nowMs);
  } finally {
    for (const { limit } of requests) reserve(memoryBudget, member.cell.number, -limit);
  }
  queues.enqueueClaimed(claimed);
  return claimed;
}

/** An endpoint that filled its limit has more due; of the others, read when the next delivery is due. */
async function scheduleNext(
  state: State,
  requests: readonly ClaimRequest[],
  claimed: readonly InFlightDelivery[],
  nowMs: number,
): Promise<void> {
  const { heap, engine, member } = state;
  const counts = new Map<string, number>();
  for (const { endpointId } of claimed) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
  const emptied: string[] = [];
  for (const { endpointId, limit } of requests) {
    if ((counts.get(endpointId) ?? 0) >= limit) schedule(heap, endpointId, nowMs);
    else emptied.push(endpointId);
  }
  if (emptied.length === 0) return;
  for (const { endpointId, dueAt } of await queueNextDue(engine.database, member.cell, emptied)) {
    if (dueAt === null || dueAt.getTime() > horizonMs(state, nowMs)) continue;
    // If it is due and was not claimed, another node has it locked: check again, but not at once.
    schedule(heap, endpointId, Math.max(dueAt.getTime(), nowMs + RETRY_MS));
  }
}

/** Does not reject: the next sweep catches up. */
async function sweep(state: State): Promise<void> {
  const { engine, member, inFlight } = state;
  try {
    await inFlight.retryReleases();
    if (!engine.delivers) return;
    // Queues that were full while the node might not send have capacity now; nothing else may say so.
    retryBlocked(state);
    await fillHeap(state);
  } catch (cause) {
    const fields = { err: cause, cell: member.cell.number };
    engine.log.warn(fields, "the sweep failed; the next one catches up");
  }
}

async function fillHeap(state: State): Promise<void> {
  const { engine, member, queues, heap } = state;
  const { database, clock, settings } = engine;
  const dues = await queueSweep(database, member.cell, clock.nowMs() + settings.sweepIntervalMs);
  for (const { endpointId, dueAt } of dues) {
    if (queues.queueOf(endpointId)?.blocked !== true) schedule(heap, endpointId, dueAt!.getTime());
  }
  if (clock.monotonicMs() < state.commitUnknownUntilMs) {
    state.commitUnknown = true;
    startClaim(state);
  } else setTimer(state);
}

function retryBlocked(state: State): void {
  const { engine, queues, blocked } = state;
  for (const queue of blocked) {
    if (queue.target.active && queues.capacityOf(queue) === 0) continue;
    blocked.delete(queue);
    queue.blocked = false;
    schedule(state.heap, queue.target.id, engine.clock.nowMs());
  }
  setTimer(state);
}
