/** Sources that no file names any more, and whose shipments are still tracked. */
import type { Log } from "../../runtime/log.ts";
import type { Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";
import { countUnconfigured } from "./store/polls.ts";

/** Logs a warning that counts the shipments which no process with these sources polls. */
export async function warnOfUnconfiguredSources(
  database: Connection,
  cells: readonly Cell[],
  asked: readonly string[],
  log: Log,
): Promise<void> {
  const tracked: Record<string, number> = {};
  for (const cell of cells) {
    for (const { source, count } of await countUnconfigured(database, cell, asked)) {
      tracked[source] = (tracked[source] ?? 0) + count;
    }
  }
  if (Object.keys(tracked).length === 0) return;
  log.warn(
    { tracked },
    "shipments of these carriers and airlines are tracked, and no file names them: they are not polled",
  );
}
