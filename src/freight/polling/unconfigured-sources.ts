/** Sources that no file names any more, and whose shipments are still tracked. */
import { StoreUnavailable } from "../../model/errors.ts";
import type { Log } from "../../runtime/log.ts";
import { sideBySide } from "../../runtime/side-by-side.ts";
import type { Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";
import { pollCountUnconfigured } from "./store/polls.sql.ts";

/** Cells that are asked at the same time. */
const CELLS_MAX = 4;
/** Shipments of one source that are counted. */
const COUNTED_MAX = 10_000;

/** Logs a warning that counts the shipments which no process with these sources polls. */
export async function warnOfUnconfiguredSources(
  database: Connection,
  cells: readonly Cell[],
  asked: readonly string[],
  log: Log,
): Promise<void> {
  const tracked: Record<string, number> = {};
  const counted = await sideBySide(cells, CELLS_MAX, (cell) =>
    pollCountUnconfigured(database, cell, { asked, countedMax: COUNTED_MAX }),
  );
  for (const one of counted) {
    // A warning is left out for a cell that cannot be asked.
    if (one.status === "rejected" && !(one.reason instanceof StoreUnavailable)) throw one.reason;
    for (const { source, count } of one.status === "fulfilled" ? one.value : []) {
      tracked[source] = (tracked[source] ?? 0) + count;
    }
  }
  if (Object.keys(tracked).length === 0) return;
  log.warn(
    { tracked },
    "shipments of these carriers and airlines are tracked, and no file names them: they are not polled",
  );
}
