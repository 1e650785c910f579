/** Groups in the order of a time, made in slices, and places in them. */
import type { SlicedWork } from "../../../runtime/time-slices.ts";
import type { Effort } from "./effort.ts";

export type Groups<Item> = ReadonlyMap<string, readonly Item[]>;

/** Items between two chances for others to go on. */
const ITEMS_A_STEP = 500;

/** Without items that have no such time, or no key. */
export function* groupInOrder<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | null,
  timeOf: (item: Item) => number | null,
  effort: Effort,
): SlicedWork<Groups<Item>> {
  const groups = new Map<string, Item[]>();
  for (const [index, item] of items.entries()) {
    if (index % ITEMS_A_STEP === 0) yield;
    effort.spend(1);
    const key = timeOf(item) === null ? null : keyOf(item);
    if (key === null) continue;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [item]);
    else known.push(item);
  }
  let sorted = 0;
  for (const group of groups.values()) {
    group.sort((one, other) => timeOf(one)! - timeOf(other)!);
    sorted += group.length;
    if (sorted < ITEMS_A_STEP) continue;
    yield;
    sorted = 0;
  }
  return groups;
}

/** Of places in order, the first at which it holds; it holds at all behind that. */
export function placeOfFirst(length: number, holds: (at: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
