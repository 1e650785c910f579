import type { HeldDelivery } from "../model/delivery.ts";
import { claimsOf, releaseDeliveries } from "../store/queue.ts";
import type { Member } from "./member.ts";
import type { EngineParts } from "./parts.ts";
import { enter, leave } from "./window.ts";

/**
 * What this node holds of one cell. The deliveries that it has held since they were raised have no row
 * in the queue: should the node die, they are found by their number and by the age of the oldest, which
 * every beat writes down.
 *
 *      take ─▶ fresh ──────────▶ settled, or released: into the queue
 *                └─▶ in doubt ─▶ found, and released ── or not found for long: forgotten
 *      claim ─▶ claimed ───────▶ settled, or released
 */
export type Held = {
  /** A delivery is about to be written as held by this node. */
  take(deliveryId: string, bytes: number): void;
  /** A delivery came by a claim. False: this node has it in hand already, and must not send it twice. */
  claim(delivery: HeldDelivery): boolean;
  /** Its result is written. */
  settled(delivery: HeldDelivery): void;
  /** It was never written. */
  withdrawn(deliveryId: string): void;
  /** Whether it was written is not known, and it may be yet; it is given back once it is found. */
  doubtful(deliveryId: string): void;
  /** Gives deliveries back to the queue, now or as soon as the database can be reached. */
  release(deliveries: readonly HeldDelivery[]): Promise<void>;
  /** Gives back what could not be given back earlier, and what was in doubt and has been found. */
  releaseLate(): Promise<void>;
  /**
   * Gives back what was claimed by a statement whose answer was lost, and says of which endpoints. No claim
   * may be under way.
   */
  releaseUnknown(): Promise<readonly string[]>;
  /** What it held under an earlier number is another's. */
  lose(deliveries: readonly HeldDelivery[]): void;
  /** The node was replaced: what it was to give back is another's. */
  replaced(): void;
  oldest(): string | null;
};

const RELEASE_BATCH_MAX = 1_000;
/**
 * A statement whose answer was lost may still be waiting in the server, for a lock or because its process
 * is frozen, and be committed in the end. So long it is looked for; all the while whoever took this node over
 * would look through all that is younger.
 */
export const DOUBT_MS_MAX = 1_200_000;
/** One lost connection leaves a batch in doubt; so many are lost connections by the hundred. */
const DOUBTS_MAX = 100_000;

export function createHeld(parts: EngineParts, member: Member): Held {
  const { window, invariants, database, clock, log } = parts;
  /** What counts in the window, and its bytes. */
  const inMemory = new Map<string, number>();
  /** In the order of their ids, which is the order in which they were taken. */
  const fresh = new Set<string>();
  /** Those that came by a claim. */
  const claimed = new Set<string>();
  /** To be given back to the queue. */
  const late = new Set<string>();
  /** Those of `fresh` that may have been written or not, and since when, by the monotonic clock. */
  const doubts = new Map<string, number>();
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
      if ((await releaseNow(some)) === null) return;
      for (const id of some) {
        late.delete(id);
        fresh.delete(id);
      }
    }
  }

  /** The ids of those that were found, and null when that cannot be told now. */
  async function releaseNow(ids: readonly string[]): Promise<readonly string[] | null> {
    const { cell, node } = member;
    try {
      const found = await releaseDeliveries(database, cell, node, ids, clock.nowMs());
      // Replaced meanwhile: whatever of these is held now came by a later claim.
      return member.node === node ? found : null;
    } catch (cause) {
      const fields = { err: cause, deliveries: ids.length };
      log.warn(fields, "deliveries could not be given back to the queue yet");
      return null;
    }
  }

  async function resolveDoubts(): Promise<void> {
    const nowMs = clock.monotonicMs();
    const open = [...doubts.keys()];
    for (let from = 0; from < open.length; from += RELEASE_BATCH_MAX) {
      const some = open.slice(from, from + RELEASE_BATCH_MAX);
      const found = await releaseNow(some);
      if (found === null) return;
      for (const id of found) clear(id);
      for (const id of some) if (nowMs - (doubts.get(id) ?? nowMs) >= DOUBT_MS_MAX) clear(id);
    }
  }

  function clear(doubted: string): void {
    doubts.delete(doubted);
    fresh.delete(doubted);
  }

  function forget(id: string): void {
    if (!fresh.delete(id)) claimed.delete(id);
  }

  /** False: it is there already. */
  function enterMemory(id: string, bytes: number): boolean {
    if (inMemory.has(id)) {
      invariants.report("delivery_in_flight_once", { delivery: id });
      return false;
    }
    inMemory.set(id, bytes);
    enter(window, bytes);
    return true;
  }

  function leaveMemory(id: string): void {
    const bytes = inMemory.get(id);
    if (bytes === undefined) return invariants.report("delivery_in_flight_once", { delivery: id });
    inMemory.delete(id);
    leave(window, bytes);
  }

  function lose(deliveries: readonly HeldDelivery[]): void {
    for (const { id } of deliveries) {
      leaveMemory(id);
      forget(id);
    }
  }

  return {
    take(deliveryId, bytes) {
      if (enterMemory(deliveryId, bytes)) fresh.add(deliveryId);
    },
    claim({ id, body }) {
      const isNew = enterMemory(id, body.length);
      if (isNew) claimed.add(id);
      return isNew;
    },
    settled({ id }) {
      leaveMemory(id);
      forget(id);
    },
    withdrawn(deliveryId) {
      leaveMemory(deliveryId);
      fresh.delete(deliveryId);
    },
    doubtful(deliveryId) {
      leaveMemory(deliveryId);
      if (doubts.size >= DOUBTS_MAX) clear(doubts.keys().next().value!);
      doubts.set(deliveryId, clock.monotonicMs());
    },
    async release(deliveries) {
      if (deliveries.length === 0) return;
      lose(deliveries.filter((delivery) => delivery.node !== member.node));
      const own = deliveries.filter((delivery) => delivery.node === member.node);
      for (const { id } of own) {
        leaveMemory(id);
        // A claim may bring it again before the answer of the statement that gives it back has come.
        claimed.delete(id);
        late.add(id);
      }
      parts.roomMade();
      await giveBack();
      if (own.some((delivery) => late.has(delivery.id))) await giveBack();
    },
    async releaseLate() {
      await giveBack();
      await resolveDoubts();
    },
    async releaseUnknown() {
      const claims = await claimsOf(database, member.cell, member.node);
      const unknown = claims.filter(({ id }) => !claimed.has(id));
      for (let from = 0; from < unknown.length; from += RELEASE_BATCH_MAX) {
        const ids = unknown.slice(from, from + RELEASE_BATCH_MAX).map(({ id }) => id);
        await releaseDeliveries(database, member.cell, member.node, ids, clock.nowMs());
      }
      return unknown.map(({ endpointId }) => endpointId);
    },
    lose,
    replaced() {
      for (const id of [...late, ...doubts.keys()]) fresh.delete(id);
      late.clear();
      doubts.clear();
    },
    oldest: () => fresh.values().next().value ?? null,
  };
}
