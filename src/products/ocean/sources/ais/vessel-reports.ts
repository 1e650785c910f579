/**
 * The last reports of all vessels, read from the store every few seconds and kept in memory. If a vessel's movement
 * has changed, the shipments aboard are made due for re-evaluation. Every node does so: a node that evaluated a
 * shipment before it knew the report evaluates it again.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../../runtime/durations.ts";
import { createInterval } from "../../../../runtime/interval.ts";
import type { Cell } from "../../../../store/cell.ts";
import type { Connection } from "../../../../store/database.ts";
import { inCells } from "../../../../store/in-cells.ts";
import type { NodeContext } from "../../../../store/node-context.ts";
import {
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
import { vesselPrune } from "../../store/vessels.sql.ts";
import { pruneAll } from "../../../../store/prune-step.ts";

export type VesselReports = Awaited<ReturnType<typeof createVesselReports>>;

/** In memory; beyond it, the oldest reports are dropped. */
const REPORTS_MAX = 50_000;
/** Longer than the clocks of nodes differ and a commit takes. */
const OVERLAP_MS = MINUTE_MS;
/** A cell that takes longer is left to the next round. */
const CELL_MS_MAX = 10 * SECOND_MS;
const PRUNE_INTERVAL_MS = HOUR_MS;
const RETENTION_MS = 7 * DAY_MS;
const PRUNINGS_MAX = 100;

/** Reads the reports for the first time: rejects if the store does not answer. */
export async function createVesselReports(ports: Omit<NodeContext, "random">) {
  const { database, cells, clock, log } = ports;
  const [directory] = cells;
  let reports = new Map<string, VesselReport>();
  // Changes for the next round in cells that did not answer: the latest of each vessel.
  const unwoken = new Map<Cell, ReadonlyMap<string, VesselReportRow>>();
  let writtenMs = 0;
  let prunedMs = clock.monotonicMs();

  const read = async (): Promise<void> => {
    const nowMs = clock.nowMs();
    const seenMs = nowMs - REPORT_FRESH_MS_MAX;
    const rows = await readReports(database, directory, { writtenMs, seenMs }, REPORTS_MAX);
    const changed = rows.filter((row) => isMovementChange(row, reports.get(row.imo) ?? null));
    reports = mergedReports(reports, rows, seenMs);
    writtenMs = nowMs - OVERLAP_MS;
    const { failures } = await inCells(clock, cells, CELL_MS_MAX, async (cell) => {
      const due = new Map([...(unwoken.get(cell) ?? []), ...changed.map((row) => [row.imo, row] as const)]);
      unwoken.set(cell, due);
      await wakeShipmentsAboard(database, cell, [...due.values()], nowMs);
      if (unwoken.get(cell) === due) unwoken.delete(cell);
    });
    if (failures.length > 0) log.debug({ error: failures[0] }, "shipments of some cells are not woken yet");
  };
  const prune = async (isStopped: () => boolean): Promise<void> => {
    if (clock.monotonicMs() - prunedMs < PRUNE_INTERVAL_MS) return;
    prunedMs = clock.monotonicMs();
    const before = clock.nowMs() - RETENTION_MS;
    await pruneAll(PRUNINGS_MAX, isStopped, (limit) => vesselPrune(database, directory, { before, limit }));
  };
  const run = async (isStopped: () => boolean): Promise<void> => {
    await read();
    await prune(isStopped);
  };

  await read();
  const everyMs = REPORTS_FRESH_MS_MAX;
  const options = { name: "vessel reports", everyMs, firstAfterMs: everyMs };
  const interval = createInterval(ports, options, run, (error) =>
    log.debug({ error }, "vessel reports could not be read again"),
  );
  interval.start();
  return {
    reportOf(imo: string): VesselReport | null {
      const report = reports.get(readImo(imo) ?? "");
      return report !== undefined && clock.nowMs() - report.seenMs <= REPORT_FRESH_MS_MAX ? report : null;
    },
    count: (): number => reports.size,
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

/** The first report in hours is a change: the previous one had expired. */
function isMovementChange(report: VesselReportRow, before: VesselReport | null): boolean {
  if (before === null || report.seenAtMs - before.seenMs > REPORT_FRESH_MS_MAX) {
    return movementOf(report.status) !== "other";
  }
  return movementOf(report.status) !== movementOf(before.status);
}

/** The statuses that a report of this movement can change. */
const STATUSES_BEFORE: Readonly<Record<VesselMovement, readonly ContainerStatus[]>> = {
  anchored: ["in_transit", "arriving", "at_berth"],
  moored: ["in_transit", "arriving", "at_anchor"],
  under_way: ["at_anchor", "at_berth"],
  other: ["at_anchor", "at_berth"],
};

async function wakeShipmentsAboard(
  database: Connection,
  cell: Cell,
  changed: readonly VesselReportRow[],
  atMs: number,
): Promise<void> {
  for (const [movement, reports] of Map.groupBy(changed, ({ status }) => movementOf(status))) {
    const imos = reports.map(({ imo }) => imo);
    await makeDueAboard(database, cell, imos, STATUSES_BEFORE[movement], atMs);
  }
}

/** Stores reports for all nodes. Of several on one vessel the latest counts. Returns how many were newer. */
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
