/** Deletes old imported milestones, every hour. */
import { HOUR_MS, MINUTE_MS } from "../../../../runtime/durations.ts";
import { createInterval, repeat, type Interval } from "../../../../runtime/interval.ts";
import { inCells } from "../../../../store/in-cells.ts";
import type { NodeContext } from "../../../../store/node-context.ts";
import { pruneImportedMilestones } from "../../store/imported-milestones.ts";
import { IMPORTS_KEPT_MS } from "./import-milestones.ts";

/** A cell that takes longer is left to the next round. */
const CELL_MS_MAX = MINUTE_MS;
/** Statements of one round in one cell, each of a bounded number of rows. */
const STATEMENTS_MAX = 200;

/** The first round is an hour from now; any number of nodes may do it at once. */
export function createImportRetention(
  ports: Pick<NodeContext, "database" | "cells" | "clock" | "log" | "loops">,
): Interval {
  const { database, cells, clock, log } = ports;
  const round = async (isStopped: () => boolean): Promise<void> => {
    const beforeMs = clock.nowMs() - IMPORTS_KEPT_MS;
    const { failures } = await inCells(clock, cells, CELL_MS_MAX, (cell) =>
      repeat(STATEMENTS_MAX, isStopped, () => pruneImportedMilestones(database, cell, beforeMs)),
    );
    const [failure] = failures;
    if (failure !== undefined) throw failure;
  };
  const options = { name: "imported milestones", everyMs: HOUR_MS, firstAfterMs: HOUR_MS };
  return createInterval(ports, options, round, (error) =>
    log.warn({ error }, "old imported milestones are deleted an hour later"),
  );
}
