import type { InFlightDelivery } from "../../model/delivery.ts";
import { listClaims, releaseDeliveries } from "../../store/deliveries/queue.ts";
import type { Member } from "../membership/member.ts";
import type { EngineContext } from "../engine-context.ts";
import { classifyFailure, type FailureKind } from "../statement-failure.ts";
import { createPendingReleases, RELEASE_BATCH_MAX } from "./pending-releases.ts";
import { allocate, deallocate } from "./memory-budget.ts";

/**
 * What this node holds of one cell. The deliveries that it has held since they were raised have no row
 * in the queue: should the node die, they are found by their number and by the age of the oldest, which
 * every beat writes down.
 *
 *      take ─▶ fresh ──────────▶ settled, or released: into the queue
 *                └─▶ in doubt ─▶ found, and released ── or not found for long: forgotten
 *      claim ─▶ claimed ───────▶ settled, or released
 */
export type InFlight = {
  /** A delivery is about to be written as held by this node. False: too much is in doubt to take more. */
  addRaised(deliveryId: string, bytes: number): boolean;
  /** A delivery came by a claim. False: this node has it in hand already, and must not send it twice. */
  addClaimed(delivery: InFlightDelivery): boolean;
  /** Its result is written. */
  settled(delivery: InFlightDelivery): void;
  /** It was never written. */
  rolledBack(delivery: InFlightDelivery): void;
  /** Whether it was written is not known, and it may be yet; it is given back once it is found. */
  commitUnknown(delivery: InFlightDelivery): void;
  /** Gives deliveries back to the queue, now or as soon as the database can be reached. */
  release(deliveries: readonly InFlightDelivery[]): Promise<void>;
  /** Gives back what could not be given back earlier, and what was in doubt and has been found. */
  retryReleases(): Promise<void>;
  /**
   * Gives back what was claimed by a statement whose answer was lost, and says of which endpoints. No claim
   * may be under way.
   */
  releaseUnknownClaims(): Promise<readonly string[]>;
  /** What it held under an earlier number is another's. */
  disown(deliveries: readonly InFlightDelivery[]): void;
  /** The node was replaced: what it was to give back is another's. */
  replaced(): void;
  oldestRaised(): string | null;
  /** Deliveries that the database refuses to take back. */
  refusedCount(): number;
};

/**
 * A statement whose answer was lost may still wait in the server, for a lock or because its process is frozen, and
 * commit in the end. The engine looks for its rows for so long.
 */
export const COMMIT_UNKNOWN_MS_MAX = 1_200_000;
/** A lost connection leaves a batch in doubt. With so many, events that are raised go to the queue instead. */
const COMMITS_UNKNOWN_MAX = 100_000;

