/**
 * Cargo into containers: which containers are used, what each takes, what is left behind and why. Several strategies
 * are tried within a budget of search steps. The best plan leaves the least volume behind, then costs the least (or
 * uses the fewest containers, without costs), then has the fewest pieces that stand out of open containers, then the
 * least inner volume.
 */
import { leftOfLines, type LeftBehind } from "./pallets/left-behind.ts";
import { palletise } from "./pallets/build-pallets.ts";
import type { BuiltPallet } from "./pallets/built-pallet.ts";
import { inBalance } from "./balance/balanced-plan.ts";
import { useCheaperContainers } from "./cheaper-containers.ts";
import type { LeftReason } from "../event-data.ts";
import { itemsFor, isKeptOutByDoor, posesOf, type LoadRequest } from "../request/cargo.ts";
import {
  compareCosts,
  costOf,
  isAllPlaced,
  isBudgetSpent,
  type LoadedContainer,
  type SearchBudget,
} from "./container-filling.ts";
import {
  containersNeeded,
  CONTAINERS_MAX,
  costOfAll,
  fewestContainers,
  loadWith,
  type PartialPlan,
  type Strategy,
} from "./container-set.ts";

export type LoadPlan = {
  /** The request without palletised pieces, and with their pallets as lines after its own. */
  readonly loaded: LoadRequest;
  readonly pallets: readonly BuiltPallet[];
  readonly containers: readonly LoadedContainer[];
  /** Only lines of the request with pieces left behind. */
  readonly left: readonly LeftBehind[];
};

/** Blocks tried for one plan; a few seconds of one core. */
export const SEARCH_STEPS_MAX = 120_000_000;

/** Blocks tried to fill one container once. */
export const FILL_STEPS_MAX = 60_000_000;

/** Of the search steps, beside them: to build pallets. */
const BUILDING_SHARE = 0.2;

export function planLoad(request: LoadRequest, stepsMax = SEARCH_STEPS_MAX): LoadPlan {
  const palletised = palletise(request, Math.floor(stepsMax * BUILDING_SHARE));
  const { loaded, pallets } = palletised;
  const { containers, left } = planCargo(loaded, stepsMax);
  return { loaded, pallets, containers, left: leftOfLines(request, palletised, left) };
}

function planCargo(request: LoadRequest, stepsMax: number): Pick<LoadPlan, "containers" | "left"> {
  const { cargo, containers } = request;
  const budget: SearchBudget = {
    steps: 0,
    stepsMax,
    fillStepsMax: fillStepsMax(request, stepsMax),
    isWide: false,
    itemsByChoice: new Map(containers.map((choice) => [choice, itemsFor(cargo, choice.type)])),
  };
  let best: PartialPlan | null = null;
  for (const strategy of strategiesToTry(request)) {
    if (best !== null && (isBudgetSpent(budget) || !isWorthTrying(request, strategy, best))) continue;
    const loading = loadWith(request, strategy, budget);
    const cheaper = { ...loading, containers: useCheaperContainers(request, loading.containers, budget) };
    const cost = costOfAll(request, cheaper);
    if (best === null || compareCosts(cost, costOfAll(request, best)) < 0) best = cheaper;
  }
  const fewest = withFewerContainers(request, best!, budget);
  const { containers: loaded, left } = inBalance(request, fewest, budget);
  return { containers: loaded, left: leftBehind(request, left) };
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
    .map((set) => {
      const [cost, volume] = costOf(set.choice).map((part) => part * set.count);
      return { ...set, cost: [0, cost!, 0, volume!] };
    })
    .toSorted((a, b) => compareCosts(a.cost, b.cost));
  for (const [at, { choice, count, cost }] of hopeful.entries()) {
    if (isBudgetSpent(budget) || compareCosts(cost, costOfAll(request, best)) >= 0) break;
    const stepsMax = Math.floor((budget.stepsMax - budget.steps) / (hopeful.length - at) / count);
    const wide = { ...budget, fillStepsMax: stepsMax, isWide: true };
    const loading = loadWith(request, { choices: [choice], among: 0 }, wide);
    budget.steps = wide.steps;
    if (compareCosts(costOfAll(request, loading), costOfAll(request, best)) < 0) best = loading;
  }
  return best;
}

function strategiesToTry(request: LoadRequest): readonly Strategy[] {
  const { containers } = request;
  const alone = containers.map((choice) => [choice]);
  return [
    { choices: containers, among: 0 },
    ...(alone.length > 1 ? alone : []).map((choices) => ({ choices, among: 0 })),
    ...alone.map((choices) => ({ choices, among: fewestContainers(request, choices[0]!) })),
  ];
}

/** Loading evenly pays only if weight is the limit and the best plan can be improved. */
function isWorthTrying(request: LoadRequest, { choices, among }: Strategy, best: PartialPlan): boolean {
  if (among === 0) return true;
  const { byVolume, byWeight } = containersNeeded(request, choices[0]!);
  if (2 * byWeight < byVolume) return false;
  return !isAllPlaced(best) || best.containers.length > among;
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

function leftBehind({ cargo, containers }: LoadRequest, left: Int32Array): readonly LeftBehind[] {
  return cargo.flatMap((line, index) => {
    const count = left[index]!;
    if (count === 0) return [];
    const fitting = containers.filter(({ type }) => posesOf(line, type).length > 0);
    const light = fitting.filter(({ type }) => line.weightG <= type.payloadG);
    const inside = containers.some(({ type }) => isKeptOutByDoor(line, type));
    const unfit: LeftReason = inside ? "door_too_small" : "too_large";
    const reason = fitting.length === 0 ? unfit : light.length === 0 ? "too_heavy" : "no_room";
    return [{ line: index, count, reason }];
  });
}
