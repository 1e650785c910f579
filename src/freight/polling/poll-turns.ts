/** Which cells a poller asks, and how it learns that something is due there sooner. */
import { failureLevel } from "../../model/errors.ts";
import type { Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";
import { notifyWork } from "../../store/endpoints/invalidations.ts";
import type { NodeContext } from "../../store/node-context.ts";
import { perCell } from "../../store/per-cell.ts";
import { createCellTurns, type CellTurns } from "../work/cell-turns.ts";
import type { OnWork } from "../work/wakes.ts";
import { createAccountTurns, type AccountTurns } from "./account-turns.ts";
import { createBatch } from "../../engine/batch-writer.ts";
import type { PollUpdate } from "./poll-handler.ts";

export type PollTurns = {
  readonly polls: CellTurns;
  readonly reevaluations: CellTurns;
  readonly accounts: AccountTurns;
  /** A shipment of the cell has become due. Other nodes are notified: this one may not poll, or have no slot. */
  wake(cell: Cell): void;
  /** A claim has been given back. */
  released(cell: Cell): void;
  /** A result is about to be written: its commit may be unknown. */
  written(cell: Cell, update: PollUpdate): void;
};

type TurnsPorts = Pick<NodeContext, "clock" | "log"> & {
  readonly database: Connection;
  readonly onWork?: OnWork;
};

/** Wakes of a cell within this time share one notification. */
const NOTIFY_GATHER_MS = 100;

/** `everyMs`: between two rounds. */
export function createPollTurns(ports: TurnsPorts, cells: readonly Cell[], everyMs: number): PollTurns {
  const { clock, database, log, onWork } = ports;
  const polls = createCellTurns(clock, cells, everyMs);
  const reevaluations = createCellTurns(clock, cells, everyMs);
  const accounts = createAccountTurns(database, clock);
  const forget = (cell: Cell): void => {
    polls.forget(cell);
    reevaluations.forget(cell);
  };
  const gathering = { batchMax: Number.POSITIVE_INFINITY, gatherMs: NOTIFY_GATHER_MS };
  const notifyIn = perCell((cell) =>
    createBatch<null, null>(gathering, clock, async (wakes) => {
      await notifyWork(database, cell);
      return [...wakes];
    }),
  );
  onWork?.(forget);
  return {
    polls,
    reevaluations,
    accounts,
    wake(cell) {
      polls.wake(cell);
      reevaluations.forget(cell);
      accounts.wake(cell);
      notifyIn(cell)(null).catch((cause: unknown) =>
        log[failureLevel(cause)](
          { cause, cell: cell.number },
          "other nodes find what is due at the cell's next turn",
        ),
      );
    },
    released: forget,
    written(cell, { result: { nextPollAtMs, state } }) {
      if (nextPollAtMs !== null) polls.expect(cell, nextPollAtMs);
      const changesAtMs = state?.changesAtMs ?? null;
      if (changesAtMs !== null) reevaluations.expect(cell, changesAtMs);
    },
  };
}
