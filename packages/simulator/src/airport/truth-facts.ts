/**
 * What is known of a waybill besides its status (spec 2.6: pieces, weight_kg, flight_number, eta, eta_is_actual): facts
 * of cargo in hand before those of a booking, then what was said last. Where parts of the cargo go their own ways, the
 * flight or the ETA of any of them is right.
 */
import { DAY_MS } from "../world/durations.ts";
import type { Heard } from "./hearing.ts";
import { announcedArrivalMs, isOfCargoInHand, namedArrivalMs } from "./statement.ts";
import type { Report } from "./reporting.ts";
import { localAt } from "./stations.ts";
import type { Waybill } from "./waybill.ts";

export type TrueEta = { readonly ms: number; readonly isActual: boolean };

export type TrueFacts = {
  readonly atMs: number;
  readonly pieces: number | null;
  readonly weightKg: number | null;
  /** Any of them; none: none is known. */
  readonly flightNumbers: readonly string[];
  readonly etas: readonly TrueEta[];
};

export function factsOf(waybill: Waybill, holding: readonly Heard[], atMs: number): TrueFacts {
  const { weightIn } = waybill.airline;
  const counted = holding.filter(({ report }) => !report.isBare || (isWhole(report) && !report.isGarbled));
  const weighed = counted.filter(
    ({ report }) => (weightIn === "waybill" && !report.milestone.isPartInHead) || isWhole(report),
  );
  return {
    atMs,
    pieces: lastSaid(counted)?.milestone.totalPieces ?? null,
    weightKg: lastSaid(weighed)?.milestone.totalWeightKg ?? null,
    flightNumbers: [...new Set(flightsOf(waybill, holding, atMs).map(designatorOf))],
    etas: etasOf(waybill, holding),
  };
}

function lastSaid(holding: readonly Heard[]): Report | undefined {
  const inHand = holding.filter(({ report }) => isOfCargoInHand(report));
  const ranked = inHand.length > 0 ? inHand : holding;
  return ranked.toSorted((a, b) => a.saidMs - b.saidMs || a.report.reportedMs - b.report.reportedMs).at(-1)
    ?.report;
}

function isWhole({ milestone: { pieces, totalPieces } }: Report): boolean {
  return pieces === totalPieces;
}

/** A manifest made ahead puts no cargo at its station: its flight's time has come, or cargo came there. */
export function isManifestedThere(
  { milestone: { station, atMs } }: Report,
  holding: readonly Heard[],
  nowMs: number,
): boolean {
  const came = happened(holding, ["ARR", "FIW", "RCF", "RCT", "TFD"]);
  return atMs <= nowMs || came.some(({ milestone }) => milestone.station === station);
}

/** The last departure, and where cargo came or is loaded after it; before that, what is booked from the first station. */
function flightsOf(waybill: Waybill, holding: readonly Heard[], nowMs: number): readonly Report[] {
  const departed = happened(holding, ["DEP"]);
  const arrived = happened(holding, ["ARR", "FIW", "RCF"]).filter(
    ({ milestone }) => milestone.flight !== null,
  );
  const moved = departed.length > 0 ? departed : arrived;
  const stations = new Set([...waybill.route, ...stationsFlownFrom(holding)]);
  const booked = [...stations].map((station) => bookingsFrom(station, holding));
  const loaded = booked
    .flat()
    .filter((report) => report.milestone.code === "MAN" && isManifestedThere(report, holding, nowMs));
  const first = booked.find((reports) => reports.length > 0);
  if (moved.length === 0) return first === undefined ? flown(holding) : [...first, ...loaded];
  const lastMs = Math.max(...moved.map(orderMs));
  const lastSaidMs = Math.max(
    ...moved.map((report) => (isUnordered(report) ? report.milestone.atMs : orderMs(report))),
  );
  return [
    ...moved.filter((report) => isAtLast(report, lastMs)),
    ...arrived.filter((report) => isAtLast(report, lastMs)),
    ...loaded.filter(({ milestone }) => milestone.atMs >= lastSaidMs),
  ];
}

function etasOf({ route }: Waybill, holding: readonly Heard[]): readonly TrueEta[] {
  const destination = route.at(-1)!;
  const came = holding.filter(
    ({ report: { planned, milestone } }) =>
      !planned && ["ARR", "FIW", "RCF"].includes(milestone.code) && milestone.station === destination,
  );
  if (came.length === 0) return announcedEtas(destination, holding);
  const firm = announcedEtas(destination, holding);
  return firstArrivals(came).flatMap((ms) => {
    const reached = { ms, isActual: true };
    // Midnight stands for the day; the time announced for that day says more.
    if (!localAt(destination, ms).endsWith("T00:00:00")) return [reached];
    const isThatDay = (eta: TrueEta): boolean => eta.ms >= ms && eta.ms < ms + DAY_MS;
    const onThatDay = [...firm, ...everAnnounced(destination, holding)].filter(isThatDay);
    return firm.some(isThatDay) ? onThatDay : [...onThatDay, reached];
  });
}

