/** Which vessels a shipment's boxes are aboard of, and when the AIS feed is polled for them. */
import { isArrivalCall, isSailingCall } from "../timeline/calls.ts";
import { eventsAfter } from "../timeline/order.ts";
import type { CarrierEvent } from "../sources/carrier-event.ts";
import type { BoxRecord, RecordContext, ShipmentRecord } from "./shipment-record.ts";
import { REPORT_FRESH_MS_MAX } from "../status/vessel-report.ts";
import { movementOf, readImo } from "../sources/ais/navigational-status.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

export type Aboard = {
  /** IMO numbers, each once; at least one. */
  readonly imos: readonly string[];
  /** Null: no arrival is expected. */
  readonly pollPeriod: PollPeriod | null;
};

/** Milliseconds since the epoch. */
export type PollPeriod = { readonly from: number; readonly until: number };

export const AT_SEA: ReadonlySet<string> = new Set(["in_transit", "arriving", "at_anchor", "at_berth"]);

/** How long before an arrival a vessel is polled: vessels come early, too. */
const BEFORE_MS = 2 * DAY_MS;
/** How long after it, while no berth is reported. */
const AFTER_MS = 4 * DAY_MS;

/** Null: no box is at sea on a vessel with a known IMO number. */
export function aboardOf({ boxes }: ShipmentRecord): Aboard | null {
  const sailing = boxes.flatMap((box) => sailingBox(box) ?? []);
  if (sailing.length === 0) return null;
  const periods = sailing.flatMap(({ period }) => period ?? []);
  return {
    imos: [...new Set(sailing.map(({ imo }) => imo))].toSorted(),
    pollPeriod:
      periods.length === 0
        ? null
        : {
            from: Math.min(...periods.map(({ from }) => from)),
            until: Math.max(...periods.map(({ until }) => until)),
          },
  };
}

function sailingBox({
  status,
  vessel,
  timeline,
}: BoxRecord): { imo: string; period: PollPeriod | null } | null {
  const imo = readImo(vessel?.imo ?? null);
  if (imo === null || !AT_SEA.has(status)) return null;
  const calls = timeline.filter(
    (event) =>
      (isArrivalCall(event) || isSailingCall(event)) &&
      (event.vessel === null || event.vessel.imo === null || readImo(event.vessel.imo) === imo),
  );
  const last = calls.findLast(({ classifier }) => classifier === "actual");
  // On its inland leg a box keeps the name of its vessel.
  if (last === undefined || last.code === "DISC") return null;
  if (last.code === "ARRI")
    return { imo, period: last.place?.facilityType === "BRTH" ? null : pollPeriodAround(last) };
  const next = eventsAfter(calls, last).find(
    (event) => isArrivalCall(event) && event.classifier !== "actual",
  );
  return { imo, period: next === undefined ? null : pollPeriodAround(next) };
}

function pollPeriodAround({ at }: CarrierEvent): PollPeriod {
  return { from: at.ms - BEFORE_MS, until: at.ms + AFTER_MS };
}

/** When the report expires by which a box is at anchor or at berth; null: there is none. */
export function reportExpiresMs(
  { boxes }: ShipmentRecord,
  vesselReportOf: RecordContext["vesselReportOf"],
): number | null {
  if (vesselReportOf === undefined) return null;
  const ends = boxes
    .filter(({ status }) => status === "at_anchor" || status === "at_berth")
    .flatMap(({ vessel }) => (vessel?.imo ? (vesselReportOf(vessel.imo) ?? []) : []))
    .filter(({ status }) => movementOf(status) === "anchored" || movementOf(status) === "moored")
    .map(({ seenMs }) => seenMs + REPORT_FRESH_MS_MAX + 1);
  return ends.length === 0 ? null : Math.min(...ends);
}
