/** What happens → what the airline says of it and when: late, twice, with a wrong time at first, or never. */
import { seededRandom, randomDurationMs, type SeededRandom } from "../world/seeded-random.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import type { Airline } from "./airlines.ts";
import { isDelivery, type Milestone } from "./milestone.ts";
import { unsaidOf } from "./silence.ts";
import { midnightOf } from "./stations.ts";
import type { Waybill } from "./waybill.ts";

/** One thing said. */
export type Report = {
  /** Of what happened: the same in all that is said of one happening. */
  readonly key: number;
  /** Its time is the one that is said. */
  readonly milestone: Milestone;
  /** When it happened in truth, or is planned. */
  readonly trueMs: number;
  readonly reportedMs: number;
  /** From then on an airline that is asked no longer says it; null: it goes on. */
  readonly withdrawnMs: number | null;
  /** Announced, and not happened. */
  readonly planned: boolean;
  /** Said with its day only, which is then at its station's midnight. */
  readonly isOfDay: boolean;
  /** Its quantity cannot be read. */
  readonly isGarbled: boolean;
  /** Says neither pieces nor weight of the whole. */
  readonly isBare: boolean;
  readonly isInPounds: boolean;
  /** Said again, word for word or with a remark. */
  readonly remark: string | null;
};

/** In the order in which it is said. */
export function reportsOf(
  seed: number,
  waybill: Waybill,
  happenings: readonly Milestone[],
): readonly Report[] {
  const { airline, index } = waybill;
  const draws = seededRandom(seed, "reporting", index);
  const isBare = draws.chance(airline.bareShare);
  const unsaid = unsaidOf(airline, draws, happenings, isBare);
  const givesDaysOnly = draws.chance(airline.daysOnlyShare);
  const said: (readonly Report[])[] = [];
  for (const [key, happening] of happenings.entries()) {
    const before = happening.isWithBefore ? said[key - 1]! : null;
    const drawn = reportsOfMilestone(airline, draws, key, happening, { givesDaysOnly, isBare });
    const all = before === null ? drawn : before.map((report) => ({ ...report, key, milestone: happening }));
    said.push(unsaid(happening) ? [] : all);
  }
  const happened = said.flat().map((report) => {
    const timed = givesDaysOnly ? withoutTime(airline, report) : report;
    return isBare ? { ...timed, isBare } : timed;
  });
  const standing = withdrawReplaced(happened);
  const reports = [
    ...standing,
    ...plannedReports(waybill, standing, happenings.length + 1),
    ...falseReports(waybill, draws, happenings),
  ];
  return reports.map(pastMidnight).toSorted((a, b) => a.reportedMs - b.reportedMs || a.key - b.key);
}

/** Midnight would stand for the day, except of a flight (docs/decisions/air.md): what happens then is said a minute late. */
function pastMidnight(report: Report): Report {
  const { milestone, isOfDay } = report;
  const { code, station, atMs } = milestone;
  if (isOfDay || FLIGHT_TIMED_CODES.includes(code) || midnightOf(station, atMs) !== atMs) return report;
  return { ...report, milestone: { ...milestone, atMs: atMs + MINUTE_MS } };
}

function reportsOfMilestone(
  airline: Airline,
  draws: SeededRandom,
  key: number,
  happening: Milestone,
  { givesDaysOnly, isBare }: { readonly givesDaysOnly: boolean; readonly isBare: boolean },
): readonly Report[] {
  const isLost = draws.chance(airline.lostShare) && !isDelivery(happening);
  const isLate = draws.chance(airline.lateShare);
  const delayMs = draws.integer(1, isLate ? airline.lateDays * 1_440 : airline.lateHours * 60) * MINUTE_MS;
  const isCorrected = draws.chance(airline.correctedShare) && canBeCorrected(happening) && !givesDaysOnly;
  const wrongByMs = draws.integer(3, 90) * (draws.chance(0.6) ? -MINUTE_MS : MINUTE_MS);
  const isAhead = draws.chance(airline.aheadShare) && isOfAll(happening) && !givesDaysOnly && !isBare;
  const aheadMs = draws.integer(2, 5) * DAY_MS;
  const isNeverRight = isAhead && draws.chance(0.3);
  const correctedAfterMs = randomDurationMs(draws, 0.5, 12);
  const repeatedAfterMs = randomDurationMs(draws, 0.5, 48);
  // Of two deliveries without a time, nothing tells whether they are one that is reported again.
  const isRepeated = draws.chance(airline.repeatShare) && !(givesDaysOnly && isDelivery(happening));
  const remark = draws.chance(0.3) ? "SENT AGAIN" : null;
  const isAtOnce = draws.chance(airline.atOnceShare) && (isDelivery(happening) || isWhole(happening));
  const isInPounds = draws.chance(airline.poundsShare) && isCorrected && isDelivery(happening);
  const isUnread = draws.chance(airline.garbledShare) && isDelivery(happening) && !happening.isNearAlike;
  if (isLost) return [];
  const isGarbled = isUnread && !isAhead && !isCorrected;
  const isWrong = isAhead || isCorrected || isGarbled;
  const saidMs = happening.knownMs + delayMs;
  const firstMs = isAtOnce && isWrong ? saidMs - JUST_BEFORE_MS : saidMs;
  const rightMs = isWrong && !isAtOnce ? firstMs + correctedAfterMs : saidMs;
  const right: Report = {
    ...SAID_PLAINLY,
    key,
    milestone: happening,
    trueMs: happening.atMs,
    reportedMs: rightMs,
    isInPounds,
  };
  const offMs = isGarbled ? 0 : isAhead ? aheadMs : wrongByMs;
  const wrong = { ...happening, atMs: happening.atMs + offMs };
  if (isNeverRight) return [{ ...right, milestone: wrong, reportedMs: firstMs }];
  return [
    ...(isWrong ? [{ ...right, milestone: wrong, reportedMs: firstMs, isGarbled, isInPounds: false }] : []),
    right,
    ...(isRepeated ? [{ ...right, remark, reportedMs: rightMs + repeatedAfterMs }] : []),
  ];
}

