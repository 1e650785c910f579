/**
 * The last AIS report of each vessel. The directory holds them, because a vessel carries boxes of many accounts;
 * every node that polls reads them.
 */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { notifyWork } from "../../../store/endpoints/invalidations.ts";
import { shipmentWakeByVessel } from "./shipments.sql.ts";
import {
  vesselClaimPoll,
  vesselListToPoll,
  vesselPositions,
  vesselReportList,
  vesselReportUpsert,
} from "./vessels.sql.ts";

export type VesselReportRow = {
  /** Seven digits. */
  readonly imo: string;
  /** Navigational status of ITU-R M.1371. */
  readonly status: number;
  readonly seenAtMs: number;
  /** Absent or null: the report does not say. */
  readonly position?: VesselPoint | null;
};

export type VesselPoint = {
  /** Degrees north, and east. */
  readonly latitude: number;
  readonly longitude: number;
  /** Over ground, degrees from north, below 360; null: unknown. */
  readonly course: number | null;
};

/** How long nodes may go on without a report that has been written. */
export const REPORTS_FRESH_MS_MAX = 10_000;

/** Writes the reports that are newer than what is known, and returns how many are. A vessel is in `reports` once. */
export async function storeReports(
  db: Connection,
  directory: Cell,
  reports: readonly VesselReportRow[],
  atMs: number,
): Promise<number> {
  const rows = await vesselReportUpsert(db, directory, {
    reports: reports.map(({ imo, status, seenAtMs, position }) => ({
      ...{ imo, status, seenAt: seenAtMs },
      ...(position ?? { latitude: null, longitude: null, course: null }),
    })),
    at: atMs,
  });
  return rows.length;
}

/** Reports written since then and seen since then, the latest first. */
export async function readReports(
  db: Connection,
  directory: Cell,
  since: { readonly writtenMs: number; readonly seenMs: number },
  limit: number,
): Promise<readonly VesselReportRow[]> {
  const rows = await vesselReportList(db, directory, {
    written: new Date(since.writtenMs),
    seen: new Date(since.seenMs),
    limit,
  });
  return rows.map(({ imo, status, seenAt }) => ({ imo, status, seenAtMs: seenAt.getTime() }));
}

/** The last known positions of these vessels, by IMO number. */
export async function readVesselPositions(db: Connection, directory: Cell, imos: readonly string[]) {
  if (imos.length === 0) return new Map<string, never>();
  const rows = await vesselPositions(db, directory, [...new Set(imos)]);
  return new Map(rows.map((row) => [row.imo, row]));
}

/** Makes the shipments aboard these vessels with one of these statuses due for re-evaluation. */
export async function makeDueAboard(
  db: Connection,
  cell: Cell,
  imos: readonly string[],
  statuses: readonly string[],
  atMs: number,
): Promise<void> {
  const vessels = imos;
  await shipmentWakeByVessel(db, cell, { vessels, statuses, at: atMs });
  await notifyWork(db, cell);
}

/** The vessels, by IMO number, with boxes of the cell and a poll period that includes `atMs`. */
export async function vesselsToPoll(db: Connection, cell: Cell, atMs: number, limit: number) {
  return (await vesselListToPoll(db, cell, { at: atMs, limit })).map(({ imo }) => imo);
}

/** Claims those of the vessels without a poll or report since `sinceMs`: they count as polled now. */
export async function claimVesselPolls(
  db: Connection,
  directory: Cell,
  imos: readonly string[],
  { atMs, sinceMs, limit }: { readonly atMs: number; readonly sinceMs: number; readonly limit: number },
): Promise<readonly string[]> {
  return (
    await vesselClaimPoll(db, directory, { imos, at: new Date(atMs), since: new Date(sinceMs), limit })
  ).map(({ imo }) => imo);
}
