/**
 * What a box may go on with where a leg ends. Of what leaves a port only the few that arrive first matter: as many that,
 * whichever vessels are left out because the box came by them, the first to arrive of the others is among them.
 */
import type { SlicedWork } from "../../../runtime/time-slices.ts";
import type { Effort } from "./effort.ts";
import { groupInOrder, placeOfFirst, type Groups } from "./in-order.ts";
import { keyOf, type CallPoint, type Leg } from "./legs.ts";

/** From a vessel's arrival to the departure of the next, at least and at most. */
export type Waits = { readonly waitMsMin: number; readonly waitMsMax: number };

/** Whose legs may be joined: those with the same key. */
export type JoinKey = (point: CallPoint) => string;

/** What leaves, by join key and port, in the order of departures. */
export type Leaving<Item> = Groups<Item>;

type Departing = { readonly from: CallPoint; readonly departureMs: number };

export function leavingOf<Item extends Departing>(
  items: readonly Item[],
  joinKey: JoinKey,
  effort: Effort,
): SlicedWork<Leaving<Item>> {
  return groupInOrder(
    items,
    ({ from }) => keyOf(joinKey(from), from.port),
    ({ departureMs }) => departureMs,
    effort,
  );
}

/** What leaves where a leg ends, neither too early nor too late. */
export function inTime<Item extends Departing>(
  { to, arrivalMs }: Leg,
  leaving: Leaving<Item>,
  { waitMsMin, waitMsMax }: Waits,
  joinKey: JoinKey,
): readonly Item[] {
  const all = leaving.get(keyOf(joinKey(to), to.port));
  if (all === undefined) return [];
  const [earliestMs, latestMs] = [arrivalMs + waitMsMin, arrivalMs + waitMsMax];
  return all.slice(
    placeOfFirst(all.length, (at) => all[at]!.departureMs >= earliestMs),
    placeOfFirst(all.length, (at) => all[at]!.departureMs > latestMs),
  );
}

/** How the vessels of calls exclude each other. */
export type Vessels = {
  /** Who is one vessel with one of them is so with the other. */
  isAlike(one: CallPoint, other: CallPoint): boolean;
  /** Nobody is one vessel with both. */
  isApart(one: CallPoint, other: CallPoint): boolean;
};

/** `points`: all that may be compared. As `isOneVessel` has it. */
export function vesselsOf(points: readonly CallPoint[]): Vessels {
  if (points.every(({ vesselImo }) => vesselImo !== null)) return NUMBERED;
  return {
    isAlike: (one, other) => one.vesselImo === other.vesselImo && isOneVoyage(one, other),
    // One without a number is found by its voyage, and another by its number.
    isApart: (one, other) =>
      !isOneVoyage(one, other) &&
      (one.vesselImo === null) === (other.vesselImo === null) &&
      (one.vesselImo === null || one.vesselImo !== other.vesselImo),
  };
}

const NUMBERED: Vessels = {
  isAlike: (one, other) => one.vesselImo === other.vesselImo,
  isApart: (one, other) => one.vesselImo !== other.vesselImo,
};

function isOneVoyage(one: CallPoint, other: CallPoint): boolean {
  return one.carrier === other.carrier && one.service === other.service && one.voyage === other.voyage;
}

/** By arrival. */
export type Earliest<Item> = {
  readonly items: readonly Item[];
  /** One that arrives later than the last of them does not matter. */
  readonly isEnough: boolean;
};

export const NONE_YET: Earliest<never> = { items: [], isEnough: false };

/** With one more, where it matters while up to so many vessels are left out. */
export function withOneMore<Item extends { readonly from: CallPoint; readonly arrivalMs: number }>(
  earliest: Earliest<Item>,
  item: Item,
  { isAlike, isApart }: Vessels,
  leftOutMax: number,
  effort: Effort,
): Earliest<Item> {
  const { items, isEnough } = earliest;
  effort.spend(1);
  if (isEnough && item.arrivalMs >= items.at(-1)!.arrivalMs) return earliest;
  effort.spend(items.length);
  const kept: Item[] = [];
  const apart: Item[] = [];
  for (const one of [...items, item].toSorted((some, other) => some.arrivalMs - other.arrivalMs)) {
    effort.spend(kept.length);
    if (kept.some(({ from }) => isAlike(from, one.from))) continue;
    kept.push(one);
    if (apart.every(({ from }) => isApart(from, one.from))) apart.push(one);
    if (apart.length > leftOutMax) return { items: kept, isEnough: true };
  }
  return { items: kept, isEnough: false };
}

/** Those of the vessel of each of the two legs before. */
const LEFT_OUT_MAX = 2;

/** The last legs after a leg that may matter, the first to arrive first. */
export type Onward = (leg: Leg) => readonly Leg[];

export function* createOnward(
  lastLegs: readonly Leg[],
  vessels: Vessels,
  waits: Waits,
  joinKey: JoinKey,
  effort: Effort,
): SlicedWork<Onward> {
  const leaving = yield* leavingOf(lastLegs, joinKey, effort);
  const known = new Map<CallPoint, readonly Leg[]>();
  return (leg) => {
    const found = known.get(leg.to);
    if (found !== undefined) return found;
    let earliest: Earliest<Leg> = NONE_YET;
    for (const last of inTime(leg, leaving, waits, joinKey)) {
      earliest = withOneMore(earliest, last, vessels, LEFT_OUT_MAX, effort);
    }
    known.set(leg.to, earliest.items);
    return earliest.items;
  };
}
