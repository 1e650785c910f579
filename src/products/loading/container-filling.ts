/** One container of a choice, filled with what is left of the cargo, within the work that one plan may take. */
import { itemsFor, volumeOf, type ContainerChoice, type LoadRequest } from "./cargo.ts";
import type { Item, Stack } from "./packing/item.ts";
import { fillRoom, type Filled } from "./packing/search.ts";

export type LoadedContainer = {
  readonly choice: ContainerChoice;
  readonly stacks: readonly Stack[];
  readonly volume: number;
  readonly weightG: number;
};

/** What has been done of the work allowed, and the cargo as each container takes it. */
export type SearchBudget = {
  steps: number;
  readonly stepsMax: number;
  /** For filling one container once. */
  readonly fillStepsMax: number;
  readonly itemsByChoice: ReadonlyMap<ContainerChoice, readonly Item[]>;
};

export function createSearchBudget(
  { cargo, containers }: LoadRequest,
  unitsMax: number,
  fillUnitsMax: number,
): SearchBudget {
  const itemsOf = new Map(containers.map((choice) => [choice, itemsFor(cargo, choice.type)]));
  return { steps: 0, stepsMax: unitsMax, fillStepsMax: fillUnitsMax, itemsByChoice: itemsOf };
}

export function isBudgetSpent({ steps, stepsMax }: SearchBudget): boolean {
  return steps >= stepsMax;
}

/** `counts`: pieces of each line that may go in. One filling is made even when the work is done. */
export function fillContainer(
  { type }: ContainerChoice,
  items: readonly Item[],
  counts: Int32Array,
  work: SearchBudget,
): Filled {
  const room = {
    length: type.lengthMm,
    width: type.widthMm,
    height: type.heightMm,
    payloadG: type.payloadG,
  };
  const some = items.map((item, line) => ({ ...item, count: counts[line]! }));
  const unitsMax = Math.max(0, Math.min(work.fillStepsMax, work.stepsMax - work.steps));
  return fillRoom(some, room, unitsMax, work);
}

/** A container counts as one where no costs are given; then the smaller is the cheaper. */
export function costOf({ cost, type }: ContainerChoice): readonly number[] {
  return [cost ?? 1, volumeOf(type)];
}

/** Below 0: `one` comes before `other`. */
export function compareCosts(one: readonly number[], other: readonly number[]): number {
  for (let at = 0; at < one.length; at += 1) {
    if (one[at] !== other[at]) return one[at]! - other[at]!;
  }
  return 0;
}

export function isAllPlaced({ left }: Pick<Filled, "left">): boolean {
  return left.every((pieces) => pieces === 0);
}
