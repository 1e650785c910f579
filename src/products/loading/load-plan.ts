/**
 * Cargo onto containers: which are used, what each takes, what stays behind and why. Several ways of choosing
 * containers are tried within a bounded amount of work, and the best is taken: that which leaves the least behind,
 * then costs the least (or has the fewest containers, where no costs are given), then has the least room in all.
 */
import { useCheaperContainers } from "./cheaper-containers.ts";
import { posesOf, volumeOf, type CargoLine, type ContainerChoice, type LoadRequest } from "./cargo.ts";
import {
  costOf,
  fillContainer,
  isAllPlaced,
  isBudgetSpent,
  compareCosts,
  createSearchBudget,
  type LoadedContainer,
  type SearchBudget,
} from "./container-filling.ts";
import type { Filled } from "./packing/search.ts";

/** Why pieces stay behind: too large or too heavy for each container offered, or no container left with room. */
export type LeftReason = "too_large" | "too_heavy" | "no_room";

export type LeftBehind = { readonly line: number; readonly count: number; readonly reason: LeftReason };

export type LoadPlan = {
  readonly containers: readonly LoadedContainer[];
  /** By line; those of which all pieces are aboard are not named. */
  readonly left: readonly LeftBehind[];
};

/** Blocks looked at while one plan is made; a few seconds of one core. */
export const SEARCH_STEPS_MAX = 120_000_000;

/** The same for filling one container once. */
export const FILL_STEPS_MAX = 60_000_000;

/** Containers of one plan. */
export const CONTAINERS_MAX = 500;

/** What has been loaded so far. */
type PartialPlan = { readonly containers: readonly LoadedContainer[]; readonly left: Int32Array };

export function planLoad(request: LoadRequest, unitsMax = SEARCH_STEPS_MAX): LoadPlan {
  const { containers } = request;
  const work = createSearchBudget(request, unitsMax, fillStepsMax(request, unitsMax));
  let best: PartialPlan | null = null;
  for (const way of strategiesToTry(containers)) {
    if (best !== null && (isBudgetSpent(work) || !isWorthTrying(request, way, best))) continue;
    const loading = loadWith(request, way, work);
    const cheaper = { ...loading, containers: useCheaperContainers(request, loading.containers, work) };
    if (best === null || isBetter(request, cheaper, best)) best = cheaper;
  }
  return { containers: best!.containers, left: leftBehind(request, best!.left) };
}

/**
 * Which containers are used until they take no more, and then any; and how each is filled: with as much volume as goes in, or `evenly`, with its part of
 * every line. Heavy cargo is then not left to the last, to take containers that are full by weight and all but empty.
 */
type Strategy = { readonly choices: readonly ContainerChoice[]; readonly evenly: boolean };

function strategiesToTry(containers: readonly ContainerChoice[]): readonly Strategy[] {
  const alone = containers.map((choice) => [choice]);
  return [
    { choices: containers, evenly: false },
    ...(alone.length > 1 ? alone : []).map((choices) => ({ choices, evenly: false })),
    ...alone.map((choices) => ({ choices, evenly: true })),
  ];
}

/** Evenly, where weight is what containers are short of and there is something to be won. */
function isWorthTrying(request: LoadRequest, { choices, evenly }: Strategy, best: PartialPlan): boolean {
  if (!evenly) return true;
  const { byVolume, byWeight } = containersNeeded(request, choices[0]!);
  if (2 * byWeight < byVolume) return false;
  return !isAllPlaced(best) || best.containers.length > fewestContainers(request, choices[0]!);
}

/** Containers of a type that the cargo would take if it were sand, or weightless. */
function containersNeeded({ cargo }: LoadRequest, { type }: ContainerChoice) {
  const total = (of: (line: CargoLine) => number) =>
    cargo.reduce((sum, line) => sum + line.count * of(line), 0);
  return {
    byVolume: total(volumeOf) / volumeOf(type),
    byWeight: total(({ weightG }) => weightG) / Math.max(1, type.payloadG),
  };
}

function fewestContainers(request: LoadRequest, choice: ContainerChoice): number {
  const { byVolume, byWeight } = containersNeeded(request, choice);
  return Math.ceil(Math.max(byVolume, byWeight));
}

