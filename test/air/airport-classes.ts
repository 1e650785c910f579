/**
 * What makes a waybill of the simulated airport difficult to get right: classes of what an airline says, each with the
 * least share of the waybills of a world that show it.
 */
import { CITIES } from "../../packages/simulator/src/airport/stations.ts";
import { isDatedAhead, pushedMessages, type Life } from "../../packages/simulator/src/airport/life.ts";
import { isDelivery } from "../../packages/simulator/src/airport/milestone.ts";
import type { MilestoneCode } from "../../packages/simulator/src/airport/airlines.ts";
import type { Report } from "../../packages/simulator/src/airport/reporting.ts";
import { namedArrivalMs } from "../../packages/simulator/src/airport/statement.ts";

export type Class = readonly [leastPercent: number, isShown: (life: Life) => boolean];

const HOUR_MS = 3_600_000;

export const MANIFESTED_AHEAD = "manifested at a station on the way, before it leaves the one before";

export const CLASSES: Readonly<Record<string, Class>> = {
  "routed to a city, and arrives at its airport": [
    3,
    ({ waybill, reports }) =>
      Object.values(CITIES).includes(waybill.destination) &&
      says(reports, (report) => isArrival(report) && report.milestone.station === waybill.route.at(-1)),
  ],
  "booked again on another flight": [
    2,
    ({ reports }) =>
      says(
        reports,
        ({ milestone }) =>
          milestone.revokedMs !== null &&
          reports.some((other) => isOf(other, "BKD") && other.milestone.knownMs === milestone.revokedMs),
      ),
  ],
  "booked again by another way, and the old one withdrawn": [
    1,
    ({ waybill, reports }) =>
      says(reports, (report) => isOf(report, "BKD") && !isOnRoute(waybill.route, report)),
  ],
  "departs early, after a later estimate": [
    3,
    ({ reports }) =>
      says(reports, (report) => {
        const { flight, atMs } = report.milestone;
        return isOf(report, "DEP") && flight !== null && flight.scheduled.departureMs - atMs >= HOUR_MS / 4;
      }),
  ],
  "counted or weighed otherwise at acceptance, before the time of its booking": [
    5,
    ({ waybill, reports }) =>
      (waybill.pieces !== waybill.bookedPieces || waybill.weightKg !== waybill.bookedWeightKg) &&
      says(reports, (report) => isOf(report, "RCS", "RCT")) &&
      says(reports, (report) => isOf(report, "BKD") && report.milestone.totalPieces === waybill.bookedPieces),
  ],
  "to be transferred, while it is at its origin": [
    2,
    ({ reports }) => isSaidBefore(reports, ["TRM"], ["RCS", "RCT", "DEP"]),
  ],
  "two parts alike in one message or answer, of one minute": [
    2,
    ({ reports }) => says(reports, ({ milestone }) => milestone.isWithBefore),
  ],
  "two parts alike in two messages, within three hours": [
    0.5,
    ({ waybill, reports }) => {
      const near = reports.filter(({ milestone }) => milestone.isNearAlike && !milestone.isWithBefore);
      return waybill.airline.protocol === "fsu" && new Set(near.map(({ reportedMs }) => reportedMs)).size > 1;
    },
  ],
  "two parts alike, far apart": [3, ({ reports }) => alikeDeliveries(reports).length > 0],
  "two parts alike of one day, without a time": [
    0.2,
    ({ reports }) => alikeDeliveries(reports.filter(({ isOfDay }) => isOfDay)).length > 0,
  ],
  "a part reported again with another minute": [
    0.5,
    ({ reports }) =>
      says(
        reports,
        (report) => isPart(report) && isDelivery(report.milestone) && isPutRight(report, reports),
      ),
  ],
  "parts handed to a driver, and brought to the door hours later": [
    1,
    ({ reports }) =>
      says(reports, (report) => isPart(report) && report.milestone.isBroughtOn) &&
      says(
        reports,
        (report) =>
          report.milestone.isBroughtOn &&
          reports.some(
            (other) =>
              isOf(other, "DLV") &&
              other.milestone.pieces === report.milestone.pieces &&
              report.milestone.atMs - other.milestone.atMs > 3 * HOUR_MS,
          ),
      ),
  ],
  "parts by both codes that may be the same pieces": [
    0.5,
    ({ reports }) =>
      !says(reports, (report) => report.milestone.isBroughtOn) &&
      says(
        reports,
        (report) =>
          isPart(report) &&
          isOf(report, "DDL") &&
          says(reports, (other) => isOf(other, "DLV") && other.milestone.pieces === report.milestone.pieces),
      ),
  ],
  "a part delivery alone after the departure": [
    1,
    ({ reports }) => {
      const delivered = reports.findIndex((report) => isDelivery(report.milestone));
      const before = reports.slice(0, delivered);
      return (
        delivered > 0 &&
        isPart(reports[delivered]!) &&
        before.some((report) => isOf(report, "DEP")) &&
        !before.some((report) => isOf(report, "ARR", "FIW", "RCF", "NFD", "AWR", "CCD", "DLV"))
      );
    },
  ],
  "manifested as the first thing said": [1, ({ reports }) => reports.length > 0 && isOf(reports[0]!, "MAN")],
  [MANIFESTED_AHEAD]: [5, ({ reports }) => says(reports, (report) => isManifestedAhead(report, reports))],
  "silent until its cargo is manifested or flown, by messages alone": [
    0.7,
    (life) => {
      const [first] = pushedMessages(life);
      return life.waybill.airline.protocol === "fsu" && first !== undefined && isOf(first[0]!, "MAN", "DEP");
    },
  ],
  "arrival only as the actual time of a receipt": [
    5,
    ({ reports }) =>
      !says(reports, (report) => isOf(report, "ARR")) &&
      says(reports, (report) => isOf(report, "FIW", "RCF") && namedArrivalMs(report) !== null),
  ],
  "weighed in its statuses alone": [5, ({ waybill }) => waybill.airline.weightIn === "statuses"],
  "weight written with thousands": [
    5,
    ({ waybill: { airline, weightKg } }) =>
      airline.groupsThousands && airline.protocol !== "one-record" && weightKg >= 1_000,
  ],
  ...Object.fromEntries(
    (["DPU", "DOC", "FIW", "FOW"] as const).map((code) => [
      `with ${code}`,
      [3, ({ reports }: Life) => says(reports, (report) => isOf(report, code))] as const,
    ]),
  ),
  "a time put right to an earlier one": [
    5,
    ({ reports }) =>
      says(reports, (report) =>
        reports.some(
          (other) =>
            other.key === report.key &&
            other.reportedMs > report.reportedMs &&
            other.milestone.atMs < report.milestone.atMs &&
            !isDatedAhead(report),
        ),
      ),
  ],
  "days without times": [2, ({ reports }) => says(reports, ({ isOfDay }) => isOfDay)],
  "delivered days ahead": [1, ({ reports }) => says(reports, (report) => isDatedAhead(report))],
  "something said of it and withdrawn": [
    2,
    ({ reports }) =>
      says(reports, ({ withdrawnMs, milestone }) => withdrawnMs !== null && milestone.revokedMs === null),
  ],
};