/** What replaces a booking withdraws it. */
function withdrawReplaced(reports: readonly Report[]): readonly Report[] {
  return reports.map((report) => {
    const { revokedMs } = report.milestone;
    if (revokedMs === null) return report;
    const { reportedMs } = reports.find(({ milestone }) => milestone.knownMs === revokedMs) ?? report;
    return { ...report, withdrawnMs: Math.max(reportedMs, report.reportedMs) };
  });
}

/** In one text, a message before another one. */
const JUST_BEFORE_MS = 0.001;

const SAID_PLAINLY = {
  planned: false,
  isOfDay: false,
  isGarbled: false,
  isBare: false,
  isInPounds: false,
  withdrawnMs: null,
  remark: null,
} as const;

/** Their time is the flight's schedule, or none. */
const UNTIMED_CODES: readonly string[] = ["BKD", "PRE", "MAN", "TRM"];
const FLIGHT_TIMED_CODES: readonly string[] = [...UNTIMED_CODES, "DEP", "ARR"];

/** Parts alike that are near each other cannot be reported from one part whose time is put right. */
function canBeCorrected({ code, isNearAlike }: Milestone): boolean {
  return !UNTIMED_CODES.includes(code) && !isNearAlike;
}

function isOfAll(happening: Milestone): boolean {
  return isDelivery(happening) && happening.pieces === happening.totalPieces;
}

function withoutTime({ protocol }: Airline, report: Report): Report {
  const { milestone } = report;
  const { code, station, atMs, flight } = milestone;
  if (UNTIMED_CODES.includes(code)) return report;
  // A message names the day of the flight.
  const isOfFlightDay = code === "DEP" && protocol !== "one-record" && flight !== null;
  const dayMs = isOfFlightDay ? flight.scheduled.departureMs : atMs;
  return { ...report, isOfDay: true, milestone: { ...milestone, atMs: midnightOf(station, dayMs) } };
}

/** The booked flights, if the airline's source reports plans: with each booking, and no longer. */
function plannedReports(
  { airline, route }: Waybill,
  reports: readonly Report[],
  keysFrom: number,
): readonly Report[] {
  if (airline.protocol !== "one-record") return [];
  const bookings = reports.filter(({ milestone }) => milestone.code === "BKD" && isWhole(milestone));
  return bookings.flatMap((booking, index) => {
    const { milestone } = booking;
    const { flight } = milestone;
    if (flight === null) return [];
    const { departureMs, arrivalMs } = flight.scheduled;
    const announce = (code: "DEP" | "RCF" | "NFD", station: Milestone["station"], atMs: number) => ({
      ...booking,
      key: keysFrom + index * 3 + ["DEP", "RCF", "NFD"].indexOf(code),
      milestone: { ...milestone, code, station, atMs },
      trueMs: atMs,
      planned: true,
    });
    return [
      announce("DEP", flight.from, departureMs),
      announce("RCF", flight.to, arrivalMs + 4 * HOUR_MS),
      ...(flight.to === route.at(-1) ? [announce("NFD", flight.to, arrivalMs + 6 * HOUR_MS)] : []),
    ];
  });
}

function isWhole({ pieces, totalPieces }: Milestone): boolean {
  return pieces === totalPieces;
}

/** Of another waybill, until somebody notices. */
function falseReports(
  { airline, route }: Waybill,
  draws: SeededRandom,
  happenings: readonly Milestone[],
): readonly Report[] {
  const isSaid = draws.chance(airline.falseShare);
  const code = draws.pick(["RCF", "RCF", "NFD", "DLV"] as const);
  const saidMs = randomDurationMs(draws, 0.2, 6);
  const noticedMs = randomDurationMs(draws, 1, 24);
  const departed = happenings.find((happening) => happening.code === "DEP");
  if (!isSaid || departed === undefined) return [];
  const station = route.at(-1)!;
  const atMs = departed.atMs + saidMs;
  const milestone: Milestone = { ...departed, code, station, atMs, knownMs: atMs, flight: null };
  const whole = { ...milestone, pieces: departed.totalPieces };
  const reportedMs = atMs + MINUTE_MS;
  const withdrawnMs = reportedMs + noticedMs;
  const key = happenings.length;
  return [{ ...SAID_PLAINLY, key, milestone: whole, trueMs: atMs, reportedMs, withdrawnMs }];
}
