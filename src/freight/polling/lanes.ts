/**
 * Whose turn it is: every carrier is a lane with places of its own, so that one that is slow or down
 * fills its lane and delays nobody else's shipments. Shipments whose carrier is not known yet share one, and
 * those that are stored under several names may share one as well.
 *
 *     wanted ─▶ claimed ─▶ waiting ─▶ open ─▶ ended
 *                             └─ paused, or too late to begin ─▶ given back
 *
 * A lane keeps a few claims waiting, so that the next look begins as soon as one ends; and claims anew
 * when half of them are gone, so that a statement claims many.
 */
import type { LaneRoom } from "./store/polls.ts";
import type { Claim } from "./looks.ts";

type Lane = {
  readonly carrier: string;
  /** What its shipments are stored under. */
  readonly names: readonly string[];
  readonly places: number;
  waiting: Claim[];
  open: number;
  /** Names of which the last claim took all that was due. */
  readonly dry: Set<string>;
  /** By the monotonic clock. */
  pausedUntilMs: number;
  /** It was paused: one look goes ahead of the others. */
  isOnTrial: boolean;
};

export type LanesPorts = {
  /** Looks at once, by carrier. */
  readonly places: ReadonlyMap<string, number>;
  readonly isOpen: (carrier: string) => boolean;
  /** The names that a carrier's shipments are stored under, where that is not its own alone. */
  readonly namesOf?: (carrier: string) => readonly string[];
};

export type Lanes = {
  /** What to claim now; empty while every lane has enough, or nothing is due. */
  wanted(nowMs: number): readonly LaneRoom[];
  /** `wanted` was asked for, `claims` is all that there was. */
  take(wanted: readonly LaneRoom[], claims: readonly Claim[]): void;
  /** The next look to begin: lanes take turns. Its place is taken until `ended`. */
  next(): Claim | null;
  /** A look has left its place; `answered` tells that its carrier is there. */
  ended(claim: Claim, answered: boolean): void;
  /** Begins none of the lane's until then, which is named as a claim names it; returns the claims that wait. */
  pause(name: string, untilMs: number): readonly Claim[];
  /** More may have fallen due. */
  refresh(): void;
  /** All that wait; none does any more. */
  empty(): readonly Claim[];
};

/** Claims of a lane that wait, for each of its places. */
const WAITING_PER_PLACE = 2;

export function createLanes({ places, isOpen, namesOf = (carrier) => [carrier] }: LanesPorts): Lanes {
  // Turns go round in this order.
  const order = [...places].map(([carrier, count]) => newLane(carrier, namesOf(carrier), count));
  const lanes = new Map(order.flatMap((lane) => lane.names.map((name) => [name, lane] as const)));
  let turn = 0;

  const laneOf = ({ claimed }: Claim): Lane => lanes.get(claimed.lane)!;

  return {
    wanted(nowMs) {
      const able = order.filter(
        (lane) =>
          lane.dry.size < lane.names.length &&
          lane.pausedUntilMs <= nowMs &&
          !isOpen(lane.carrier) &&
          roomIn(lane) > 0,
      );
      const isLow = able.some((lane) => lane.waiting.length * 2 <= waitingMax(lane));
      return isLow ? able.flatMap(shared) : [];
    },
    take(wanted, claims) {
      const byName = Map.groupBy(claims, ({ claimed }) => claimed.lane);
      for (const { carrier: name, room } of wanted) {
        const taken = byName.get(name) ?? [];
        const lane = lanes.get(name)!;
        if (taken.length < room) lane.dry.add(name);
        else lane.dry.delete(name);
        const asked = taken.filter(isAskedFor);
        const due = taken.filter((claim) => !isAskedFor(claim));
        lane.waiting = [...asked, ...lane.waiting, ...due];
      }
    },
    next() {
      for (let step = 0; step < order.length; step += 1) {
        const lane = order[(turn + step) % order.length]!;
        if (lane.open >= placesIn(lane)) continue;
        const claim = lane.waiting.shift();
        if (claim === undefined) continue;
        turn = (turn + step + 1) % order.length;
        lane.open += 1;
        return claim;
      }
      return null;
    },
    ended(claim, answered) {
      const lane = laneOf(claim);
      lane.open -= 1;
      if (answered) lane.isOnTrial = false;
    },
    pause(name, untilMs) {
      const lane = lanes.get(name)!;
      lane.pausedUntilMs = Math.max(lane.pausedUntilMs, untilMs);
      lane.isOnTrial = true;
      return emptied(lane);
    },
    refresh() {
      for (const lane of order) lane.dry.clear();
    },
    empty: () => order.flatMap(emptied),
  };
}

function newLane(carrier: string, names: readonly string[], places: number): Lane {
  const dry = new Set<string>();
  return { carrier, names, places, waiting: [], open: 0, dry, pausedUntilMs: 0, isOnTrial: false };
}

/** A lane's room, in equal shares among the names of which more may be due: one at least for each. */
function shared(lane: Lane): readonly LaneRoom[] {
  const names = lane.names.filter((name) => !lane.dry.has(name));
  const room = Math.ceil(roomIn(lane) / names.length);
  return names.map((name) => ({ carrier: name, room }));
}

function placesIn(lane: Lane): number {
  return lane.isOnTrial ? 1 : lane.places;
}

function waitingMax(lane: Lane): number {
  return placesIn(lane) * WAITING_PER_PLACE;
}

function roomIn(lane: Lane): number {
  // One on trial has nothing to wait for until its look has ended.
  if (lane.isOnTrial) return lane.open + lane.waiting.length === 0 ? 1 : 0;
  return waitingMax(lane) - lane.waiting.length;
}

/** Due since the distant past: a client waits for it. */
function isAskedFor({ claimed: { nextPollAt } }: Claim): boolean {
  return nextPollAt !== null && nextPollAt.getTime() < ASKED_FOR_MS_MAX;
}

const ASKED_FOR_MS_MAX = 1_000;

function emptied(lane: Lane): readonly Claim[] {
  const { waiting } = lane;
  lane.waiting = [];
  return waiting;
}