export function isArrival(report: Report): boolean {
  return isOf(report, "ARR", "FIW", "RCF");
}

export function says(reports: readonly Report[], which: (report: Report) => boolean): boolean {
  return reports.some((report) => !report.planned && which(report));
}

export function isOf({ milestone, planned }: Report, ...codes: readonly MilestoneCode[]): boolean {
  return !planned && codes.includes(milestone.code);
}

function isOnRoute(route: readonly string[], { milestone: { flight } }: Report): boolean {
  return flight !== null && route.includes(flight.from) && route.includes(flight.to);
}

export function isPart({ milestone: { pieces, totalPieces } }: Report): boolean {
  return pieces < totalPieces;
}

function isSaidBefore(
  reports: readonly Report[],
  codes: readonly MilestoneCode[],
  others: readonly MilestoneCode[],
): boolean {
  const first = reports.findIndex((report) => isOf(report, ...codes));
  const other = reports.findIndex((report) => isOf(report, ...others));
  return first >= 0 && first < other;
}

function alikeDeliveries(reports: readonly Report[]): readonly Report[] {
  return reports.filter(
    (report) =>
      isDelivery(report.milestone) &&
      reports.some((other) => {
        const { code, pieces, atMs } = other.milestone;
        const { milestone } = report;
        return (
          other.key < report.key &&
          code === milestone.code &&
          pieces === milestone.pieces &&
          (report.isOfDay ? atMs === milestone.atMs : milestone.atMs - atMs > 3 * HOUR_MS)
        );
      }),
  );
}

function isPutRight({ key, milestone }: Report, reports: readonly Report[]): boolean {
  return reports.some((other) => other.key === key && other.milestone.atMs !== milestone.atMs);
}

function isManifestedAhead(report: Report, reports: readonly Report[]): boolean {
  const { station } = report.milestone;
  const departures = reports.filter((other) => isOf(other, "DEP") && other.milestone.flight?.to === station);
  const isBefore = departures.every(({ trueMs }) => report.reportedMs < trueMs);
  return isOf(report, "MAN") && departures.length > 0 && isBefore;
}
