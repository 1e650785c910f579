/**
 * What vessels last said of themselves: kept in the directory, for a vessel carries boxes of many accounts,
 * and read by every node that polls.
 */
import { int4Array, textArray, timestampArray } from "./binary.ts";
import type { Cell } from "./cell.ts";
import type { Connection, Database } from "./database.ts";
import { statement } from "./sql.ts";

export type VesselReportRow = {
  /** Seven digits. */
  readonly imo: string;
  /** Navigational status of ITU-R M.1371. */
  readonly status: number;
  readonly seenAtMs: number;
};

/** All cells: the first also stands for the directory, which all share. */
type Cells = readonly [Cell, ...Cell[]];

/** How long nodes may go on without a report that has been written. */
export const REPORTS_FRESH_MS_MAX = 10_000;

/** Whether a report that takes the place of an older one (null: there was none) says something new of boxes aboard. */
export type IsNews = (report: VesselReportRow, before: VesselReportRow | null) => boolean;

/**
 * Writes the reports that are newer than what is known, and has the shipments aboard looked at of which one
 * is news, as soon as every node knows it. Returns how many were newer. A vessel is in `reports` once.
 */
export function storeReports(
  database: Database,
  cells: Cells,
  reports: readonly VesselReportRow[],
  isNews: IsNews,
  atMs: number,
): Promise<number> {
  const sorted = reports.toSorted((a, b) => (a.imo < b.imo ? -1 : 1));
  const imos = textArray(sorted.map(({ imo }) => imo));
  return database.transaction(async (tx) => {
    const before = await lockReports(tx, cells[0], imos);
    const written = await tx.rows<{ imo: string }>(statement("vessel_report", cells[0]), [
      imos,
      int4Array(sorted.map(({ status }) => status)),
      timestampArray(sorted.map(({ seenAtMs }) => seenAtMs)),
      new Date(atMs),
    ]);
    const newer = new Set(written.map(({ imo }) => imo));
    const news = sorted.filter(
      (report) => newer.has(report.imo) && isNews(report, before.get(report.imo) ?? null),
    );
    if (news.length > 0) {
      const looked = new Date(atMs + 2 * REPORTS_FRESH_MS_MAX);
      const aboard = textArray(news.map(({ imo }) => imo));
      for (const cell of cells) await tx.rows(statement("vessel_wake", cell), [aboard, looked]);
    }
    return newer.size;
  });
}

async function lockReports(
  tx: Connection,
  directory: Cell,
  imos: Buffer,
): Promise<ReadonlyMap<string, VesselReportRow>> {
  const rows = await tx.rows<StoredReport>(statement("vessel_lock", directory), [imos]);
  return new Map(rows.flatMap((row) => reportOf(row) ?? []).map((report) => [report.imo, report]));
}

type StoredReport = { readonly imo: string; readonly status: number | null; readonly seenAt: Date | null };

function reportOf({ imo, status, seenAt }: StoredReport): VesselReportRow | null {
  return status === null || seenAt === null ? null : { imo, status, seenAtMs: seenAt.getTime() };
}

/** Reports written since then and seen since then, the latest first. */
export async function readReports(
  connection: Connection,
  directory: Cell,
  since: { readonly writtenMs: number; readonly seenMs: number },
  limit: number,
): Promise<readonly VesselReportRow[]> {
  const rows = await connection.rows<StoredReport>(statement("vessel_reports", directory), [
    new Date(since.writtenMs),
    new Date(since.seenMs),
    limit,
  ]);
  return rows.flatMap((row) => reportOf(row) ?? []);
}

/** The vessels, by IMO number, that bring a cell's boxes somewhere about then. */
export async function vesselsNear(
  connection: Connection,
  cell: Cell,
  atMs: number,
  limit: number,
): Promise<readonly string[]> {
  const rows = await connection.rows<{ imo: string }>(statement("vessels_near", cell), [
    new Date(atMs),
    limit,
  ]);
  return rows.map(({ imo }) => imo);
}

/** Takes those of the vessels that nobody has asked for or told of since `sinceMs`: they count as asked for now. */
export async function claimAsking(
  connection: Connection,
  directory: Cell,
  imos: readonly string[],
  { atMs, sinceMs, limit }: { readonly atMs: number; readonly sinceMs: number; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await connection.rows<{ imo: string }>(statement("vessel_ask", directory), [
    textArray(imos),
    new Date(atMs),
    new Date(sinceMs),
    limit,
  ]);
  return rows.map(({ imo }) => imo);
}

const PRUNED_A_STEP_MAX = 2_000;

/** Forgets vessels that nobody has asked for or told of since then; true when there are more. */
export async function pruneVessels(
  connection: Connection,
  directory: Cell,
  beforeMs: number,
): Promise<boolean> {
  const rows = await connection.rows<{ count: number }>(statement("vessel_prune", directory), [
    new Date(beforeMs),
    PRUNED_A_STEP_MAX,
  ]);
  return rows[0]!.count === PRUNED_A_STEP_MAX;
}
