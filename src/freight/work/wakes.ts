import type { Cell } from "../../store/cell.ts";

/** Calls `listener` when something in a cell may be due sooner than this node knows. */
export type OnWork = (listener: (cell: Cell) => void) => void;

/** Passes on what other nodes notify of (`notifyWork`). */
export function createWakes(): { readonly onWork: OnWork; readonly emit: (cell: Cell) => void } {
  const listeners: ((cell: Cell) => void)[] = [];
  return {
    onWork: (listener) => void listeners.push(listener),
    emit(cell) {
      for (const listener of listeners) listener(cell);
    },
  };
}
