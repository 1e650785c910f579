import type { InFlightDelivery } from "../../model/delivery.ts";
import { TransientMap, TransientSet } from "../../runtime/transient.ts";
import { releaseDeliveries } from "../../store/deliveries/queue.ts";
import { deliveryListClaimed } from "../../store/deliveries/deliveries.sql.ts";
import type { EngineContext } from "../engine-context.ts";
import type { Member } from "../membership/member.ts";
import { createBatchWriter, type BatchWriter } from "../batch-writer.ts";
import { allocate, deallocate } from "./memory-budget.ts";

/**
 * The deliveries of one cell that this node has in flight. Those raised here have no row in the queue
 * table: if the node dies, others find them by its node number and by the age of the oldest, which every
 * heartbeat records.
 *
 *      raise ─▶ raised ─────────────▶ settled, or released into the queue table
 *                 └─▶ commit unknown ─▶ found and released, or not found for long: dropped
 *      claim ─▶ claimed ────────────▶ settled, or released
 *        └─▶ ahead: the retry is due before the answer to the settlement is here ─▶ claimed, once it is
 */
export type InFlight = ReturnType<typeof createInFlight>;

type Entry = { readonly bytes: number; readonly attemptCount: number };

type State = {
  readonly engine: EngineContext;
  readonly member: Member;
  /**
   * What counts in the memory budget, by node number and id. A node that was replaced may claim what it still
   * sends under its earlier number.
   */
  readonly inMemory: TransientMap<string, Entry>;
  /**
   * Claimed for their next attempt while the result of the one before is committed, but not yet answered: at most one
   * for each in memory, outside the budget.
   */
  readonly ahead: TransientMap<string, InFlightDelivery>;
  /** In the order of their ids, which is the order in which they were raised. */
  readonly raised: TransientSet<string>;
  readonly claimed: TransientSet<string>;
  /** Those of `raised` whose commit is unknown, and since when by the monotonic clock. */
  readonly unknownCommits: Map<string, number>;
  /** To be released by `releases`; the next sweep retries the ids that the database does not take now. */
  readonly unreleased: Set<string>;
};

/**
 * A statement whose answer was lost may wait in the server, for a lock or because its process is frozen, and
 * still commit. The engine looks for its rows for this long.
 */
export const COMMIT_UNKNOWN_MS_MAX = 1_200_000;
/** With this many unknown commits, raised events go to the queue table instead. */
const COMMITS_UNKNOWN_MAX = 100_000;
const RELEASE_BATCH_MAX = 1_000;

export function createInFlight(engine: EngineContext, member: Member) {
  const state = createState(engine, member);
  const { raised, claimed, unknownCommits, unreleased } = state;
  const releases = createReleases(state);
  return {
    /** Call before the delivery is written. Returns false while too many commits are unknown. */
    addRaised(deliveryId: string, bytes: number): boolean {
      if (unknownCommits.size >= COMMITS_UNKNOWN_MAX) return false;
      if (!enterMemory(state, deliveryId, member.node, { bytes, attemptCount: 0 })) return false;
      raised.add(deliveryId);
      return true;
    },
    /**
     * Returns false when the delivery is in flight already and must not be sent now. Where it was claimed for a later
     * attempt, `settled` returns it.
     */
    addClaimed(delivery: InFlightDelivery): boolean {
      if (isAhead(state, delivery)) {
        state.ahead.set(keyOf(delivery), delivery);
        return false;
      }
      if (!enterClaimed(state, delivery)) return false;
      // It was in the queue table, so its release was committed, though the answer was lost.
      releases.remove(delivery.id);
      if (unreleased.delete(delivery.id) || unknownCommits.delete(delivery.id)) raised.delete(delivery.id);
      return true;
    },
    /** Its result is written. Returns the delivery as a claim has brought it since; it is in flight again. */
    settled(delivery: InFlightDelivery): InFlightDelivery | null {
      const next = state.ahead.get(keyOf(delivery));
      drop(state, delivery);
      return next !== undefined && enterClaimed(state, next) ? next : null;
    },
    /** It was never written. */
    rolledBack: (delivery: InFlightDelivery): void => drop(state, delivery),
    /** It may have been written, or may be yet; it is released once it is found. */
    commitUnknown(delivery: InFlightDelivery): void {
      leaveMemory(state, delivery);
      if (delivery.node === member.node) unknownCommits.set(delivery.id, engine.clock.monotonicMs());
    },
    /** Returns deliveries to the queue table, now or as soon as the database is reachable. */
    release: (deliveries: readonly InFlightDelivery[]): Promise<void> => release(state, releases, deliveries),
    /** Releases what could not be released earlier, and looks for unknown commits. */
    async retryReleases(): Promise<void> {
      releases.retryRefused();
      await releases.written();
      for (const id of unreleased) releases.add(id);
      await releases.flush();
      await resolveUnknownCommits(state);
    },
    /** Releases what claims with a lost answer took; returns the endpoints. Call it while no claim runs. */
    releaseUnknownClaims: (): Promise<readonly string[]> => releaseUnknownClaims(state),
    /** Drops deliveries taken under an earlier node number: another node owns them. */
    disown(deliveries: readonly InFlightDelivery[]): void {
      for (const delivery of deliveries) drop(state, delivery);
    },
    /** The node was replaced: another node owns what it was about to release. */
    replaced(): void {
      for (const id of unreleased) releases.remove(id);
      for (const ids of [raised, claimed, state.ahead, unreleased, unknownCommits]) ids.clear();
    },
    oldestRaised: (): string | null => raised.values().next().value ?? null,
    /** Deliveries whose release the database refuses. */
    refusedCount: releases.refusedCount,
  };
}

