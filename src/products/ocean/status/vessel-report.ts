/** The status of a box by the AIS report of its vessel. */
import type { FindVesselReport } from "../sources/ais/ais-answer.ts";
import { movementOf } from "../sources/ais/navigational-status.ts";
import type { ContainerStatus } from "../event-data.ts";
import { isAboard, type Journey } from "./position.ts";
import { HOUR_MS } from "../../../runtime/durations.ts";

/** Vessels report every few minutes; an older report does not show the present. */
export const REPORT_FRESH_MS_MAX = 6 * HOUR_MS;

/** Null if the report is old, older than the carrier's last event, or adds nothing to it. */
export function statusByVesselReport(
  journey: Journey,
  vesselReportOf: FindVesselReport | undefined,
  nowMs: number,
): ContainerStatus | null {
  const imo = journey.vessel?.imo ?? null;
  if (vesselReportOf === undefined || imo === null || !isAboard(journey)) return null;
  const report = vesselReportOf(imo);
  const statedMs = Math.max(journey.departures.at(-1)?.at.ms ?? 0, journey.berth?.at.ms ?? 0);
  if (report === null || nowMs - report.seenMs > REPORT_FRESH_MS_MAX || report.seenMs < statedMs) return null;
  switch (movementOf(report.status)) {
    case "anchored":
      return "at_anchor";
    case "moored":
      return "at_berth";
    case "under_way":
      // A vessel that reports so at its berth may still be made fast; at anchor it has left.
      return journey.position === "anchored" ? "in_transit" : null;
    case "other":
      return null;
  }
}
