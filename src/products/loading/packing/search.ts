/**
 * Fills one container as well as a bounded amount of work allows: a beam search in which every state is judged by
 * what the plain way of going on makes of it (after Araya and Riff 2014). The beam widens until the work is done.
 * There is no chance in it: the same cargo gives the same filling on every machine.
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

/** Searches until it has done `unitsMax` of work, counted up in `work`; one filling is always made, whatever it takes. */
export function fillRoom(
  items: readonly Item[],
  room: Room,
  unitsMax: number,
  work: { steps: number },
): Filled {
  const unitsEnd = work.steps + unitsMax;
  const { ground, filling: empty } = emptyFilling(items, room, unitsMax, work);
  const search: Search = { ground, unitsEnd, best: fillGreedily(ground, empty) };
  for (let width = 2; !isDone(search) && width <= WIDTH_MAX; width = Math.ceil(width * WIDENING)) {
    runBeam(search, empty, width);
  }
  const { best } = search;
  return { stacks: stacksOf(best), left: best.left, volume: best.volume, weightG: best.weightG };
}

const WIDTH_MAX = 64;
const WIDENING = Math.SQRT2;

type Search = { readonly ground: PackingContext; readonly unitsEnd: number; best: Filling };

function isDone({ ground, unitsEnd, best }: Search): boolean {
  return ground.budget.steps >= unitsEnd || best.left.every((pieces) => pieces === 0);
}

/** One pass of the beam from the empty container, `width` states a step. */
function runBeam(search: Search, empty: Filling, width: number): void {
  let states: readonly Filling[] = [empty];
  while (states.length > 0) {
    const next = states.flatMap((state) => successors(search, state, width));
    // Two ways to the same place end alike.
    const unlike = new Map(next.map((one) => [`${one.filling.volume} ${one.full.volume}`, one]));
    states = [...unlike.values()]
      .toSorted((a, b) => b.full.volume - a.full.volume || b.filling.volume - a.filling.volume)
      .slice(0, width)
      .map(({ filling }) => filling);
  }
}

/** What may come next, and what each makes when it is gone on with in the plain way; none when the work is done. */
function successors(
  search: Search,
  state: Filling,
  width: number,
): readonly { readonly filling: Filling; readonly full: Filling }[] {
  const { ground } = search;
  if (isDone(search)) return [];
  const { filling: looked, moves } = movesFrom(ground, state, width);
  return moves.flatMap((placed) => {
    if (isDone(search)) return [];
    const filling = place(ground, looked, placed);
    const full = fillGreedily(ground, filling);
    if (full.volume > search.best.volume) search.best = full;
    return [{ filling, full }];
  });
}
