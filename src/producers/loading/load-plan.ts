/**
 * Cargo onto containers: which are used, what each takes, what stays behind and why. Several ways of choosing
 * containers are tried within a bounded amount of work, and the best is taken: that which leaves the least behind,
 * then costs the least (or has the fewest containers, where no costs are given), then has the least room in all.
 */
import {
  itemsFor,
  posesOf,
  volumeOf,
  type CargoLine,
  type ContainerChoice,
  type LoadRequest,
} from "./cargo.ts";
import type { Item, Stack } from "./packing/item.ts";
import { fillRoom, type Filled } from "./packing/search.ts";

export type LoadedContainer = {
  readonly choice: ContainerChoice;
  readonly stacks: readonly Stack[];
  readonly volume: number;
  readonly weightG: number;
};

/** Why pieces stay behind: too large or too heavy for each container offered, or no container left with room. */
export type LeftReason = "too_large" | "too_heavy" | "no_room";

export type LeftBehind = { readonly line: number; readonly count: number; readonly reason: LeftReason };

export type LoadPlan = {
  readonly containers: readonly LoadedContainer[];
  /** By line; those of which all pieces are aboard are not named. */
  readonly left: readonly LeftBehind[];
};

/** Blocks looked at while one plan is made; a few seconds of one core. */
export const WORK_UNITS_MAX = 120_000_000;

/** The same for filling one container once. */
export const FILL_UNITS_MAX = 60_000_000;

/** Containers of one plan. */
export const CONTAINERS_MAX = 500;

/** What has been done of the work allowed, and the cargo as each container takes it. */
type Work = {
  units: number;
  readonly unitsMax: number;
  readonly fillUnitsMax: number;
  readonly itemsOf: ReadonlyMap<ContainerChoice, readonly Item[]>;
};

/** What has been loaded so far. */
type Loading = { readonly containers: readonly LoadedContainer[]; readonly left: Int32Array };

export function planLoad(request: LoadRequest, unitsMax = WORK_UNITS_MAX): LoadPlan {
  const { containers } = request;
  const itemsOf = new Map(containers.map((choice) => [choice, itemsFor(request.cargo, choice.type)]));
  const work: Work = { units: 0, unitsMax, fillUnitsMax: fillUnits(request, unitsMax), itemsOf };
  let best = loadAll(request, containers, work);
  if (containers.length > 1) {
    for (const choice of containers) {
      if (work.units >= work.unitsMax) break;
      const only = loadAll(request, [choice], work);
      if (isBetter(request, only, best)) best = only;
    }
  }
  return { containers: best.containers, left: leftBehind(request, best.left) };
}

/** What one filling may take so that there is enough for all: each type is tried twice for each container. */
function fillUnits({ cargo, containers }: LoadRequest, unitsMax: number): number {
  const total = (of: (line: CargoLine) => number) =>
    cargo.reduce((sum, line) => sum + line.count * of(line), 0);
  const largest = (of: (choice: ContainerChoice) => number) => Math.max(1, ...containers.map(of));
  const needed = Math.max(
    total(volumeOf) / largest(({ type }) => volumeOf(type)),
    total(({ weightG }) => weightG) / largest(({ type }) => type.payloadG),
  );
  const fillings = 2 * containers.length * Math.min(CONTAINERS_MAX, Math.ceil(needed) + 1);
  return Math.min(FILL_UNITS_MAX, Math.floor(unitsMax / fillings));
}

function loadAll(request: LoadRequest, choices: readonly ContainerChoice[], work: Work): Loading {
  let loading: Loading = {
    containers: [],
    left: Int32Array.from(request.cargo, ({ count }) => count),
  };
  const used = new Map<ContainerChoice, number>();
  let latest: ContainerChoice | null = null;
  while (loading.containers.length < CONTAINERS_MAX) {
    const free = choices
      .filter((choice) => (used.get(choice) ?? 0) < (choice.count ?? Infinity))
      // When the work is done, what was best the last time is taken again.
      .toSorted((a, b) => Number(b === latest) - Number(a === latest));
    const next = bestNext(free, loading, work);
    if (next === null) break;
    const { choice, filled } = next;
    const before = used.get(choice) ?? 0;
    const times = Math.min(
      repeats(loading.left, filled.left),
      (choice.count ?? Infinity) - before,
      CONTAINERS_MAX - loading.containers.length,
    );
    loading = loaded(loading, choice, filled, times);
    used.set(choice, before + times);
    latest = choice;
  }
  return loading;
}

