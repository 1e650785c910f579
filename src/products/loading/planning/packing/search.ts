/**
 * Fills one container as well as a bounded number of search steps allows: a beam search that judges every state by the
 * greedy filling that follows from it (after Araya and Riff 2014). The beam widens until the steps are spent. Nothing
 * is random: the same cargo gives the same filling on every machine.
 */
import type { Item, Room, Stack } from "./item.ts";
import {
  emptyFilling,
  fillGreedily,
  movesFrom,
  place,
  stacksOf,
  type Filling,
  type PackingContext,
} from "./filling.ts";
import type { Zoning } from "./zones.ts";

export type Filled = {
  readonly stacks: readonly Stack[];
  /** Pieces left of each item. */
  readonly left: Int32Array;
  /** Of the pieces aboard, in cubic millimetres. */
  readonly volume: number;
  readonly weightG: number;
};

/**
 * Counts its steps in `budget`, `stepsMax` at most, except for the first filling, which is always made. A beam that is
 * wide from the beginning finds more with many steps, and less with few.
 */
export function fillRoom(
  items: readonly Item[],
  room: Room,
  stepsMax: number,
  budget: { steps: number },
  isWide = false,
): Filled {
  const { best } = searched(items, room, { stepsMax, isWide }, budget, (filling) =>
    isWhole(filling) ? 0 : Infinity,
  );
  return { stacks: stacksOf(best), left: best.left, volume: best.volume, weightG: best.weightG };
}

/**
 * Looks for other ways to place all pieces, until one costs nothing. The search goes on from the cheapest ways found.
 */
export function placeOtherwise(
  items: readonly Item[],
  room: Room,
  zoning: Zoning,
  stepsMax: number,
  budget: { steps: number },
  costOf: (stacks: readonly Stack[]) => number,
): void {
  const cost = (filling: Filling) => (isWhole(filling) ? costOf(stacksOf(filling)) : Infinity);
  searched(items, room, { stepsMax, isWide: false, zoning }, budget, cost);
}

type SearchLimits = { readonly stepsMax: number; readonly isWide: boolean; readonly zoning?: Zoning };

function searched(
  items: readonly Item[],
  room: Room,
  { stepsMax, isWide, zoning }: SearchLimits,
  budget: { steps: number },
  costOf: Search["costOf"],
): Search {
  const stepsEnd = budget.steps + stepsMax;
  const { context, filling: empty } = emptyFilling(items, room, stepsMax, budget, zoning);
  const best = fillGreedily(context, empty);
  const search: Search = { context, stepsEnd, costOf, best, isFound: costOf(best) === 0 };
  for (let width = isWide ? WIDE : 2; !isDone(search) && width <= WIDTH_MAX;) {
    runBeam(search, empty, width);
    width = Math.ceil(width * WIDENING);
  }
  return search;
}

function isWhole({ left }: Filling): boolean {
  return left.every((pieces) => pieces === 0);
}

const WIDTH_MAX = 128;
const WIDE = 60;
const WIDENING = Math.SQRT2;

type Search = {
  readonly context: PackingContext;
  readonly stepsEnd: number;
  /** Of a full container; 0 ends the search. */
  readonly costOf: (filling: Filling) => number;
  best: Filling;
  isFound: boolean;
};

function isDone({ context, stepsEnd, isFound }: Search): boolean {
  return isFound || context.budget.steps >= stepsEnd;
}

/** One pass from the empty container that keeps `width` states. */
function runBeam(search: Search, empty: Filling, width: number): void {
  let states: readonly Filling[] = [empty];
  while (states.length > 0) {
    const next = states.flatMap((state) => successors(search, state, width));
    // States of the same volumes, now and after the greedy filling, are taken for one.
    const unlike = new Map(next.map((one) => [`${one.filling.volume} ${one.full.volume}`, one]));
    states = [...unlike.values()]
      .toSorted(
        (a, b) =>
          b.full.volume - a.full.volume ||
          (a.cost === b.cost ? b.filling.volume - a.filling.volume : a.cost - b.cost),
      )
      .slice(0, width)
      .map(({ filling }) => filling);
  }
}

/** The next states, each with the greedy filling that follows from it; none once the search is done. */
function successors(
  search: Search,
  state: Filling,
  width: number,
): readonly { readonly filling: Filling; readonly full: Filling; readonly cost: number }[] {
  const { context } = search;
  if (isDone(search)) return [];
  const { filling: tidied, moves } = movesFrom(context, state, width);
  return moves.flatMap((placed) => {
    if (isDone(search)) return [];
    const filling = place(context, tidied, placed);
    const full = fillGreedily(context, filling);
    if (full.volume > search.best.volume) search.best = full;
    const cost = search.costOf(full);
    search.isFound = cost === 0;
    return [{ filling, full, cost }];
  });
}
