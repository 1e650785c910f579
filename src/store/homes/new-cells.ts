/**
 * Takes up cells that are added while the process runs.
 *
 *     listed ─▶ migrated and placed ─▶ its engine exists ─▶ of the process's cells ─▶ the engine starts: a node of the cell
 *       │              └─ its server is unreachable: the same, and the cell waits like one that is gone at a start
 *       └─ its server is not named here, or a newer build made it: said once, and tried again
 *
 * Only then does `boathook cells open` count the process among those that use the cell (nodes/in-use.ts).
 */
import { failureLevel } from "../../model/errors.ts";
import type { Log } from "../../runtime/log.ts";
import { cellsNamed, type Cell } from "../cell.ts";

export type NewCellsPorts = {
  /** Those of the process, which grow. */
  readonly cells: [Cell, ...Cell[]];
  /** How many the directory lists. */
  readonly listedCount: () => number;
  /** Migrates and places them. */
  readonly prepare: (added: readonly Cell[]) => Promise<void>;
  readonly log: Log;
};

/** Called before the cells are among those of the process, which it must not wait for. */
export type OnCellsAdded = (added: readonly Cell[]) => void;

export function createNewCells({ cells, listedCount, prepare, log }: NewCellsPorts) {
  let told = "";
  /** Call it after the directory was read, one call at a time. Never rejects. */
  return async (onAdded: OnCellsAdded): Promise<void> => {
    const count = Math.max(cells.length, listedCount());
    const added = cellsNamed(cells[0].directory, count).slice(cells.length);
    if (added.length === 0) return;
    try {
      await prepare(added);
    } catch (cause) {
      const { message } = cause as Error;
      const level = message === told ? "debug" : failureLevel(cause);
      const fields = { cells: added.map(({ number }) => number), cause };
      log[level](fields, "cells were added that this node cannot use yet");
      told = message;
      return;
    }
    onAdded(added);
    cells.push(...added);
  };
}