/** How many containers can be filled alike with what there is. */
function repeats(before: Int32Array, after: Int32Array): number {
  let times = Infinity;
  before.forEach((pieces, line) => {
    const taken = pieces - after[line]!;
    if (taken > 0) times = Math.min(times, Math.floor(pieces / taken));
  });
  return times;
}

function loaded(loading: Loading, choice: ContainerChoice, filled: Filled, times: number): Loading {
  const { stacks, volume, weightG } = filled;
  const container = { choice, stacks, volume, weightG };
  return {
    containers: [...loading.containers, ...Array.from({ length: times }, () => container)],
    left: loading.left.map((pieces, line) => pieces - times * (pieces - filled.left[line]!)),
  };
}

type Next = { readonly choice: ContainerChoice; readonly filled: Filled; readonly isLast: boolean };

/** Null: nothing that is left fits into any of them. */
function bestNext(free: readonly ContainerChoice[], loading: Loading, work: Work): Next | null {
  let best: Next | null = null;
  for (const choice of free) {
    if (best !== null && work.units >= work.unitsMax) break;
    const { type } = choice;
    const room = {
      length: type.lengthMm,
      width: type.widthMm,
      height: type.heightMm,
      payloadG: type.payloadG,
    };
    const items = work.itemsOf.get(choice)!.map((item, line) => ({ ...item, count: loading.left[line]! }));
    const unitsMax = Math.max(0, Math.min(work.fillUnitsMax, work.unitsMax - work.units));
    const filled = fillRoom(items, room, unitsMax, work);
    if (filled.stacks.length === 0) continue;
    const next = { choice, filled, isLast: filled.left.every((pieces) => pieces === 0) };
    if (best === null || isNextBetter(next, best)) best = next;
  }
  return best;
}

/** Of those that take all that is left, the cheapest; else the one that takes the most for its cost. */
function isNextBetter(one: Next, other: Next): boolean {
  if (one.isLast !== other.isLast) return one.isLast;
  if (one.isLast) return order(costOf(one.choice), costOf(other.choice)) < 0;
  return one.filled.volume / (one.choice.cost ?? 1) > other.filled.volume / (other.choice.cost ?? 1);
}

/** A container counts as one where no costs are given; then the smaller is the cheaper. */
function costOf({ cost, type }: ContainerChoice): readonly number[] {
  return [cost ?? 1, type.lengthMm * type.widthMm * type.heightMm];
}

function isBetter(request: LoadRequest, one: Loading, other: Loading): boolean {
  return order(costOfAll(request, one), costOfAll(request, other)) < 0;
}

function costOfAll({ cargo }: LoadRequest, { containers, left }: Loading): readonly number[] {
  const behind = cargo.reduce((sum, line, index) => sum + left[index]! * volumeOf(line), 0);
  const costs = containers.map(({ choice }) => costOf(choice));
  return [behind, ...[0, 1].map((part) => costs.reduce((sum, cost) => sum + cost[part]!, 0))];
}

function order(one: readonly number[], other: readonly number[]): number {
  for (let at = 0; at < one.length; at += 1) {
    if (one[at] !== other[at]) return one[at]! - other[at]!;
  }
  return 0;
}

function leftBehind({ cargo, containers }: LoadRequest, left: Int32Array): readonly LeftBehind[] {
  return cargo.flatMap((line, index) => {
    const count = left[index]!;
    if (count === 0) return [];
    const fitting = containers.filter(({ type }) => posesOf(line, type).length > 0);
    const light = fitting.filter(({ type }) => line.weightG <= type.payloadG);
    const reason: LeftReason =
      fitting.length === 0 ? "too_large" : light.length === 0 ? "too_heavy" : "no_room";
    return [{ line: index, count, reason }];
  });
}
