/**
 * Cargo into containers: which containers are used, what each takes, what is left behind and why. Several strategies
 * are tried within a budget of search steps. The best plan leaves the least volume behind, then costs the least (or
 * uses the fewest containers, without costs), then has the least inner volume.
 */
import { balanced, BALANCING_ROWS_MAX } from "./balance/balance.ts";
import { useCheaperContainers } from "./cheaper-containers.ts";
import type { LeftReason } from "../event-data.ts";
import {
  itemsFor,
  posesOf,
  volumeOf,
  type CargoLine,
  type ContainerChoice,
  type LoadRequest,
} from "../request/cargo.ts";
import {
  costOf,
  fillContainer,
  isAllPlaced,
  isBudgetSpent,
  compareCosts,
  type LoadedContainer,
  type SearchBudget,
} from "./container-filling.ts";
import type { Filled } from "./packing/search.ts";

type LeftBehind = { readonly line: number; readonly count: number; readonly reason: LeftReason };

export type LoadPlan = {
  readonly containers: readonly LoadedContainer[];
  /** Only lines with pieces left behind. */
  readonly left: readonly LeftBehind[];
};

/** Blocks tried for one plan; a few seconds of one core. */
export const SEARCH_STEPS_MAX = 120_000_000;

/** Blocks tried to fill one container once. */
export const FILL_STEPS_MAX = 60_000_000;

/** Containers of one plan. */
export const CONTAINERS_MAX = 500;

type PartialPlan = { readonly containers: readonly LoadedContainer[]; readonly left: Int32Array };

export function planLoad(request: LoadRequest, stepsMax = SEARCH_STEPS_MAX): LoadPlan {
  const { cargo, containers } = request;
  const budget: SearchBudget = {
    steps: 0,
    stepsMax,
    fillStepsMax: fillStepsMax(request, stepsMax),
    isWide: false,
    itemsByChoice: new Map(containers.map((choice) => [choice, itemsFor(cargo, choice.type)])),
  };
  let best: PartialPlan | null = null;
  for (const strategy of strategiesToTry(containers)) {
    if (best !== null && (isBudgetSpent(budget) || !isWorthTrying(request, strategy, best))) continue;
    const loading = loadWith(request, strategy, budget);
    const cheaper = { ...loading, containers: useCheaperContainers(request, loading.containers, budget) };
    const cost = costOfAll(request, cheaper);
    if (best === null || compareCosts(cost, costOfAll(request, best)) < 0) best = cheaper;
  }
  const fewest = withFewerContainers(request, best!, budget);
  return { containers: balancedAll(request, fewest.containers), left: leftBehind(request, fewest.left) };
}

/** No search here fills more of containers, so none is made. */
const HOPED_FILL_MAX = 0.96;

/** What is left of the budget goes into cheaper sets of like containers that have room for the cargo by its volume. */
function withFewerContainers(request: LoadRequest, from: PartialPlan, budget: SearchBudget): PartialPlan {
  let best = from;
  const hopeful = request.containers
    .map((choice) => ({ choice, count: fewestContainers(request, choice) }))
    .filter(({ choice, count }) => {
      const { byVolume } = containersNeeded(request, choice);
      return count <= (choice.count ?? CONTAINERS_MAX) && byVolume <= HOPED_FILL_MAX * count;
    })
    .map((set) => ({ ...set, cost: [0, ...costOf(set.choice).map((part) => part * set.count)] }))
    .toSorted((a, b) => compareCosts(a.cost, b.cost));
  for (const [at, { choice, count, cost }] of hopeful.entries()) {
    if (isBudgetSpent(budget) || compareCosts(cost, costOfAll(request, best)) >= 0) break;
    const stepsMax = Math.floor((budget.stepsMax - budget.steps) / (hopeful.length - at) / count);
    const wide = { ...budget, fillStepsMax: stepsMax, isWide: true };
    const loading = loadWith(request, { choices: [choice], evenly: false }, wide);
    budget.steps = wide.steps;
    if (compareCosts(costOfAll(request, loading), costOfAll(request, best)) < 0) best = loading;
  }
  return best;
}