export function createInFlight(parts: EngineContext, member: Member): InFlight {
  const { memoryBudget, invariants, database, clock, log } = parts;
  /**
   * What counts in the window, by node number and id, and its bytes. A node that was replaced may claim what it still
   * sends under its earlier number.
   */
  const inMemory = new Map<string, number>();
  /** In the order of their ids, which is the order in which they were taken. */
  const fresh = new Set<string>();
  /** Those that came by a claim. */
  const claimed = new Set<string>();
  /** Those of `fresh` that may have been written or not, and since when, by the monotonic clock. */
  const doubts = new Map<string, number>();
  const late = createPendingReleases({ release, onReleased: (id) => void fresh.delete(id), log });

  /** The ids of those that were held since they were raised, or why that cannot be told now. */
  async function release(ids: readonly string[]): Promise<readonly string[] | FailureKind> {
    const { cell, node } = member;
    try {
      const found = await releaseDeliveries(database, cell, node, ids, clock.nowMs());
      // Replaced meanwhile: whatever of these is held now came by a later claim.
      return member.node === node ? found : "unreachable";
    } catch (cause) {
      const fields = { err: cause, deliveries: ids.length };
      log.warn(fields, "deliveries could not be given back to the queue yet");
      return classifyFailure(cause);
    }
  }

  async function resolveDoubts(): Promise<void> {
    const nowMs = clock.monotonicMs();
    const open = [...doubts.keys()];
    for (let from = 0; from < open.length; from += RELEASE_BATCH_MAX) {
      const some = open.slice(from, from + RELEASE_BATCH_MAX);
      const found = await release(some);
      if (typeof found === "string") return;
      for (const id of found) clear(id);
      for (const id of some) if (nowMs - (doubts.get(id) ?? nowMs) >= COMMIT_UNKNOWN_MS_MAX) clear(id);
    }
  }

  function clear(doubted: string): void {
    doubts.delete(doubted);
    fresh.delete(doubted);
  }

  /** What it had under an earlier number is forgotten already. */
  function forget({ id, node }: InFlightDelivery): void {
    if (node === member.node && !fresh.delete(id)) claimed.delete(id);
  }

  /** False: it is there already. */
  function enterMemory(id: string, node: number, bytes: number): boolean {
    const key = `${node} ${id}`;
    if (inMemory.has(key)) {
      invariants.report("delivery_in_flight_once", { delivery: id });
      return false;
    }
    inMemory.set(key, bytes);
    allocate(memoryBudget, bytes);
    return true;
  }

  function leaveMemory({ id, node }: InFlightDelivery): void {
    const key = `${node} ${id}`;
    const bytes = inMemory.get(key);
    if (bytes === undefined) return invariants.report("delivery_in_flight_once", { delivery: id });
    inMemory.delete(key);
    deallocate(memoryBudget, bytes);
  }

  function lose(deliveries: readonly InFlightDelivery[]): void {
    for (const delivery of deliveries) {
      leaveMemory(delivery);
      forget(delivery);
    }
  }

  return {
    addRaised(deliveryId, bytes) {
      if (doubts.size >= COMMITS_UNKNOWN_MAX || !enterMemory(deliveryId, member.node, bytes)) return false;
      fresh.add(deliveryId);
      return true;
    },
    addClaimed({ id, node, body }) {
      const isNew = enterMemory(id, node, body.length);
      if (!isNew) return false;
      claimed.add(id);
      // It was in the queue: the statement that gave it back was written, though its answer was lost.
      if (late.remove(id)) fresh.delete(id);
      return true;
    },
    settled(delivery) {
      leaveMemory(delivery);
      forget(delivery);
    },
    rolledBack(delivery) {
      leaveMemory(delivery);
      forget(delivery);
    },
    commitUnknown(delivery) {
      leaveMemory(delivery);
      if (delivery.node === member.node) doubts.set(delivery.id, clock.monotonicMs());
    },
    async release(deliveries) {
      if (deliveries.length === 0) return;
      lose(deliveries.filter((delivery) => delivery.node !== member.node));
      const own = deliveries.filter((delivery) => delivery.node === member.node);
      for (const delivery of own) {
        leaveMemory(delivery);
        // A claim may bring it again before the answer of the statement that gives it back has come.
        claimed.delete(delivery.id);
        late.add(delivery.id);
      }
      parts.onCapacityFreed();
      await late.flush();
      if (own.some((delivery) => late.has(delivery.id))) await late.flush();
    },
    async retryReleases() {
      late.retryRefused();
      await late.flush();
      await resolveDoubts();
    },
    async releaseUnknownClaims() {
      const claims = await listClaims(database, member.cell, member.node);
      const unknown = claims.filter(({ id }) => !claimed.has(id));
      for (let from = 0; from < unknown.length; from += RELEASE_BATCH_MAX) {
        const ids = unknown.slice(from, from + RELEASE_BATCH_MAX).map(({ id }) => id);
        await releaseDeliveries(database, member.cell, member.node, ids, clock.nowMs());
      }
      return unknown.map(({ endpointId }) => endpointId);
    },
    disown: lose,
    replaced() {
      for (const ids of [fresh, claimed, late, doubts]) ids.clear();
    },
    oldestRaised: () => fresh.values().next().value ?? null,
    refusedCount: late.refusedCount,
  };
}
