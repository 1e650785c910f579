import type { InFlightDelivery } from "../model/delivery.ts";
import type { Target } from "../model/endpoint.ts";
import { StoreUnavailable } from "../model/errors.ts";
import { notifyDue } from "../store/deliveries/queue.ts";
import { targetList } from "../store/endpoints/routes.sql.ts";
import type { InFlight } from "./claim/in-flight.ts";
import { freeCapacity } from "./claim/memory-budget.ts";
import { capacityOf, type EndpointQueue } from "./dispatch/endpoint-queue.ts";
import type { EngineContext } from "./engine-context.ts";
import type { Member } from "./membership/member.ts";

/** The endpoint queues of one cell, and the ways of a delivery into them and back to the queue table. */
export type CellQueues = ReturnType<typeof createCellQueues>;

/** What the stages of one cell work with. */
export type CellParts = {
  readonly engine: EngineContext;
  readonly member: Member;
  readonly inFlight: InFlight;
  readonly queues: CellQueues;
};

/** Reads of endpoints that wait or run. */
const READS_MAX = 1_000;

export function createCellQueues(engine: EngineContext, member: Member, inFlight: InFlight) {
  const { dispatch, log, database } = engine;
  const { cell } = member;
  let latestRead: Promise<void> = Promise.resolve();
  let reads = 0;

  const own = (): EndpointQueue[] => [...dispatch.queues()].filter((queue) => queue.member === member);

  function queueOf(endpointId: string): EndpointQueue | undefined {
    const queue = dispatch.queueOf(endpointId);
    return queue?.member === member ? queue : undefined;
  }

  function open(target: Target): EndpointQueue | null {
    try {
      return dispatch.openQueue(target, member);
    } catch (cause) {
      log.error(
        { err: cause, endpoint: target.id },
        "an endpoint cannot be delivered to; its deliveries wait",
      );
      return null;
    }
  }

  function enqueue(delivery: InFlightDelivery): void {
    const queue = queueOf(delivery.endpointId);
    if (delivery.node !== member.node) inFlight.disown([delivery]);
    else if (queue === undefined || !queue.target.active) void inFlight.release([delivery]);
    else dispatch.enqueue(queue, delivery);
  }

  function oneAtATime(read: () => Promise<void>): Promise<void> {
    if (reads >= READS_MAX) {
      const message = "too many changes of endpoints wait to be read";
      return Promise.reject(new StoreUnavailable(message, { commitUnknown: false, reason: "overloaded" }));
    }
    reads += 1;
    const reading = latestRead.then(read).finally(() => {
      reads -= 1;
    });
    latestRead = reading.catch(() => undefined);
    return reading;
  }

  function notifyOthers(endpointIds: readonly string[]): void {
    notifyDue(database, cell, endpointIds).catch((cause: unknown) =>
      log.warn(
        { err: cause },
        "other nodes were not notified of due deliveries; their next sweep finds them",
      ),
    );
  }

  return {
    /** The endpoint's queue, if it is open in this cell. */
    queueOf,
    own,
    /** Null when the endpoint's secret cannot be opened, which is logged. */
    open,
    /** Opens the queues of those endpoints that are active. */
    openActive: (endpointIds: readonly string[]): Promise<void> =>
      oneAtATime(async () => {
        for (const target of await targetList(database, cell, endpointIds)) if (target.active) open(target);
      }),
    /** Reads of endpoints run one after the other, so an older state never overwrites a newer one. */
    oneAtATime,
    /** Deliveries that the endpoint queue may take into memory now. */
    capacityOf: (queue: EndpointQueue): number =>
      member.maySend() ? capacityOf(queue, freeCapacity(engine.memoryBudget, cell.number)) : 0,
    /** Adds the delivery to its endpoint queue, or releases it when it must not be sent any more. */
    enqueue,
    /** What a claim has brought. */
    enqueueClaimed(deliveries: readonly InFlightDelivery[]): void {
      for (const delivery of deliveries) if (inFlight.addClaimed(delivery)) enqueue(delivery);
      dispatch.pump();
    },
    /** Notifies the other nodes of due deliveries. */
    notifyOthers,
    /** Releases every delivery that has not started, and notifies the other nodes. */
    async releaseWaiting(): Promise<void> {
      const taken = own().map((queue) => [queue.target.id, dispatch.takeWaiting(queue)] as const);
      await inFlight.release(taken.flatMap(([, deliveries]) => deliveries));
      notifyOthers(taken.filter(([, deliveries]) => deliveries.length > 0).map(([id]) => id));
    },
    /** The node was replaced: another one owns what waits here. */
    disownWaiting(): void {
      for (const queue of own()) inFlight.disown(dispatch.takeWaiting(queue));
    },
  };
}
