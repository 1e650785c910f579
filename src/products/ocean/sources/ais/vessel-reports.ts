/**
 * What vessels last said, as this node knows it: what the store has been told by any node, read every few
 * seconds and kept in memory, so that a look asks nobody. Once the node knows what is news of boxes aboard, it
 * has them looked at. So does every node: one that looked before it knew has them looked at again.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../runtime/durations.ts";
import type { Clock } from "../../../../runtime/clock.ts";
import { createInterval, repeat } from "../../../../runtime/interval.ts";
import type { Log } from "../../../../runtime/log.ts";
import type { LoopMonitor } from "../../../../runtime/loop-monitor.ts";
import type { Cell } from "../../../../store/cell.ts";
import type { Connection } from "../../../../store/database.ts";
import {
  pruneVessels,
  readReports,
  REPORTS_FRESH_MS_MAX,
  storeReports,
  makeDueAboard,
  type VesselReportRow,
} from "../../store/vessels.ts";
import type { VesselReport } from "./ais-answer.ts";
import type { ContainerStatus } from "../../event-data.ts";
import { REPORT_FRESH_MS_MAX } from "../../status/vessel-report.ts";
import { movementOf, readImo, type VesselMovement } from "./navigational-status.ts";

export type VesselReports = {
  /** Fresh, or null. */
  reportOf(imo: string): VesselReport | null;
  /** How many are in memory. */
  count(): number;
  stop(): Promise<void>;
};

/** Reports in memory; beyond it those seen longest ago are forgotten. */
const REPORTS_MAX = 50_000;
/** Clocks of nodes differ by less, and what is written is committed within it. */
const OVERLAP_MS = MINUTE_MS;
const PRUNE_INTERVAL_MS = HOUR_MS;
const RETENTION_MS = 7 * DAY_MS;
/** Statements of one pruning, each of a bounded number of rows. */
const PRUNINGS_MAX = 100;

export type VesselReportsPorts = {
  readonly database: Connection;
  readonly cells: readonly [Cell, ...Cell[]];
  readonly clock: Clock;
  readonly log: Log;
  readonly loops: LoopMonitor;
};

/** Reads them for the first time: rejects when the store does not answer. */
export async function createVesselReports(ports: VesselReportsPorts): Promise<VesselReports> {
  const { database, cells, clock, log } = ports;
  const [directory] = cells;
  let reports = new Map<string, VesselReport>();
  let writtenMs = 0;
  let prunedMs = clock.monotonicMs();

  const read = async (): Promise<void> => {
    const nowMs = clock.nowMs();
    const seenMs = nowMs - REPORT_FRESH_MS_MAX;
    const rows = await readReports(database, directory, { writtenMs, seenMs }, REPORTS_MAX);
    const news = rows.filter((row) => isMovementChange(row, reports.get(row.imo) ?? null));
    const before = reports;
    reports = mergedReports(reports, rows, seenMs);
    try {
      await wakeShipmentsAboard(database, cells, news, nowMs);
    } catch (error) {
      // It stays news.
      reports = before;
      throw error;
    }
    writtenMs = nowMs - OVERLAP_MS;
  };
  const prune = async (isStopped: () => boolean): Promise<void> => {
    if (clock.monotonicMs() - prunedMs < PRUNE_INTERVAL_MS) return;
    prunedMs = clock.monotonicMs();
    const beforeMs = clock.nowMs() - RETENTION_MS;
    await repeat(PRUNINGS_MAX, isStopped, () => pruneVessels(database, directory, beforeMs));
  };
  const round = async (isStopped: () => boolean): Promise<void> => {
    await read();
    await prune(isStopped);
  };

  await read();
  const everyMs = REPORTS_FRESH_MS_MAX;
  const options = { name: "vessel reports", everyMs, firstAfterMs: everyMs };
  const interval = createInterval(ports, options, round, (error) =>
    log.debug({ error }, "what vessels report could not be read again"),
  );
  interval.start();
  return {
    reportOf(imo) {
      const report = reports.get(readImo(imo) ?? "");
      return report !== undefined && clock.nowMs() - report.seenMs <= REPORT_FRESH_MS_MAX ? report : null;
    },
    count: () => reports.size,
    stop: interval.stop,
  };
}

function mergedReports(
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

/** A report that is the first in hours is news, whatever it says: the one before has not counted for a while. */
function isMovementChange(report: VesselReportRow, before: VesselReport | null): boolean {
  if (before === null || report.seenAtMs - before.seenMs > REPORT_FRESH_MS_MAX) {
    return movementOf(report.status) !== "other";
  }
  return movementOf(report.status) !== movementOf(before.status);
}

/** How a box may stand that such a report can change. */
const STATUSES_BEFORE: Readonly<Record<VesselMovement, readonly ContainerStatus[]>> = {
  anchored: ["in_transit", "arriving", "at_berth"],
  moored: ["in_transit", "arriving", "at_anchor"],
  under_way: ["at_anchor", "at_berth"],
  other: ["at_anchor", "at_berth"],
};

async function wakeShipmentsAboard(
  database: Connection,
  cells: readonly Cell[],
  news: readonly VesselReportRow[],
  atMs: number,
): Promise<void> {
  for (const [movement, reports] of Map.groupBy(news, ({ status }) => movementOf(status))) {
    const imos = reports.map(({ imo }) => imo);
    for (const cell of cells) await makeDueAboard(database, cell, imos, STATUSES_BEFORE[movement], atMs);
  }
}

/** Tells all nodes; of several reports on one vessel the latest counts. Returns how many were newer than what is known. */
export function ingestReports(
  database: Connection,
  directory: Cell,
  reports: readonly VesselReportRow[],
  atMs: number,
): Promise<number> {
  const latest = new Map<string, VesselReportRow>();
  for (const report of reports) {
    const other = latest.get(report.imo);
    if (other === undefined || other.seenAtMs < report.seenAtMs) latest.set(report.imo, report);
  }
  return storeReports(database, directory, [...latest.values()], atMs);
}
