/** What goes into a container in one step. */
import type { Stack } from "./item.ts";

/** A stack within a block; `isTop`: nothing of the block stands on it, and other cargo may. */
export type Leaf = Stack & { readonly isTop: boolean };

export type Block = {
  readonly dx: number;
  readonly dy: number;
  readonly dz: number;
  /** Of its pieces, without gaps. */
  readonly volume: number;
  readonly weightG: number;
  /** Indices of its items, and how many pieces of each. */
  readonly items: readonly number[];
  readonly counts: readonly number[];
  readonly leaves: readonly Leaf[];
  /** Its top is one rectangle on which cargo may stand. */
  readonly flat: boolean;
  /** Of all its pieces. */
  readonly stop: number;
  /** The most pieces on top of each other. */
  readonly layers: number;
  /** It stands on nothing but the floor. */
  readonly isOnFloor: boolean;
};