function balancedAll(
  request: LoadRequest,
  containers: readonly LoadedContainer[],
): readonly LoadedContainer[] {
  const budget = { rows: BALANCING_ROWS_MAX };
  // Containers filled in the same way are one object.
  const done = new Map<LoadedContainer, LoadedContainer>();
  return containers.map((container) => {
    const other = done.get(container) ?? balanced(request, container, budget);
    done.set(container, other);
    return other;
  });
}

/**
 * `choices` are used first, and then any container. A container takes as much volume as fits or, `evenly`, its share
 * of every line: heavy cargo then does not remain for the last containers, full by weight and all but empty.
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

/** Loading evenly pays only if weight is the limit and the best plan can be improved. */
function isWorthTrying(request: LoadRequest, { choices, evenly }: Strategy, best: PartialPlan): boolean {
  if (!evenly) return true;
  const { byVolume, byWeight } = containersNeeded(request, choices[0]!);
  if (2 * byWeight < byVolume) return false;
  return !isAllPlaced(best) || best.containers.length > fewestContainers(request, choices[0]!);
}

/** Lower bounds, in fractions of containers: for cargo that fills every gap, and for cargo without volume. */
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

/** The budget of one filling that leaves enough for all: each type is tried twice for each container. */
function fillStepsMax(request: LoadRequest, stepsMax: number): number {
  const { containers } = request;
  const needed = containers.map((choice) => containersNeeded(request, choice));
  const least = Math.max(
    Math.min(...needed.map(({ byVolume }) => byVolume)),
    Math.min(...needed.map(({ byWeight }) => byWeight)),
  );
  const fillings = 2 * containers.length * Math.min(CONTAINERS_MAX, Math.ceil(least) + 1);
  return Math.min(FILL_STEPS_MAX, Math.floor(stepsMax / fillings));
}

function loadWith(request: LoadRequest, { choices, evenly }: Strategy, budget: SearchBudget): PartialPlan {
  const targetCount = evenly ? fewestContainers(request, choices[0]!) : 0;
  let loading: PartialPlan = {
    containers: [],
    left: Int32Array.from(request.cargo, ({ count }) => count),
  };
  const used = new Map<ContainerChoice, number>();
  let latest: ContainerChoice | null = null;
  const available = (all: readonly ContainerChoice[]) =>
    all
      .filter((choice) => (used.get(choice) ?? 0) < (choice.count ?? Infinity))
      // Once the budget is spent, only the first is tried: the latest choice.
      .toSorted((a, b) => Number(b === latest) - Number(a === latest));
  while (loading.containers.length < CONTAINERS_MAX && !isAllPlaced(loading)) {
    const parts = Math.max(1, targetCount - loading.containers.length);
    const offered = loading.left.map((pieces) => Math.ceil(pieces / parts));
    const next =
      bestCandidate(available(choices), offered, budget) ??
      bestCandidate(available(request.containers), offered, budget);
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

/** How many containers the pieces left can fill in the same strategy. */
function repeatCount(left: Int32Array, taken: Int32Array): number {
  let times = Infinity;
  left.forEach((pieces, line) => {
    if (taken[line]! > 0) times = Math.min(times, Math.floor(pieces / taken[line]!));
  });
  return times;
}

type Candidate = { readonly choice: ContainerChoice; readonly filled: Filled; readonly isLast: boolean };

/** Null: no piece offered fits into any of them. */
function bestCandidate(
  free: readonly ContainerChoice[],
  offered: Int32Array,
  budget: SearchBudget,
): Candidate | null {
  let best: Candidate | null = null;
  for (const choice of free) {
    if (best !== null && isBudgetSpent(budget)) break;
    const filled = fillContainer(choice, offered, budget);
    if (filled.stacks.length === 0) continue;
    const next = { choice, filled, isLast: isAllPlaced(filled) };
    if (best === null || isBetterCandidate(next, best)) best = next;
  }
  return best;
}

/** The cheapest that takes all pieces; else the one that takes the most volume for its cost. */
function isBetterCandidate(one: Candidate, other: Candidate): boolean {
  if (one.isLast !== other.isLast) return one.isLast;
  if (one.isLast) return compareCosts(costOf(one.choice), costOf(other.choice)) < 0;
  return one.filled.volume / (one.choice.cost ?? 1) > other.filled.volume / (other.choice.cost ?? 1);
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
