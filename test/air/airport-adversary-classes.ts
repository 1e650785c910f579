/** What adversaries tried one by one (sequences/adversary.txt), as classes of the simulated airport. */
import type { Report } from "../../packages/simulator/src/airport/reporting.ts";
import { cityOf } from "../../packages/simulator/src/airport/statement.ts";
import { localAt } from "../../packages/simulator/src/airport/stations.ts";
import { isArrival, isOf, isPart, says, type Class } from "./airport-classes.ts";

export const ADVERSARY_CLASSES: Readonly<Record<string, Class>> = {
  "booked to and fro by messages": [
    0.5,
    ({ waybill, reports }) => waybill.airline.protocol === "fsu" && isBookedToAndFro(reports),
  ],
  "booked to and fro by an airline that is asked": [
    0.5,
    ({ waybill, reports }) => waybill.airline.protocol !== "fsu" && isBookedToAndFro(reports),
  ],
  "booked again by a message, ahead of the answers": [
    0.5,
    ({ waybill, reports }) =>
      waybill.airline.alsoPushes &&
      waybill.airline.answersLagMinutes > 0 &&
      says(reports, (report) => isOf(report, "BKD") && report.milestone.revokedMs !== null),
  ],
  "returned to the ramp after it was said to have left": [
    1,
    ({ reports }) => says(reports, ({ milestone }) => milestone.isReturned),
  ],
  "equal halves on one flight number, a day apart": [
    0.5,
    ({ reports }) =>
      says(
        reports,
        (report) =>
          isOf(report, "DEP") &&
          report.milestone.pieces * 2 === report.milestone.totalPieces &&
          says(reports, (other) => isOf(other, "DEP") && isNextDayOf(report, other)),
      ),
  ],
  "departed past midnight, on the flight of the day before": [
    2,
    ({ reports }) =>
      says(reports, (report) => {
        const { flight, station, atMs } = report.milestone;
        return isOf(report, "DEP") && flight !== null && localAt(station, atMs).slice(0, 10) > flight.date;
      }),
  ],
  "a notice to the shipper, at the origin": [
    1,
    ({ waybill, reports }) =>
      says(reports, (report) => isOf(report, "NFD") && report.milestone.station === waybill.route[0]),
  ],
  "departed and arrived on one day, without times": [
    0.5,
    ({ reports }) =>
      says(
        reports,
        (report) =>
          report.isOfDay &&
          isOf(report, "DEP") &&
          says(
            reports,
            (other) =>
              isArrival(other) &&
              other.isOfDay &&
              other.milestone.flight === report.milestone.flight &&
              localAt(other.milestone.station, other.milestone.atMs) ===
                localAt(report.milestone.station, report.milestone.atMs),
          ),
      ),
  ],
  "a part that calls itself the whole": [
    1,
    ({ reports }) => says(reports, ({ milestone }) => milestone.isSelfTotal),
  ],
  "lines with blanks at their ends": [5, ({ waybill }) => waybill.airline.padsLines],
  "a part that stands in the place of the whole, and no quantity in its status": [
    0.5,
    ({ reports }) => says(reports, ({ milestone }) => milestone.isPartInHead),
  ],
  "a delivery whose quantity cannot be read at first": [
    0.5,
    ({ reports }) => says(reports, ({ isGarbled }) => isGarbled),
  ],
  "a part of a whole that nobody tells": [
    0.5,
    ({ reports }) => says(reports, (report) => report.isBare && isPart(report)),
  ],
  "booked from the city, and again from its airport": [
    0.5,
    ({ reports }) =>
      says(reports, ({ milestone }) => milestone.isOfCity && cityOf(milestone.station) !== milestone.station),
  ],
  "booked in parts at once, and again as the whole": [
    0.5,
    ({ reports }) => says(reports, (report) => isOf(report, "BKD") && report.milestone.isWithBefore),
  ],
  "put right in the same text": [
    0.5,
    ({ reports }) =>
      says(reports, (report) =>
        reports.some(
          ({ key, reportedMs }) =>
            key === report.key && reportedMs > report.reportedMs && reportedMs < report.reportedMs + 1,
        ),
      ),
  ],
  "a delivery put right in pounds": [0.5, ({ reports }) => says(reports, ({ isInPounds }) => isInPounds)],
  "delivered piece by piece": [0.5, ({ reports }) => says(reports, ({ milestone }) => milestone.isByPiece)],
};

/** The last booking is the first again. */
function isBookedToAndFro(reports: readonly Report[]): boolean {
  const flights = reports
    .filter((report) => isOf(report, "BKD") && !isPart(report))
    .map(({ milestone }) => milestone.flight!)
    .filter(({ from }, _, [first]) => from === first!.from)
    .map(({ carrier, number, date }) => `${carrier}${number} ${date}`);
  const last = flights.at(-1);
  return flights[0] === last && flights.some((flight) => flight !== last);
}

function isNextDayOf({ milestone: a }: Report, { milestone: b }: Report): boolean {
  const [first, second] = [a.flight!, b.flight!];
  const isOfNumber = first.number === second.number && first.from === second.from;
  return isOfNumber && first.date < second.date && a.pieces === b.pieces;
}
