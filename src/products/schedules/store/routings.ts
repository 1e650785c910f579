/** The ways that carriers publish. */
import { createHash } from "node:crypto";

import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { PublishedLeg, PublishedRoutings, PublishedWay } from "../calls/published-way.ts";
import { scheduleCarrierLock } from "./port-calls.sql.ts";
import type { TimeWindow } from "./schedules-read.ts";
import { routingList, routingPut, routingWithdraw } from "./routings.sql.ts";

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
  const put = published.map(([way, legs]) => ({
    way,
    origin: legs[0]!.from,
    destination: legs.at(-1)!.to,
    departureAt: legs[0]!.departureMs,
    legs: JSON.stringify(legs),
  }));
  if (put.length > 0) await routingPut(tx, cell, { feed, asked, carrier, ways: put, at: atMs });
  if (isWhole) await routingWithdraw(tx, cell, { feed, asked, at: atMs });
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
  filter: RoutingsFilter,
  limit: number,
): Promise<readonly PublishedWay[]> {
  const rows = await routingList(db, cell, { ...filter, limit });
  return rows.map(({ carrier, legs }) => ({ carrier, legs: JSON.parse(legs) as readonly PublishedLeg[] }));
}
