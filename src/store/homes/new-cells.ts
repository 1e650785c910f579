/**
 * Takes up cells that are added while the process runs, one after the other.
 *
 *     listed ─▶ migrated and placed ─▶ its engine exists ─▶ of the process's cells ─▶ the engine starts: a node of the cell
 *       │
 *       └─ not usable here: said once, and tried again. Its server cannot be reached, or is not named here, or a later
 *          version has made the cell
 *
 * At its end `boathook cells open` counts the process as one of its users (nodes/in-use.ts). Until then the
 * cell is closed, so that nothing is missed there.
 */
import { failureLevel } from "../../model/errors.ts";
import type { Log } from "../../runtime/log.ts";
import { cellsNamed, type Cell } from "../cell.ts";

export type NewCellsPorts = {
  /** Those of the process, which grow. */
  readonly cells: [Cell, ...Cell[]];
  /** How many the directory lists. */
  readonly listedCount: () => number;
  /** Migrates and places the cell, or rejects. */
  readonly prepare: (added: Cell) => Promise<void>;
  readonly log: Log;
};

/** Called before the cell is among those of the process, for which it must not wait. */
export type OnCellAdded = (added: Cell) => void;

export function createNewCells({ cells, listedCount, prepare, log }: NewCellsPorts) {
  let told: number | null = null;
  /** Call it after the directory was read, one call at a time. Never rejects. */
  return async (onAdded: OnCellAdded): Promise<void> => {
    while (cells.length < listedCount()) {
      const number = cells.length;
      const added = cellsNamed(cells[0].directory, number + 1)[number]!;
      try {
        await prepare(added);
      } catch (cause) {
        if (told !== number)
          log[failureLevel(cause)]({ cell: number, cause }, "a cell was added that this node cannot use yet");
        told = number;
        return;
      }
      onAdded(added);
      cells.push(added);
    }
  };
}
