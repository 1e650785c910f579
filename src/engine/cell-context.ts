import type { InFlightDelivery } from "../model/delivery.ts";
import type { Target } from "../model/endpoint.ts";
import { notifyDue } from "../store/deliveries/queue.ts";
import type { Claimer } from "./claim/claim.ts";
import type { InFlight } from "./claim/in-flight.ts";
import { freeCapacity } from "./claim/memory-budget.ts";
import { capacityOf, type EndpointQueue } from "./dispatch/endpoint-queue.ts";
import type { EngineContext } from "./engine-context.ts";
import type { Member } from "./membership/member.ts";

/**
 * What the stages of one cell share, and the moves between them: into an endpoint queue, onto the due heap,
 * back to the queue table.
 */
export type CellContext = ClaimContext & { readonly claimer: Claimer };

/** The part that exists before the claimer does. */
export type ClaimContext = {
  readonly engine: EngineContext;
  readonly member: Member;
  readonly inFlight: InFlight;
  /** The latest read of endpoints (`refresh.ts`). */
  lastRefresh: Promise<void>;
  /** Reads that wait or run. */
  refreshCount: number;
  /** The refresh of all endpoints: running, wanted once more, and what to call at its end. */
  readonly fullRefresh: { isUnderWay: boolean; isWanted: boolean; caughtUp: () => void };
  /** The node has left the cell; nothing is retried. */
  hasLeft: boolean;
};

/** The endpoint's queue; null when its secret cannot be opened, which is logged. */
export function queueFor({ engine, member }: ClaimContext, target: Target): EndpointQueue | null {
  try {
    return engine.dispatch.openQueue(target, member);
  } catch (cause) {
    const fields = { err: cause, endpoint: target.id };
    engine.log.error(fields, "an endpoint cannot be delivered to; its deliveries wait");
    return null;
  }
}

/** The endpoint's queue, if it is open in this cell. */
export function queueIn({ engine, member }: ClaimContext, endpointId: string): EndpointQueue | undefined {
  const queue = engine.dispatch.queueOf(endpointId);
  return queue?.member === member ? queue : undefined;
}

/** Deliveries that the endpoint queue may take into memory now. */
export function capacityFor({ engine, member }: ClaimContext, queue: EndpointQueue): number {
  return member.maySend() ? capacityOf(queue, freeCapacity(engine.memoryBudget, member.cell.number)) : 0;
}

/** Adds the delivery to its endpoint queue, or releases it when it must not be sent any more. */
export function enqueueOrRelease(context: ClaimContext, delivery: InFlightDelivery): void {
  const { engine, member, inFlight } = context;
  const queue = queueIn(context, delivery.endpointId);
  if (delivery.node !== member.node) inFlight.disown([delivery]);
  else if (queue === undefined || !queue.target.active) void inFlight.release([delivery]);
  else engine.dispatch.enqueue(queue, delivery);
}

/** The endpoints have deliveries in the queue table that are due now. */
export function scheduleClaims({ engine, claimer }: CellContext, endpointIds: readonly string[]): void {
  const nowMs = engine.clock.nowMs();
  if (engine.delivers) for (const endpointId of endpointIds) claimer.scheduleClaim(endpointId, nowMs);
}

/** Notifies the other nodes of due deliveries. */
export function notifyOthers({ engine, member }: CellContext, endpointIds: readonly string[]): void {
  notifyDue(engine.database, member.cell, endpointIds).catch((cause: unknown) =>
    engine.log.warn(
      { err: cause },
      "other nodes were not notified of due deliveries; their next sweep finds them",
    ),
  );
}

/** The endpoint queues of the cell. */
export function ownQueues({ engine, member }: CellContext): EndpointQueue[] {
  return [...engine.dispatch.queues()].filter((queue) => queue.member === member);
}

/** Releases every delivery that has not started, and notifies the other nodes. */
export async function releaseWaiting(context: CellContext): Promise<void> {
  const { engine, inFlight } = context;
  const taken = ownQueues(context).map((queue) => ({
    endpointId: queue.target.id,
    deliveries: engine.dispatch.takeWaiting(queue),
  }));
  await inFlight.release(taken.flatMap(({ deliveries }) => deliveries));
  notifyOthers(
    context,
    taken.filter(({ deliveries }) => deliveries.length > 0).map(({ endpointId }) => endpointId),
  );
}

/** Retries failed releases, then fills the due heap from the queue table. */
export async function sweep({ engine, member, inFlight, claimer }: CellContext): Promise<void> {
  try {
    await inFlight.retryReleases();
    if (!engine.delivers) return;
    // Queues that were full while the node might not send have capacity now; nothing else may say so.
    claimer.retryBlocked();
    await claimer.sweep();
  } catch (cause) {
    const fields = { err: cause, cell: member.cell.number };
    engine.log.warn(fields, "the sweep failed; the next one catches up");
  }
}
