import type { InFlightDelivery } from "../model/delivery.ts";
import type { Target } from "../model/endpoint.ts";
import { notifyDue } from "../store/deliveries/queue.ts";
import type { Claimer } from "./claim/claim.ts";
import type { InFlight } from "./claim/in-flight.ts";
import { capacityOf, type EndpointQueue } from "./dispatch/endpoint-queue.ts";
import type { Member } from "./membership/member.ts";
import type { EngineContext } from "./engine-context.ts";
import { freeCapacity } from "./claim/memory-budget.ts";

/**
 * This node's presence in one cell, and the moves that several of the engine's verbs share: into a lane,
 * onto the agenda, back to the queue. The parts know each other through it.
 */
export type CellContext = ClaimContext & { readonly claimer: Claimer };

/** What the claimer itself knows of it. */
export type ClaimContext = {
  readonly engine: EngineContext;
  readonly member: Member;
  readonly inFlight: InFlight;
  /** The last reading of endpoints' states that was asked for (`take-in.ts`). */
  lastRefresh: Promise<void>;
  /** Readings that wait for their turn or are under way. */
  refreshCount: number;
  /** Reading of all endpoints anew: under way, wanted once more, and who is told when it is done. */
  readonly fullRefresh: { isUnderWay: boolean; isWanted: boolean; caughtUp: () => void };
  /** The node has left the cell; nothing is tried again. */
  hasLeft: boolean;
};

/** The endpoint's lane; null when its secret cannot be opened, which is logged. */
export function queueFor({ engine, member }: ClaimContext, target: Target): EndpointQueue | null {
  try {
    return engine.dispatch.openQueue(target, member);
  } catch (cause) {
    const fields = { err: cause, endpoint: target.id };
    engine.log.error(fields, "an endpoint cannot be delivered to; its deliveries wait");
    return null;
  }
}

/** Deliveries that the lane may take into memory now. */
export function capacityFor({ engine, member }: ClaimContext, lane: EndpointQueue): number {
  return member.maySend() ? capacityOf(lane, freeCapacity(engine.memoryBudget)) : 0;
}

/** A delivery that this node holds goes to its lane, or back when it must not be sent any more. */
export function enqueueOrRelease(
  { engine, member, inFlight }: ClaimContext,
  delivery: InFlightDelivery,
): void {
  const lane = engine.dispatch.queueOf(delivery.endpointId);
  if (delivery.node !== member.node) inFlight.disown([delivery]);
  else if (lane === undefined || !lane.target.active) void inFlight.release([delivery]);
  else engine.dispatch.enqueue(lane, delivery);
}

/** The endpoints have something due in the queue, now. */
export function scheduleClaims({ engine, claimer }: CellContext, endpointIds: readonly string[]): void {
  const nowMs = engine.clock.nowMs();
  if (engine.delivers) for (const endpointId of endpointIds) claimer.scheduleClaim(endpointId, nowMs);
}

/** Tells the other nodes of it. */
export function notifyOthers({ engine, member }: CellContext, endpointIds: readonly string[]): void {
  notifyDue(engine.database, member.cell, endpointIds).catch((cause: unknown) =>
    engine.log.warn({ err: cause }, "other nodes were not told of what is due; their next sweep finds it"),
  );
}

/** The lanes of the cell. */
export function ownQueues({ engine, member }: CellContext): EndpointQueue[] {
  return [...engine.dispatch.queues()].filter((lane) => lane.member === member);
}

/** Gives back all that has not been started, and tells the others of it. */
export async function releaseWaiting(presence: CellContext): Promise<void> {
  const { engine, inFlight } = presence;
  const parked = ownQueues(presence).map((lane) => ({
    endpointId: lane.target.id,
    deliveries: engine.dispatch.takeWaiting(lane),
  }));
  await inFlight.release(parked.flatMap((lane) => lane.deliveries));
  const endpointIds = parked.filter((lane) => lane.deliveries.length > 0).map((lane) => lane.endpointId);
  notifyOthers(presence, endpointIds);
}

/** Fills the agenda from the queue, after giving back what could not be given back earlier. */
export async function sweep({ engine, member, inFlight, claimer }: CellContext): Promise<void> {
  try {
    await inFlight.retryReleases();
    if (!engine.delivers) return;
    // What had no room while the node might not send has it now, and nothing else may say so.
    claimer.retryBlocked();
    await claimer.sweep();
  } catch (cause) {
    const fields = { err: cause, cell: member.cell.number };
    engine.log.warn(fields, "the sweep failed; the next one makes up for it");
  }
}
