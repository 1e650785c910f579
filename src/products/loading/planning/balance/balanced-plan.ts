/**
 * A plan within the limits of weight, as far as it goes: each container is balanced as it is loaded, then loaded in
 * other ways; and if some are still off, like containers share their cargo evenly, which leaves each more room.
 */
import type { LoadRequest } from "../../request/cargo.ts";
import { compareCosts, type LoadedContainer, type SearchBudget } from "../container-filling.ts";
import { costOfAll, loadWith, type PartialPlan } from "../container-set.ts";
import { balanced, BALANCING_ROWS_MAX, type Balanced } from "./balance.ts";
import { isBest, rearranged } from "./rearrangement.ts";

export function inBalance(request: LoadRequest, plan: PartialPlan, budget: SearchBudget): PartialPlan {
  const own = balancedAll(request, plan.containers, budget);
  const balancedPlan = { ...plan, containers: own.map(({ container }) => container) };
  const excess = excessOfAll(own);
  if (excess === 0) return balancedPlan;
  const even = sharedEvenly(request, plan, budget);
  if (even === null || compareCosts(costOfAll(request, even), costOfAll(request, plan)) > 0)
    return balancedPlan;
  const other = balancedAll(request, even.containers, budget);
  if (excessOfAll(other) >= excess) return balancedPlan;
  return { ...even, containers: other.map(({ container }) => container) };
}

function excessOfAll(containers: readonly Balanced[]): number {
  return containers.reduce((sum, { excess }) => sum + excess, 0);
}

/** Of the search steps, beside them. */
const SHARING_SHARE = 0.1;

/** Null: there is one container, or they are not alike. */
function sharedEvenly(
  request: LoadRequest,
  { containers }: PartialPlan,
  { stepsMax, itemsByChoice }: SearchBudget,
): PartialPlan | null {
  const choice = containers[0]!.choice;
  const among = containers.length;
  if (among === 1 || containers.some((one) => one.choice !== choice)) return null;
  const steps = Math.floor(stepsMax * SHARING_SHARE);
  const budget = {
    steps: 0,
    stepsMax: steps,
    fillStepsMax: Math.floor(steps / among),
    isWide: false,
    itemsByChoice,
  };
  return loadWith(request, { choices: [choice], among }, budget);
}

/** Of the search steps, beside them: to place the cargo of containers that are out of balance in other ways. */
const REARRANGING_SHARE = 0.2;

function balancedAll(
  request: LoadRequest,
  containers: readonly LoadedContainer[],
  { stepsMax, itemsByChoice }: SearchBudget,
): readonly Balanced[] {
  const balancing = { rows: BALANCING_ROWS_MAX };
  // Containers filled in the same way are one object.
  const moved = new Map([...new Set(containers)].map((one) => [one, balanced(request, one, balancing)]));
  const unlike = [...moved].filter(([, one]) => !isBest(one));
  let left = Math.floor(stepsMax * REARRANGING_SHARE);
  for (const [at, [container, one]] of unlike.entries()) {
    const budget = {
      steps: 0,
      stepsMax: Math.floor(left / (unlike.length - at)),
      fillStepsMax: 0,
      isWide: false,
      itemsByChoice,
    };
    moved.set(container, rearranged(request, one, budget, balancing));
    left = Math.max(0, left - budget.steps);
  }
  return containers.map((container) => moved.get(container)!);
}
