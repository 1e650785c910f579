/** What a vessel says of itself by AIS, where a feed is configured (spec 2.4 `at_anchor`, `at_berth`). */
import type { RecordContext } from "../record/shipment-record.ts";
import type { ContainerStatus } from "./status.ts";
import { isAboard, type Journey } from "./position.ts";
import { HOUR_MS } from "../../../runtime/durations.ts";

/** A vessel reports every few minutes; what is older says nothing of now. */
export const REPORT_FRESH_MS_MAX = 6 * HOUR_MS;

/** ITU-R M.1371, table 45. */
const UNDER_WAY_USING_ENGINE = 0;
const AT_ANCHOR = 1;
const MOORED = 5;
const UNDER_WAY_SAILING = 8;

/**
 * The status of a box aboard by its vessel's last report; null where the report is old, older than what
 * the carrier told last, or tells no more than that.
 */
export function statusByVesselReport(
  voyage: Journey,
  vesselAt: RecordContext["vesselReportOf"],
  nowMs: number,
): ContainerStatus | null {
  const imo = voyage.vessel?.imo ?? null;
  if (vesselAt === undefined || imo === null || !isAboard(voyage)) return null;
  const report = vesselAt(imo);
  const toldMs = Math.max(voyage.departures.at(-1)?.at.ms ?? 0, voyage.berth?.at.ms ?? 0);
  if (report === null || nowMs - report.seenMs > REPORT_FRESH_MS_MAX || report.seenMs < toldMs) return null;
  switch (report.status) {
    case AT_ANCHOR:
      return "at_anchor";
    case MOORED:
      return "at_berth";
    case UNDER_WAY_USING_ENGINE:
    case UNDER_WAY_SAILING:
      // At its berth it may still be made fast; at anchor it has left.
      return voyage.position === "anchored" ? "in_transit" : null;
    default:
      return null;
  }
}
