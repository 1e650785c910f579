/** Which vessels a shipment's boxes are aboard of, and when it matters what those say of themselves. */
import { isArrivalCall, isSailingCall } from "../../timeline/calls.ts";
import type { CarrierEvent } from "../carrier-event.ts";
import type { BoxRecord, RecordContext, ShipmentRecord } from "../../record/shipment-record.ts";
import { REPORT_FRESH_MS_MAX } from "../../status/vessel-report.ts";
import { movementOf, readImo } from "./navigational-status.ts";
import { DAY_MS } from "../../../../runtime/durations.ts";

export type Aboard = {
  /** IMO numbers, each once; at least one. */
  readonly imos: readonly string[];
  /** From when until when a feed is asked, milliseconds since the epoch; null: no arrival is expected. */
  readonly pollPeriod: PollPeriod | null;
};

export type PollPeriod = { readonly from: number; readonly until: number };

const AT_SEA: ReadonlySet<string> = new Set(["in_transit", "arriving", "at_anchor", "at_berth"]);

/** So long before an arrival vessels are asked for: they come early, too. */
const BEFORE_MS = 2 * DAY_MS;
/** And so long after it, while nobody says where they lie. */
const AFTER_MS = 4 * DAY_MS;

/** Follows from the record alone. Null: no box is at sea on a vessel whose number is known. */
export function aboardOf({ boxes }: ShipmentRecord): Aboard | null {
  const voyages = boxes.flatMap((box) => voyageOf(box) ?? []);
  if (voyages.length === 0) return null;
  const spans = voyages.flatMap(({ span }) => span ?? []);
  return {
    imos: [...new Set(voyages.map(({ imo }) => imo))].toSorted(),
    pollPeriod:
      spans.length === 0
        ? null
        : {
            from: Math.min(...spans.map(({ from }) => from)),
            until: Math.max(...spans.map(({ until }) => until)),
          },
  };
}

function voyageOf({ status, vessel, timeline }: BoxRecord): { imo: string; span: PollPeriod | null } | null {
  const imo = readImo(vessel?.imo ?? null);
  if (imo === null || !AT_SEA.has(status)) return null;
  const calls = timeline.filter(
    (event) =>
      (isArrivalCall(event) || isSailingCall(event)) &&
      (event.vessel === null || event.vessel.imo === null || readImo(event.vessel.imo) === imo),
  );
  const last = calls.findLast(({ classifier }) => classifier === "actual");
  // Over land on its carriage a box keeps the name of its ship.
  if (last === undefined || last.code === "DISC") return null;
  if (last.code === "ARRI") return { imo, span: isAtBerth(last) ? null : pollPeriodAround(last) };
  const next = calls.find(
    (event) => isArrivalCall(event) && event.classifier !== "actual" && event.at.ms > last.at.ms,
  );
  return { imo, span: next === undefined ? null : pollPeriodAround(next) };
}

function isAtBerth({ place }: CarrierEvent): boolean {
  return place?.facilityType === "BRTH";
}

function pollPeriodAround({ at }: CarrierEvent): PollPeriod {
  return { from: at.ms - BEFORE_MS, until: at.ms + AFTER_MS };
}

/**
 * When a report runs out that a box is at anchor or at berth by, and a look tells what then holds; null: none
 * is. A vessel under way needs no such look.
 */
export function reportExpiresMs(
  { boxes }: ShipmentRecord,
  vesselAt: RecordContext["vesselReportOf"],
): number | null {
  if (vesselAt === undefined) return null;
  const ends = boxes
    .filter(({ status }) => status === "at_anchor" || status === "at_berth")
    .flatMap(({ vessel }) => (vessel?.imo ? (vesselAt(vessel.imo) ?? []) : []))
    .filter(({ status }) => movementOf(status) === "anchored" || movementOf(status) === "moored")
    .map(({ seenMs }) => seenMs + REPORT_FRESH_MS_MAX + 1);
  return ends.length === 0 ? null : Math.min(...ends);
}
