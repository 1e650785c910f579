import type { Cell } from "../../store/cell.ts";

/**
 * This process as a node of one cell. The number changes when the node was replaced while it was
 * frozen or cut off and has joined anew; what it held under the old number is not its own any more.
 */
export type Member = {
  readonly cell: Cell;
  /** The current number; 0 before the first join, and from being replaced to joining anew. */
  node: number;
  /** False while the node cannot be sure that no other has taken its place. */
  maySend(): boolean;
};