function createState(engine: EngineContext, member: Member): State {
  return {
    engine,
    member,
    inMemory: new TransientMap(),
    ahead: new TransientMap(),
    raised: new TransientSet(),
    claimed: new TransientSet(),
    unknownCommits: new Map(),
    unreleased: new Set(),
  };
}

/** Releases into the queue table; each counted in the memory budget until it was added. */
function createReleases(state: State): BatchWriter<string> {
  const { engine, raised, unreleased } = state;
  return createBatchWriter<string>({ batchMax: RELEASE_BATCH_MAX, gatherMs: 0 }, engine.clock, {
    async write(ids) {
      const found = await releaseBatch(state, ids);
      return () => {
        if (found === null) return;
        for (const id of ids) {
          unreleased.delete(id);
          raised.delete(id);
        }
      };
    },
    keepsRefused: true,
    onRefused: (delivery) =>
      engine.log.error({ delivery }, "the database refuses to release a delivery; every sweep retries it"),
    faultsBeforeProbe: 0,
    onAway: () => null,
  });
}

const keyOf = ({ node, id }: Pick<InFlightDelivery, "node" | "id">): string => `${node} ${id}`;

/** Whether it is in memory for an earlier attempt: only a committed result raises the count that a claim reads. */
function isAhead({ inMemory }: State, delivery: InFlightDelivery): boolean {
  const entry = inMemory.get(keyOf(delivery));
  return entry !== undefined && entry.attemptCount < delivery.attemptCount;
}

function enterClaimed(state: State, { id, node, body, attemptCount }: InFlightDelivery): boolean {
  if (!enterMemory(state, id, node, { bytes: body.length, attemptCount })) return false;
  // One of an earlier node number is disowned next.
  if (node === state.member.node) state.claimed.add(id);
  return true;
}

/** Returns false when it is in memory already. */
function enterMemory({ engine, member, inMemory }: State, id: string, node: number, entry: Entry): boolean {
  const key = keyOf({ node, id });
  if (inMemory.has(key)) {
    engine.invariants.report("delivery_in_flight_once", { delivery: id });
    return false;
  }
  inMemory.set(key, entry);
  allocate(engine.memoryBudget, member.cell.number, entry.bytes);
  return true;
}

function leaveMemory({ engine, member, inMemory, ahead }: State, delivery: InFlightDelivery): void {
  const key = keyOf(delivery);
  const entry = inMemory.get(key);
  if (entry === undefined)
    return engine.invariants.report("delivery_in_flight_once", { delivery: delivery.id });
  inMemory.delete(key);
  ahead.delete(key);
  deallocate(engine.memoryBudget, member.cell.number, entry.bytes);
}

function drop(state: State, delivery: InFlightDelivery): void {
  leaveMemory(state, delivery);
  const { id, node } = delivery;
  // `replaced` has dropped the ids of an earlier node number.
  if (node === state.member.node && !state.raised.delete(id)) state.claimed.delete(id);
}

async function release(
  state: State,
  releases: BatchWriter<string>,
  deliveries: readonly InFlightDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const { engine, member, claimed, unreleased } = state;
  for (const delivery of deliveries) if (delivery.node !== member.node) drop(state, delivery);
  const own = deliveries.filter((delivery) => delivery.node === member.node);
  for (const delivery of own) {
    leaveMemory(state, delivery);
    // A claim may bring it again before the release is answered.
    claimed.delete(delivery.id);
    unreleased.add(delivery.id);
    releases.add(delivery.id);
  }
  engine.onCapacityFreed();
  await releases.flush();
}

/** Returns the ids that were raised here and are found; null where the node was replaced during the statement. */
async function releaseBatch({ engine, member }: State, ids: readonly string[]) {
  const { database, clock, log } = engine;
  const { cell, node } = member;
  try {
    const found = await releaseDeliveries(database, cell, node, ids, clock.nowMs());
    // If the node was replaced during the statement, a later claim brought what is in flight now.
    return member.node === node ? found : null;
  } catch (cause) {
    const fields = { err: cause, deliveries: ids.length };
    log.warn(fields, "deliveries could not be released to the queue yet");
    throw cause;
  }
}

async function resolveUnknownCommits(state: State): Promise<void> {
  const { unknownCommits, raised } = state;
  const nowMs = state.engine.clock.monotonicMs();
  const unknown = [...unknownCommits.keys()];
  for (let from = 0; from < unknown.length; from += RELEASE_BATCH_MAX) {
    const some = unknown.slice(from, from + RELEASE_BATCH_MAX);
    const found = await releaseBatch(state, some).catch(() => null);
    if (found === null) return;
    const expired = some.filter((id) => nowMs - (unknownCommits.get(id) ?? nowMs) >= COMMIT_UNKNOWN_MS_MAX);
    for (const id of [...found, ...expired]) {
      unknownCommits.delete(id);
      raised.delete(id);
    }
  }
}

async function releaseUnknownClaims({ engine, member, claimed, ahead }: State): Promise<readonly string[]> {
  const { database, clock } = engine;
  const claims = await deliveryListClaimed(database, member.cell, member.node);
  const isKnown = (id: string): boolean => claimed.has(id) || ahead.has(keyOf({ node: member.node, id }));
  const unknown = claims.filter(({ id }) => !isKnown(id));
  for (let from = 0; from < unknown.length; from += RELEASE_BATCH_MAX) {
    const ids = unknown.slice(from, from + RELEASE_BATCH_MAX).map(({ id }) => id);
    await releaseDeliveries(database, member.cell, member.node, ids, clock.nowMs());
  }
  return unknown.map(({ endpointId }) => endpointId);
}
