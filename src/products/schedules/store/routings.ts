/** The ways that carriers publish. */
import { createHash } from "node:crypto";

import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { pruneStep } from "../../../store/prune-step.ts";
import type { PublishedLeg, PublishedRoutings, PublishedWay } from "../calls/published-way.ts";
import { scheduleCarrierLock } from "./port-calls.sql.ts";
import type { TimeWindow } from "./schedules-read.ts";
import { routingList, routingPrune, routingPut, routingWithdraw } from "./routings.sql.ts";

/** Puts what a feed published at that time in place of what it published before; without the rest, beside it. */
export async function saveRoutings(
  tx: Connection,
  cell: Cell,
  feed: string,
  { asked, carrier, ways, isWhole }: PublishedRoutings,
  atMs: number,
): Promise<void> {
  // Two pushes at once would wait for each other's ways.
  await scheduleCarrierLock(tx, cell, [carrier]);
  const published = [...new Map(ways.map(({ legs }) => [hashOf(legs), legs]))];
  if (published.length > 0) {
    const first = published.map(([, legs]) => legs[0]!);
    await routingPut(
      tx,
      cell,
      feed,
      asked,
      carrier,
      published.map(([way]) => way),
      first.map(({ from }) => from),
      published.map(([, legs]) => legs.at(-1)!.to),
      first.map(({ departureMs }) => departureMs),
      published.map(([, legs]) => JSON.stringify(legs)),
      atMs,
    );
  }
  if (isWhole) await routingWithdraw(tx, cell, feed, asked, atMs);
}

/** Times are not part of it: they change. Without a voyage, the vessel is on this way on one day. */
function hashOf(legs: readonly PublishedLeg[]): string {
  const parts = legs.map(({ service, voyage, vesselImo, from, to, departureMs }) => [
    service,
    voyage === "" ? [vesselImo, new Date(departureMs).toISOString().slice(0, 10)] : voyage,
    from,
    to,
  ]);
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

export type RoutingsFilter = TimeWindow & {
  readonly origin: string;
  readonly destination: string;
  readonly carriers: readonly string[];
};

/** By departure. */
export async function listRoutings(
  db: Connection,
  cell: Cell,
  { origin, destination, carriers, fromMs, beforeMs }: RoutingsFilter,
  limit: number,
): Promise<readonly PublishedWay[]> {
  const within = [new Date(fromMs), new Date(beforeMs)] as const;
  const wanted = [origin, destination, ...within, carriers, limit] as const;
  const rows = await routingList(db, cell, ...wanted);
  return rows.map(({ carrier, legs }) => ({ carrier, legs: JSON.parse(legs) as readonly PublishedLeg[] }));
}

/** Deletes ways whose first vessel was to leave before then; true when there are more. */
export function pruneRoutings(db: Connection, cell: Cell, beforeMs: number) {
  return pruneStep((limit) => routingPrune(db, cell, beforeMs, limit));
}
