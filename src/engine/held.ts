import type { HeldDelivery } from "../model/delivery.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { Database } from "../store/database.ts";
import { releaseDeliveries, releaseUnknown } from "../store/queue.ts";
import type { Member } from "./member.ts";
import { enter, leave, type Window } from "./window.ts";

/**
 * What this node holds of one cell. The deliveries that it has held since they were raised have no row
 * in the queue: should the node die, they are found by their number and by the age of the oldest, which
 * every beat writes down.
 */
export type Held = {
  /** A delivery is about to be written as held by this node. */
  take(deliveryId: string, bytes: number): void;
  /** A delivery came by a claim. */
  claim(delivery: HeldDelivery): void;
  /** Its result is written. */
  settled(delivery: HeldDelivery): void;
  /** Its result cannot be written: it takes no room, and stays this node's. */
  stuck(delivery: HeldDelivery): void;
  /** It was never written. */
  withdrawn(deliveryId: string, bytes: number): void;
  /** Whether it was written is not known; it is given back once the database can be asked. */
  doubtful(deliveryId: string, bytes: number): void;
  /** Gives deliveries back to the queue, now or as soon as the database can be reached. */
  release(deliveries: readonly HeldDelivery[]): Promise<void>;
  /** Gives back what could not be given back earlier. */
  releaseLate(): Promise<void>;
  /** Gives back what was claimed by a statement whose answer was lost. No claim may be under way. */
  releaseUnknown(): Promise<void>;
  /** The node was replaced: what it held is another's. */
  lose(deliveries: readonly HeldDelivery[]): void;
  oldest(): string | null;
};

const RELEASE_BATCH_MAX = 1_000;

export function createHeld(window: Window, member: Member, database: Database, clock: Clock, log: Log): Held {
  /** In the order of their ids, which is the order in which they were taken. */
  const fresh = new Set<string>();
  /** Those that came by a claim. */
  const claimed = new Set<string>();
  /** To be given back to the queue. */
  const late = new Set<string>();
  let flushing: Promise<void> | null = null;

  /** One statement at a time, however many lanes give back at once; what comes meanwhile joins the next. */
  function giveBack(): Promise<void> {
    flushing ??= flush().finally(() => {
      flushing = null;
    });
    return flushing;
  }

  async function flush(): Promise<void> {
    // Whoever gives back many deliveries does so in one turn of the event loop.
    await Promise.resolve();
    while (late.size > 0) {
      const some = [...late].slice(0, RELEASE_BATCH_MAX);
      try {
        await releaseDeliveries(database, member.cell, member.node, some, clock.nowMs());
      } catch (cause) {
        log.warn(
          { err: cause, deliveries: late.size },
          "deliveries could not be given back to the queue yet",
        );
        return;
      }
      for (const id of some) {
        late.delete(id);
        forget(id);
      }
    }
  }

  function forget(id: string): void {
    if (!fresh.delete(id)) claimed.delete(id);
  }

  return {
    take(deliveryId, bytes) {
      enter(window, bytes);
      fresh.add(deliveryId);
    },
    claim(delivery) {
      enter(window, delivery.body.length);
      claimed.add(delivery.id);
    },
    settled(delivery) {
      leave(window, delivery.body.length);
      forget(delivery.id);
    },
    stuck: (delivery) => leave(window, delivery.body.length),
    withdrawn(deliveryId, bytes) {
      leave(window, bytes);
      fresh.delete(deliveryId);
    },
    doubtful(deliveryId, bytes) {
      leave(window, bytes);
      late.add(deliveryId);
    },
    async release(deliveries) {
      if (deliveries.length === 0) return;
      for (const delivery of deliveries) {
        leave(window, delivery.body.length);
        late.add(delivery.id);
      }
      await giveBack();
      if (deliveries.some((delivery) => late.has(delivery.id))) await giveBack();
    },
    releaseLate: giveBack,
    releaseUnknown: () => releaseUnknown(database, member.cell, member.node, [...claimed]),
    lose(deliveries) {
      for (const delivery of deliveries) {
        leave(window, delivery.body.length);
        forget(delivery.id);
      }
    },
    oldest: () => fresh.values().next().value ?? null,
  };
}
