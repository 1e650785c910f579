/** Whoever has gone from the files of carriers and airlines, though shipments of theirs are tracked. */
import { sourceQueueOf } from "../../products/air/air-product.ts";
import type { Log } from "../../runtime/log.ts";
import type { Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";
import { countUnconfigured } from "./store/polls.ts";
import type { Upstreams } from "../../service/upstreams.ts";

/** Logs a warning that counts the shipments which no process with these files will look at. */
export async function warnOfUnconfiguredSources(
  database: Connection,
  cells: readonly Cell[],
  { carriers, airlines }: Pick<Upstreams, "carriers" | "airlines">,
  log: Log,
): Promise<void> {
  const asked = [
    ...carriers.map(({ scac }) => scac),
    ...airlines.flatMap(({ prefixes }) => prefixes.map(sourceQueueOf)),
  ];
  const tracked: Record<string, number> = {};
  for (const cell of cells) {
    for (const { source: lane, count } of await countUnconfigured(database, cell, asked)) {
      tracked[lane] = (tracked[lane] ?? 0) + count;
    }
  }
  if (Object.keys(tracked).length === 0) return;
  log.warn(
    { tracked },
    "shipments of these carriers and airlines are tracked, and none of the files names them: they are not looked at",
  );
}