/** Of all flights to the destination, replaced ones included. */
function everAnnounced(destination: string, holding: readonly Heard[]): readonly TrueEta[] {
  return flown(holding)
    .filter(({ milestone }) => milestone.flight!.to === destination)
    .flatMap((report) => [
      announcedArrivalMs(report, report.milestone.flight!),
      report.milestone.flight!.scheduled.arrivalMs,
    ])
    .map((ms) => ({ ms, isActual: false }));
}

function announcedEtas(destination: string, holding: readonly Heard[]): readonly TrueEta[] {
  const departed = happened(holding, ["DEP"]).filter(({ milestone }) => milestone.flight?.to === destination);
  const lastMs = Math.max(...departed.map(orderMs));
  if (departed.length > 0) {
    const last = departed.filter((report) => isAtLast(report, lastMs));
    return last.map((report) => ({
      ms: announcedArrivalMs(report, report.milestone.flight!),
      isActual: false,
    }));
  }
  return [...new Set(stationsFlownFrom(holding))]
    .flatMap((station) => bookingsFrom(station, holding))
    .filter(({ milestone }) => milestone.flight!.to === destination)
    .map(({ milestone }) => ({ ms: milestone.flight!.scheduled.arrivalMs, isActual: false }));
}

/**
 * No cargo is received before the flight that it came by arrived. Nothing tells a part that is received again from one
 * whose time is put right, nor two flights of one number that land on one day with as many pieces.
 */
function firstArrivals(came: readonly Heard[]): readonly number[] {
  const firstMs = Math.min(...came.map(({ report }) => arrivalMs(report)));
  const others = came.flatMap(({ report, corrected }) => {
    if (isWhole(report)) return [];
    return report.milestone.code === "ARR" ? [arrivalMs(report)] : corrected.map(arrivalMs);
  });
  return [firstMs, ...others.filter((ms) => Math.abs(ms - firstMs) < DAY_MS)];
}

function arrivalMs(report: Report): number {
  return namedArrivalMs(report) ?? report.milestone.atMs;
}

function stationsFlownFrom(holding: readonly Heard[]): readonly string[] {
  return flown(holding).map(({ milestone }) => milestone.flight!.from);
}

/** Whatever is said with a flight. */
function flown(holding: readonly Heard[]): readonly Report[] {
  return holding.map(({ report }) => report).filter(({ milestone }) => milestone.flight !== null);
}

/** What was said since the last booking of the whole. One that was replaced is back once it is sent again. */
function bookingsFrom(station: string, holding: readonly Heard[]): readonly Report[] {
  const booked = holding.filter(
    ({ report: { milestone, planned } }) =>
      milestone.flight?.from === station &&
      (["BKD", "PRE", "MAN"].includes(milestone.code) || (planned && milestone.code === "DEP")),
  );
  const sayings = booked.flatMap(({ report, saidMs, again }) => {
    const resent = report.milestone.code === "BKD" ? again : [];
    return [saidMs, ...resent].map((ms) => ({ report, ms }));
  });
  let inForce: readonly Report[] = [];
  for (const ms of [...new Set(sayings.map((saying) => saying.ms))].toSorted((a, b) => a - b)) {
    const said = sayings.filter((saying) => saying.ms === ms).map(({ report }) => report);
    const news = said.filter((report) => !inForce.some((other) => isSameBooking(report, other)));
    if (news.length > 0) inForce = isOfAll(said) ? said : [...inForce, ...news];
  }
  return inForce;
}

/** By itself, or in parts that are said at once. */
function isOfAll(said: readonly Report[]): boolean {
  const pieces = said.reduce((sum, { milestone }) => sum + milestone.pieces, 0);
  return said.some(isWhole) || said.some(({ milestone }) => pieces >= milestone.totalPieces);
}

function isSameBooking({ milestone: a }: Report, { milestone: b }: Report): boolean {
  return (
    a.code === b.code &&
    a.pieces === b.pieces &&
    a.flight!.date === b.flight!.date &&
    a.flight!.number === b.flight!.number
  );
}

function happened(holding: readonly Heard[], codes: readonly string[]): readonly Report[] {
  return holding
    .map(({ report }) => report)
    .filter(({ planned, milestone }) => !planned && codes.includes(milestone.code));
}

function orderMs({ milestone, isOfDay, trueMs }: Report): number {
  return isOfDay ? trueMs : milestone.atMs;
}

function isAtLast(report: Report, lastMs: number): boolean {
  return orderMs(report) >= lastMs - (isUnordered(report) ? UNORDERED_MS : 0);
}

/** Nothing tells the order in which parts moved that are said with their days only. */
function isUnordered(report: Report): boolean {
  return report.isOfDay && !isWhole(report);
}

const UNORDERED_MS = 2 * DAY_MS;

function designatorOf({ milestone: { flight } }: Report): string {
  return flight === null ? "" : flight.carrier + flight.number;
}
