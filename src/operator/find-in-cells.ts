import Type from "typebox";

import { StoreUnavailable } from "../model/errors.ts";
import { nameOfCell, type Cell } from "../store/cell.ts";
import { inCells } from "../store/in-cells.ts";
import type { NodeContext } from "../store/node-context.ts";

/** A cell that takes longer is left out, and named. */
const CELL_MS_MAX = 3_000;

/** Fewer than a server's connections: others need them too. */
const CELLS_AT_ONCE_MAX = 4;

/**
 * What an id alone does not say the cell of; null when no cell has it. Throws `StoreUnavailable` when no cell that
 * answers has it and another does not answer.
 */
export async function findInCells<T>(
  { clock, cells }: Pick<NodeContext, "clock" | "cells">,
  find: (cell: Cell) => Promise<T | null>,
): Promise<{ readonly cell: Cell; readonly found: T } | null> {
  const { answers, failures } = await askCells({ clock, cells }, async (cell) => ({
    cell,
    found: await find(cell),
  }));
  for (const { cell, found } of answers) if (found !== null) return { cell, found };
  if (failures.length > 0) throw failures[0]!;
  return null;
}

/** Of an answer over all cells. */
export const UnavailableCells = Type.Array(Type.String(), { description: "what they have is missing" });

/** What each cell that can be reached answered, and the names of the others. */
export type AskedCells<T> = {
  readonly answers: readonly T[];
  readonly unavailable: readonly string[];
  readonly failures: readonly Error[];
};

/** Throws any failure but that a cell cannot be reached, and that of all. */
export async function askCells<T>(
  { clock, cells }: Pick<NodeContext, "clock" | "cells">,
  ask: (cell: Cell) => Promise<T>,
): Promise<AskedCells<T>> {
  const asked = await inCells(
    clock,
    cells,
    CELL_MS_MAX,
    async (cell) => ({ cell, answer: await ask(cell) }),
    CELLS_AT_ONCE_MAX,
  );
  const { answers, failures } = asked;
  const fault = failures.find((one) => !(one instanceof StoreUnavailable));
  if (fault !== undefined) throw fault;
  if (answers.length === 0) throw failures[0]!;
  const answered = new Set(answers.map(({ cell }) => cell));
  return {
    answers: answers.map(({ answer }) => answer),
    unavailable: cells.filter((cell) => !answered.has(cell)).map(nameOfCell),
    failures,
  };
}
