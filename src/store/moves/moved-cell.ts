import type { Cell } from "../cell.ts";

/** A cell, and the names of its schema on the way: at the old home behind the fence, and at the new one. */
export type MovedCell = Cell & { readonly fenced: Cell; readonly arriving: Cell };

export function movedCell(cell: Cell): MovedCell {
  const named = (suffix: string): Cell => ({ ...cell, schema: `${cell.schema}_${suffix}` });
  return { ...cell, fenced: named("moving"), arriving: named("arriving") };
}