/** What one filling may take so that there is enough for all: each type is tried twice for each container. */
function fillStepsMax(request: LoadRequest, unitsMax: number): number {
  const { containers } = request;
  const needed = containers.map((choice) => containersNeeded(request, choice));
  const least = Math.max(
    Math.min(...needed.map(({ byVolume }) => byVolume)),
    Math.min(...needed.map(({ byWeight }) => byWeight)),
  );
  const fillings = 2 * containers.length * Math.min(CONTAINERS_MAX, Math.ceil(least) + 1);
  return Math.min(FILL_STEPS_MAX, Math.floor(unitsMax / fillings));
}

function loadWith(request: LoadRequest, { choices, evenly }: Strategy, work: SearchBudget): PartialPlan {
  const hopedFor = evenly ? fewestContainers(request, choices[0]!) : 0;
  let loading: PartialPlan = {
    containers: [],
    left: Int32Array.from(request.cargo, ({ count }) => count),
  };
  const used = new Map<ContainerChoice, number>();
  let latest: ContainerChoice | null = null;
  const free = (all: readonly ContainerChoice[]) =>
    all
      .filter((choice) => (used.get(choice) ?? 0) < (choice.count ?? Infinity))
      // When the work is done, what was best the last time is taken again.
      .toSorted((a, b) => Number(b === latest) - Number(a === latest));
  while (loading.containers.length < CONTAINERS_MAX && !isAllPlaced(loading)) {
    const parts = Math.max(1, hopedFor - loading.containers.length);
    const offered = loading.left.map((pieces) => Math.ceil(pieces / parts));
    const next =
      bestCandidate(free(choices), offered, work) ?? bestCandidate(free(request.containers), offered, work);
    if (next === null) break;
    const { choice, filled } = next;
    const taken = offered.map((pieces, line) => pieces - filled.left[line]!);
    const before = used.get(choice) ?? 0;
    const times = Math.min(
      repeatCount(loading.left, taken),
      (choice.count ?? Infinity) - before,
      CONTAINERS_MAX - loading.containers.length,
    );
    const { stacks, volume, weightG } = filled;
    const container = { choice, stacks, volume, weightG };
    loading = {
      containers: [...loading.containers, ...Array.from({ length: times }, () => container)],
      left: loading.left.map((pieces, line) => pieces - times * taken[line]!),
    };
    used.set(choice, before + times);
    latest = choice;
  }
  return loading;
}

/** How many containers can be filled alike with what there is. */
function repeatCount(left: Int32Array, taken: Int32Array): number {
  let times = Infinity;
  left.forEach((pieces, line) => {
    if (taken[line]! > 0) times = Math.min(times, Math.floor(pieces / taken[line]!));
  });
  return times;
}

type Candidate = { readonly choice: ContainerChoice; readonly filled: Filled; readonly isLast: boolean };

/** Null: nothing of what is offered fits into any of them. */
function bestCandidate(
  free: readonly ContainerChoice[],
  offered: Int32Array,
  work: SearchBudget,
): Candidate | null {
  let best: Candidate | null = null;
  for (const choice of free) {
    if (best !== null && isBudgetSpent(work)) break;
    const filled = fillContainer(choice, work.itemsByChoice.get(choice)!, offered, work);
    if (filled.stacks.length === 0) continue;
    const next = { choice, filled, isLast: isAllPlaced(filled) };
    if (best === null || isBetterCandidate(next, best)) best = next;
  }
  return best;
}

/** Of those that take all that is left, the cheapest; else the one that takes the most for its cost. */
function isBetterCandidate(one: Candidate, other: Candidate): boolean {
  if (one.isLast !== other.isLast) return one.isLast;
  if (one.isLast) return compareCosts(costOf(one.choice), costOf(other.choice)) < 0;
  return one.filled.volume / (one.choice.cost ?? 1) > other.filled.volume / (other.choice.cost ?? 1);
}

function isBetter(request: LoadRequest, one: PartialPlan, other: PartialPlan): boolean {
  return compareCosts(costOfAll(request, one), costOfAll(request, other)) < 0;
}

function costOfAll({ cargo }: LoadRequest, { containers, left }: PartialPlan): readonly number[] {
  const behind = cargo.reduce((sum, line, index) => sum + left[index]! * volumeOf(line), 0);
  const costs = containers.map(({ choice }) => costOf(choice));
  return [behind, ...[0, 1].map((part) => costs.reduce((sum, cost) => sum + cost[part]!, 0))];
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
