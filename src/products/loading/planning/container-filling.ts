/** Fills one container with the cargo left, within the search budget of the plan. */
import { volumeOf, type ContainerChoice } from "../request/cargo.ts";
import { piecesOf, type Item, type Room, type Stack } from "./packing/item.ts";
import { fillRoom, type Filled } from "./packing/search.ts";

export type LoadedContainer = {
  readonly choice: ContainerChoice;
  readonly stacks: readonly Stack[];
  readonly volume: number;
  readonly weightG: number;
};

/** The search steps done and allowed, and the poses of the cargo in each container. */
export type SearchBudget = {
  steps: number;
  readonly stepsMax: number;
  /** To fill one container once. */
  readonly fillStepsMax: number;
  /** Whether the search is wide from the beginning. */
  readonly isWide: boolean;
  readonly itemsByChoice: ReadonlyMap<ContainerChoice, readonly Item[]>;
};

export function isBudgetSpent({ steps, stepsMax }: SearchBudget): boolean {
  return steps >= stepsMax;
}

/** `counts`: pieces of each line that may go in. Even with a spent budget, one filling is made. */
export function fillContainer(choice: ContainerChoice, counts: Int32Array, budget: SearchBudget): Filled {
  const offered = budget.itemsByChoice.get(choice)!.map((item, line) => ({ ...item, count: counts[line]! }));
  const stepsMax = Math.max(0, Math.min(budget.fillStepsMax, budget.stepsMax - budget.steps));
  return fillRoom(offered, roomOf(choice), stepsMax, budget, budget.isWide);
}

export function roomOf({ type }: ContainerChoice): Room {
  const { lengthMm: length, widthMm: width, heightMm: height, payloadG } = type;
  return { length, width, height, payloadG };
}

/** Without costs a container costs 1; of equal costs, the smaller container is cheaper. */
export function costOf({ cost, type }: ContainerChoice): readonly number[] {
  return [cost ?? 1, volumeOf(type)];
}

/** With its pieces that stand out of it, before its volume. */
export function costOfLoaded({
  choice,
  stacks,
}: Pick<LoadedContainer, "choice" | "stacks">): readonly number[] {
  const [cost, volume] = costOf(choice);
  const out = stacks.filter(({ pose }) => pose.out !== undefined);
  return [cost!, out.reduce((sum, stack) => sum + piecesOf(stack), 0), volume!];
}

/** Negative: `one` is cheaper. */
export function compareCosts(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((part, index) => part !== other[index]);
  return at === -1 ? 0 : one[at]! - other[at]!;
}

export function isAllPlaced({ left }: Pick<Filled, "left">): boolean {
  return left.every((pieces) => pieces === 0);
}
