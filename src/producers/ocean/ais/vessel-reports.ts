/**
 * What vessels last said, as this node knows it: what the store has been told by any node, read every few
 * seconds and kept in memory, so that a look asks nobody.
 *
 *     waiting ─(some seconds)─▶ reading what is new ─▶ waiting; what is known stays while the store is away
 *        └────── stop ────────────────┴─────▶ stopped
 */
import type { Cancel, Clock } from "../../../runtime/clock.ts";
import type { Log } from "../../../runtime/log.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Database } from "../../../store/database.ts";
import {
  pruneVessels,
  readReports,
  REPORTS_FRESH_MS_MAX,
  storeReports,
  type VesselReportRow,
} from "../../../store/vessels.ts";
import type { VesselReport } from "../shipment-record.ts";
import { REPORT_FRESH_MS_MAX } from "../vessel-report.ts";
import { movementOf, readImo } from "./navigational-status.ts";

export type VesselReports = {
  /** Fresh, or null. */
  vesselAt(imo: string): VesselReport | null;
  /** How many are in memory. */
  count(): number;
  stop(): void;
};

/** Reports in memory; beyond it those seen longest ago are forgotten. */
const REPORTS_MAX = 50_000;
/** Clocks of nodes differ by less, and what is written is committed within it. */
const OVERLAP_MS = 60_000;
const PRUNE_EVERY_MS = 3_600_000;
const KEPT_MS = 7 * 24 * 3_600_000;
/** Statements of one pruning, each of a bounded number of rows. */
const PRUNINGS_MAX = 100;

/** Reads them for the first time: rejects when the store does not answer. `directory` is any cell. */
export async function createVesselReports(
  database: Database,
  directory: Cell,
  clock: Clock,
  log: Log,
): Promise<VesselReports> {
  let reports = new Map<string, VesselReport>();
  let writtenMs = 0;
  let prunedMs = clock.monotonicMs();
  let isStopped = false;
  let cancel: Cancel = () => undefined;

  const read = async (): Promise<void> => {
    const nowMs = clock.nowMs();
    const seenMs = nowMs - REPORT_FRESH_MS_MAX;
    const rows = await readReports(database, directory, { writtenMs, seenMs }, REPORTS_MAX);
    reports = renewed(reports, rows, seenMs);
    writtenMs = nowMs - OVERLAP_MS;
  };
  const prune = async (): Promise<void> => {
    if (clock.monotonicMs() - prunedMs < PRUNE_EVERY_MS) return;
    prunedMs = clock.monotonicMs();
    const beforeMs = clock.nowMs() - KEPT_MS;
    for (
      let times = 0;
      times < PRUNINGS_MAX && (await pruneVessels(database, directory, beforeMs));
      times += 1
    );
  };
  const wait = (): void => {
    if (!isStopped) cancel = clock.after(REPORTS_FRESH_MS_MAX, () => void readAgain());
  };
  const readAgain = async (): Promise<void> => {
    try {
      await read();
      await prune();
    } catch (error) {
      if (!isStopped) log.debug({ error }, "what vessels report could not be read again");
    }
    wait();
  };

  await read();
  wait();
  return {
    vesselAt(imo) {
      const report = reports.get(readImo(imo) ?? "");
      return report !== undefined && clock.nowMs() - report.seenMs <= REPORT_FRESH_MS_MAX ? report : null;
    },
    count: () => reports.size,
    stop() {
      isStopped = true;
      cancel();
    },
  };
}

function renewed(
  known: ReadonlyMap<string, VesselReport>,
  rows: readonly VesselReportRow[],
  sinceMs: number,
): Map<string, VesselReport> {
  const all = new Map(known);
  for (const { imo, status, seenAtMs } of rows) all.set(imo, { status, seenMs: seenAtMs });
  const fresh = [...all].filter(([, { seenMs }]) => seenMs >= sinceMs);
  if (fresh.length <= REPORTS_MAX) return new Map(fresh);
  return new Map(fresh.toSorted(([, a], [, b]) => b.seenMs - a.seenMs).slice(0, REPORTS_MAX));
}

/** Tells all nodes; of several reports on one vessel the latest counts. Returns how many were newer than what is known. */
export function tellReports(
  database: Database,
  cells: readonly [Cell, ...Cell[]],
  reports: readonly VesselReportRow[],
  atMs: number,
): Promise<number> {
  const latest = new Map<string, VesselReportRow>();
  for (const report of reports) {
    const other = latest.get(report.imo);
    if (other === undefined || other.seenAtMs < report.seenAtMs) latest.set(report.imo, report);
  }
  return storeReports(database, cells, [...latest.values()], isNews, atMs);
}

/** A report that is the first in hours is news, whatever it says: the one before has not counted for a while. */
function isNews(report: VesselReportRow, before: VesselReportRow | null): boolean {
  if (before === null || report.seenAtMs - before.seenAtMs > REPORT_FRESH_MS_MAX) {
    return movementOf(report.status) !== "other";
  }
  return movementOf(report.status) !== movementOf(before.status);
}
