import type { Cell } from "../../store/cell.ts";

/**
 * This process as a node of one cell. Its number changes when it was replaced while frozen or disconnected
 * and joined again; it no longer owns what it claimed under the old number.
 */
export type Member = {
  readonly cell: Cell;
  /** The current number; 0 before the first join, and between being replaced and joining again. */
  node: number;
  /** False while another node may have taken over. */
  maySend(): boolean;
};
