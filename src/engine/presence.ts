import type { HeldDelivery } from "../model/delivery.ts";
import type { Target } from "../model/endpoint.ts";
import { tellDue } from "../store/endpoints/changes.ts";
import type { Claimer } from "./claim.ts";
import type { Held } from "./held.ts";
import { roomIn, type Lane } from "./lane.ts";
import type { Member } from "./member.ts";
import type { EngineParts } from "./parts.ts";
import { freeIn } from "./window.ts";

/**
 * This node's presence in one cell, and the moves that several of the engine's verbs share: into a lane,
 * onto the agenda, back to the queue. The parts know each other through it.
 */
export type Presence = Holding & { readonly claimer: Claimer };

/** What the claimer itself knows of it. */
export type Holding = {
  readonly parts: EngineParts;
  readonly member: Member;
  readonly held: Held;
  /** The last reading of endpoints' states that was asked for (`take-in.ts`). */
  reading: Promise<void>;
  /** Readings that wait for their turn or are under way. */
  readings: number;
  /** Reading of all endpoints anew: under way, wanted once more, and who is told when it is done. */
  readonly rereading: { isUnderWay: boolean; isWanted: boolean; caughtUp: () => void };
  /** The node has left the cell; nothing is tried again. */
  hasLeft: boolean;
};

/** The endpoint's lane; null when its secret cannot be opened, which is logged. */
export function laneFor({ parts, member }: Holding, target: Target): Lane | null {
  try {
    return parts.dispatch.lane(target, member);
  } catch (cause) {
    const fields = { err: cause, endpoint: target.id };
    parts.log.error(fields, "an endpoint cannot be delivered to; its deliveries wait");
    return null;
  }
}

/** Deliveries that the lane may take into memory now. */
export function roomFor({ parts, member }: Holding, lane: Lane): number {
  return member.maySend() ? roomIn(lane, freeIn(parts.window)) : 0;
}

/** A delivery that this node holds goes to its lane, or back when it must not be sent any more. */
export function holdInLane({ parts, member, held }: Holding, delivery: HeldDelivery): void {
  const lane = parts.dispatch.laneOf(delivery.endpointId);
  if (delivery.node !== member.node) held.lose([delivery]);
  else if (lane === undefined || !lane.target.active) void held.release([delivery]);
  else parts.dispatch.hold(lane, delivery);
}

/** The endpoints have something due in the queue, now. */
export function expectAll({ parts, claimer }: Presence, endpointIds: readonly string[]): void {
  const nowMs = parts.clock.nowMs();
  if (parts.delivers) for (const endpointId of endpointIds) claimer.expect(endpointId, nowMs);
}

/** Tells the other nodes of it. */
export function tellOthers({ parts, member }: Presence, endpointIds: readonly string[]): void {
  tellDue(parts.database, member.cell, endpointIds).catch((cause: unknown) =>
    parts.log.warn({ err: cause }, "other nodes were not told of what is due; their next sweep finds it"),
  );
}

/** The lanes of the cell. */
export function ownLanes({ parts, member }: Presence): Lane[] {
  return [...parts.dispatch.lanes()].filter((lane) => lane.member === member);
}

/** Gives back all that has not been started, and tells the others of it. */
export async function parkAll(presence: Presence): Promise<void> {
  const { parts, held } = presence;
  const parked = ownLanes(presence).map((lane) => ({
    endpointId: lane.target.id,
    deliveries: parts.dispatch.park(lane),
  }));
  await held.release(parked.flatMap((lane) => lane.deliveries));
  const endpointIds = parked.filter((lane) => lane.deliveries.length > 0).map((lane) => lane.endpointId);
  tellOthers(presence, endpointIds);
}

/** Fills the agenda from the queue, after giving back what could not be given back earlier. */
export async function sweep({ parts, member, held, claimer }: Presence): Promise<void> {
  try {
    await held.releaseLate();
    if (!parts.delivers) return;
    // What had no room while the node might not send has it now, and nothing else may say so.
    claimer.roomy();
    await claimer.sweep();
  } catch (cause) {
    const fields = { err: cause, cell: member.cell.number };
    parts.log.warn(fields, "the sweep failed; the next one makes up for it");
  }
}
