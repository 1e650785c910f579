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
  const stepsEnd = budget.steps + stepsMax;
  const { context, filling: empty } = emptyFilling(items, room, stepsMax, budget);
  const search: Search = { context, stepsEnd, best: fillGreedily(context, empty) };
  for (let width = isWide ? WIDE : 2; !isDone(search) && width <= WIDTH_MAX;) {
    runBeam(search, empty, width);
    width = Math.ceil(width * WIDENING);
  }
  const { best } = search;
  return { stacks: stacksOf(best), left: best.left, volume: best.volume, weightG: best.weightG };
}

const WIDTH_MAX = 128;
const WIDE = 60;
const WIDENING = Math.SQRT2;

type Search = { readonly context: PackingContext; readonly stepsEnd: number; best: Filling };

function isDone({ context, stepsEnd, best }: Search): boolean {
  return context.budget.steps >= stepsEnd || best.left.every((pieces) => pieces === 0);
}

/** One pass from the empty container that keeps `width` states. */
function runBeam(search: Search, empty: Filling, width: number): void {
  let states: readonly Filling[] = [empty];
  while (states.length > 0) {
    const next = states.flatMap((state) => successors(search, state, width));
    // States of the same volumes, now and after the greedy filling, are taken for one.
    const unlike = new Map(next.map((one) => [`${one.filling.volume} ${one.full.volume}`, one]));
    states = [...unlike.values()]
      .toSorted((a, b) => b.full.volume - a.full.volume || b.filling.volume - a.filling.volume)
      .slice(0, width)
      .map(({ filling }) => filling);
  }
}

/** The next states, each with the greedy filling that follows from it; none once the search is done. */
function successors(
  search: Search,
  state: Filling,
  width: number,
): readonly { readonly filling: Filling; readonly full: Filling }[] {
  const { context } = search;
  if (isDone(search)) return [];
  const { filling: tidied, moves } = movesFrom(context, state, width);
  return moves.flatMap((placed) => {
    if (isDone(search)) return [];
    const filling = place(context, tidied, placed);
    const full = fillGreedily(context, filling);
    if (full.volume > search.best.volume) search.best = full;
    return [{ filling, full }];
  });
}
