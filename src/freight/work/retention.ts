/** Deletes what is old from the cells, every hour, whether or not anything is added. */
import { HOUR_MS, MINUTE_MS } from "../../runtime/durations.ts";
import { createInterval, type Interval } from "../../runtime/interval.ts";
import type { Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";
import { inCells } from "../../store/in-cells.ts";
import type { NodeContext } from "../../store/node-context.ts";
import { pruneAll } from "../../store/prune-step.ts";

/** A cell that takes longer is left to the next round. */
const CELL_MS_MAX = MINUTE_MS;
/** Statements of one round in one cell, each of a bounded number of rows. */
const STATEMENTS_MAX = 200;

/** `name`: "air messages". The first round is an hour from now; any number of nodes may do it at once. */
export function createRetention(
  ports: Pick<NodeContext, "database" | "cells" | "clock" | "log" | "loops">,
  name: string,
  keptMs: number,
  prune: (
    db: Connection,
    cell: Cell,
    given: { readonly before: number; readonly limit: number },
  ) => Promise<{ readonly count: number }>,
): Interval {
  const { database, cells, clock, log } = ports;
  const round = async (isStopped: () => boolean): Promise<void> => {
    const before = clock.nowMs() - keptMs;
    const { failures } = await inCells(clock, cells, CELL_MS_MAX, (cell) =>
      pruneAll(STATEMENTS_MAX, isStopped, (limit) => prune(database, cell, { before, limit })),
    );
    const [failure] = failures;
    if (failure !== undefined) throw failure;
  };
  const options = { name, everyMs: HOUR_MS, firstAfterMs: HOUR_MS };
  return createInterval(ports, options, round, (error) =>
    log.warn({ error }, `old ${name} are deleted an hour later`),
  );
}
