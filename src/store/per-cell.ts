import type { Cell } from "./cell.ts";

/** Makes what belongs to a cell when the cell is first met: cells are added while a process runs. */
export function perCell<T>(make: (cell: Cell) => T): (cell: Cell) => T {
  const made = new Map<Cell, T>();
  return (cell) => {
    const known = made.get(cell);
    if (known !== undefined) return known;
    const one = make(cell);
    made.set(cell, one);
    return one;
  };
}
