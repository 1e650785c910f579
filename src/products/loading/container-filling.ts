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
export type Work = {
  units: number;
  readonly unitsMax: number;
  /** For filling one container once. */
  readonly fillUnitsMax: number;
  readonly itemsOf: ReadonlyMap<ContainerChoice, readonly Item[]>;
};

export function startWork({ cargo, containers }: LoadRequest, unitsMax: number, fillUnitsMax: number): Work {
  const itemsOf = new Map(containers.map((choice) => [choice, itemsFor(cargo, choice.type)]));
  return { units: 0, unitsMax, fillUnitsMax, itemsOf };
}

export function isWorkDone({ units, unitsMax }: Work): boolean {
  return units >= unitsMax;
}

/** `counts`: pieces of each line that may go in. One filling is made even when the work is done. */
export function fillContainer(
  { type }: ContainerChoice,
  items: readonly Item[],
  counts: Int32Array,
  work: Work,
): Filled {
  const room = {
    length: type.lengthMm,
    width: type.widthMm,
    height: type.heightMm,
    payloadG: type.payloadG,
  };
  const some = items.map((item, line) => ({ ...item, count: counts[line]! }));
  const unitsMax = Math.max(0, Math.min(work.fillUnitsMax, work.unitsMax - work.units));
  return fillRoom(some, room, unitsMax, work);
}

/** A container counts as one where no costs are given; then the smaller is the cheaper. */
export function costOf({ cost, type }: ContainerChoice): readonly number[] {
  return [cost ?? 1, volumeOf(type)];
}

/** Below 0: `one` comes before `other`. */
export function order(one: readonly number[], other: readonly number[]): number {
  for (let at = 0; at < one.length; at += 1) {
    if (one[at] !== other[at]) return one[at]! - other[at]!;
  }
  return 0;
}

export function isNoneLeft({ left }: Pick<Filled, "left">): boolean {
  return left.every((pieces) => pieces === 0);
}
