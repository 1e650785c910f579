/**
 * Whose turn it is: every carrier is a source with places of its own, so that one that is slow or down
 * fills its source and delays nobody else's shipments. Shipments whose carrier is not known yet share one, and
 * those that are stored under several names may share one as well.
 *
 *     wanted ─▶ claimed ─▶ waiting ─▶ open ─▶ ended
 *                             └─ paused, or too late to begin ─▶ given back
 *
 * A source keeps a few claims waiting, so that the next look begins as soon as one ends; and claims anew
 * when half of them are gone, so that a statement claims many.
 */
import type { ClaimLimit } from "./store/polls.ts";
import type { Claim } from "./poll-handler.ts";

type SourceQueue = {
  readonly carrier: string;
  /** What its shipments are stored under. */
  readonly sources: readonly string[];
  readonly slots: number;
  waiting: Claim[];
  running: number;
  /** Names of which the last claim took all that was due. */
  readonly exhausted: Set<string>;
  /** By the monotonic clock. */
  pausedUntilMs: number;
  /** It was paused: one look goes ahead of the others. */
  isProbing: boolean;
};

export type SourceQueuesPorts = {
  /** Looks at once, by carrier. */
  readonly slots: ReadonlyMap<string, number>;
  readonly isBreakerOpen: (carrier: string) => boolean;
  /** The names that a carrier's shipments are stored under, where that is not its own alone. */
  readonly sourcesOf?: (carrier: string) => readonly string[];
};

export type SourceQueues = {
  /** What to claim now; empty while every source has enough, or nothing is due. */
  toClaim(nowMs: number): readonly ClaimLimit[];
  /** `wanted` was asked for, `claims` is all that there was. */
  enqueue(wanted: readonly ClaimLimit[], claims: readonly Claim[]): void;
  /** The next look to begin: lanes take turns. Its place is taken until `ended`. */
  next(): Claim | null;
  /** A look has left its place; `answered` tells that its carrier is there. */
  ended(claim: Claim, answered: boolean): void;
  /** Begins none of the source's until then, which is named as a claim names it; returns the claims that wait. */
  pause(name: string, untilMs: number): readonly Claim[];
  /** More may have fallen due. */
  markDue(): void;
  /** All that wait; none does any more. */
  drain(): readonly Claim[];
};

/** Claims of a source that wait, for each of its places. */
const WAITING_PER_SLOT = 2;

export function createSourceQueues({
  slots,
  isBreakerOpen,
  sourcesOf = (carrier) => [carrier],
}: SourceQueuesPorts): SourceQueues {
  // Turns go round in this order.
  const order = [...slots].map(([carrier, count]) => newSourceQueue(carrier, sourcesOf(carrier), count));
  const lanes = new Map(order.flatMap((source) => source.sources.map((name) => [name, source] as const)));
  let turn = 0;

  const laneOf = ({ claimed }: Claim): SourceQueue => lanes.get(claimed.source)!;

  return {
    toClaim(nowMs) {
      const able = order.filter(
        (source) =>
          source.exhausted.size < source.sources.length &&
          source.pausedUntilMs <= nowMs &&
          !isBreakerOpen(source.carrier) &&
          freeWaitingSlots(source) > 0,
      );
      const isLow = able.some((source) => source.waiting.length * 2 <= waitingMax(source));
      return isLow ? able.flatMap(claimLimits) : [];
    },
    enqueue(wanted, claims) {
      const byName = Map.groupBy(claims, ({ claimed }) => claimed.source);
      for (const { source: name, limit } of wanted) {
        const taken = byName.get(name) ?? [];
        const source = lanes.get(name)!;
        if (taken.length < limit) source.exhausted.add(name);
        else source.exhausted.delete(name);
        const asked = taken.filter(isUrgent);
        const due = taken.filter((claim) => !isUrgent(claim));
        source.waiting = [...asked, ...source.waiting, ...due];
      }
    },
    next() {
      for (let step = 0; step < order.length; step += 1) {
        const source = order[(turn + step) % order.length]!;
        if (source.running >= slotsOf(source)) continue;
        const claim = source.waiting.shift();
        if (claim === undefined) continue;
        turn = (turn + step + 1) % order.length;
        source.running += 1;
        return claim;
      }
      return null;
    },
    ended(claim, answered) {
      const source = laneOf(claim);
      source.running -= 1;
      if (answered) source.isProbing = false;
    },
    pause(name, untilMs) {
      const source = lanes.get(name)!;
      source.pausedUntilMs = Math.max(source.pausedUntilMs, untilMs);
      source.isProbing = true;
      return drained(source);
    },
    markDue() {
      for (const source of order) source.exhausted.clear();
    },
    drain: () => order.flatMap(drained),
  };
}

function newSourceQueue(carrier: string, names: readonly string[], places: number): SourceQueue {
  const dry = new Set<string>();
  return {
    carrier,
    sources: names,
    slots: places,
    waiting: [],
    running: 0,
    exhausted: dry,
    pausedUntilMs: 0,
    isProbing: false,
  };
}

/** A source's room, in equal shares among the names of which more may be due: one at least for each. */
function claimLimits(source: SourceQueue): readonly ClaimLimit[] {
  const names = source.sources.filter((name) => !source.exhausted.has(name));
  const room = Math.ceil(freeWaitingSlots(source) / names.length);
  return names.map((name) => ({ source: name, limit: room }));
}

function slotsOf(source: SourceQueue): number {
  return source.isProbing ? 1 : source.slots;
}

function waitingMax(source: SourceQueue): number {
  return slotsOf(source) * WAITING_PER_SLOT;
}

function freeWaitingSlots(source: SourceQueue): number {
  // One on trial has nothing to wait for until its look has ended.
  if (source.isProbing) return source.running + source.waiting.length === 0 ? 1 : 0;
  return waitingMax(source) - source.waiting.length;
}

/** Due since the distant past: a client waits for it. */
function isUrgent({ claimed: { nextPollAt } }: Claim): boolean {
  return nextPollAt !== null && nextPollAt.getTime() < URGENT_MS_MAX;
}

const URGENT_MS_MAX = 1_000;

function drained(source: SourceQueue): readonly Claim[] {
  const { waiting } = source;
  source.waiting = [];
  return waiting;
}
