/** A set of containers for the cargo of a request, filled one after the other. */
import {
  leastVolumeOf,
  volumeOf,
  type CargoLine,
  type ContainerChoice,
  type LoadRequest,
} from "../request/cargo.ts";
import {
  compareCosts,
  costOf,
  costOfLoaded,
  fillContainer,
  isAllPlaced,
  isBudgetSpent,
  type LoadedContainer,
  type SearchBudget,
} from "./container-filling.ts";
import type { Filled } from "./packing/search.ts";

/** Containers of one plan. */
export const CONTAINERS_MAX = 500;

export type PartialPlan = { readonly containers: readonly LoadedContainer[]; readonly left: Int32Array };

/**
 * `choices` are used first, and then any container. A container takes as much volume as fits or, `among` several,
 * its share of every line: heavy cargo then does not remain for the last containers, full by weight and all but empty.
 */
export type Strategy = { readonly choices: readonly ContainerChoice[]; readonly among: number };

export function loadWith(
  request: LoadRequest,
  { choices, among }: Strategy,
  budget: SearchBudget,
): PartialPlan {
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
    const parts = Math.max(1, among - loading.containers.length);
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

/** Lower bounds, in fractions of containers: for cargo that fills every gap, and for cargo without volume. */
export function containersNeeded({ cargo }: LoadRequest, { type }: ContainerChoice) {
  const total = (of: (line: CargoLine) => number) =>
    cargo.reduce((sum, line) => sum + line.count * of(line), 0);
  return {
    byVolume: total(leastVolumeOf) / volumeOf(type),
    byWeight: total(({ weightG }) => weightG) / Math.max(1, type.payloadG),
  };
}

export function fewestContainers(request: LoadRequest, choice: ContainerChoice): number {
  const { byVolume, byWeight } = containersNeeded(request, choice);
  return Math.ceil(Math.max(byVolume, byWeight));
}

export function costOfAll({ cargo }: LoadRequest, { containers, left }: PartialPlan): readonly number[] {
  const behind = cargo.reduce((sum, line, index) => sum + left[index]! * volumeOf(line), 0);
  const costs = containers.map(costOfLoaded);
  return [behind, ...[0, 1, 2].map((part) => costs.reduce((sum, cost) => sum + cost[part]!, 0))];
}
