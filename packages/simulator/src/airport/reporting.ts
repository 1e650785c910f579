/** What happens → what the airline says of it and when: late, twice, with a wrong time at first, or never. */
import { seededRandom, randomDurationMs, type SeededRandom } from "../world/seeded-random.ts";
import { HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import type { Airline } from "./airlines.ts";
import type { Milestone } from "./milestone.ts";
import type { Waybill } from "./waybill.ts";

/** One thing said. */
export type Report = {
  /** Of what happened: the same in all that is said of one happening. */
  readonly key: number;
  readonly milestone: Milestone;
  readonly reportedMs: number;
  /** Announced, and not happened. */
  readonly planned: boolean;
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
  const happened = happenings.flatMap((happening, key) => {
    const said = reportsOfMilestone(airline, draws, key, happening);
    return airline.unreportedCodes.includes(happening.code) ? [] : said;
  });
  const all = [...happened, ...plannedReports(waybill, happenings)];
  return all.toSorted((a, b) => a.reportedMs - b.reportedMs || a.key - b.key);
}

function reportsOfMilestone(
  airline: Airline,
  draws: SeededRandom,
  key: number,
  happening: Milestone,
): readonly Report[] {
  const isLost = draws.chance(airline.lostShare) && !DELIVERED_CODES.includes(happening.code);
  const isLate = draws.chance(airline.lateShare);
  const delayMs = draws.integer(1, isLate ? airline.lateDays * 1_440 : airline.lateHours * 60) * MINUTE_MS;
  const corrected = draws.chance(airline.correctedShare) && canBeCorrected(happening);
  const tooEarlyMs = draws.integer(3, 90) * MINUTE_MS;
  const correctedAfterMs = randomDurationMs(draws, 0.5, 12);
  const repeated = draws.chance(airline.repeatShare);
  const repeatedAfterMs = randomDurationMs(draws, 0.5, 48);
  const remark = draws.chance(0.3) ? "SENT AGAIN" : null;
  if (isLost) return [];
  const right = { key, milestone: happening, planned: false, remark: null };
  const firstMs = happening.knownMs + delayMs;
  const rightMs = corrected ? firstMs + correctedAfterMs : firstMs;
  const wrong = { ...happening, atMs: happening.atMs - tooEarlyMs };
  return [
    ...(corrected ? [{ ...right, milestone: wrong, reportedMs: firstMs }] : []),
    { ...right, reportedMs: rightMs },
    ...(repeated ? [{ ...right, remark, reportedMs: rightMs + repeatedAfterMs }] : []),
  ];
}

const DELIVERED_CODES: readonly string[] = ["DLV", "DDL"];
/** Their time is the flight's schedule, or none. */
const UNTIMED_CODES: readonly string[] = ["BKD", "PRE", "MAN", "TRM"];

/**
 * Messages have no number and no date of their own: of two times of one happening nothing tells the right one
 * but that it is the later, and two deliveries of as much as half of the cargo are two.
 */
function canBeCorrected({ code, pieces, totalPieces }: Milestone): boolean {
  if (UNTIMED_CODES.includes(code)) return false;
  return !DELIVERED_CODES.includes(code) || pieces * 2 > totalPieces;
}

/** The booked flights, if the airline's source reports plans. */
function plannedReports(
  { airline, route, bookedMs }: Waybill,
  happenings: readonly Milestone[],
): readonly Report[] {
  if (airline.protocol !== "one-record") return [];
  const booked = happenings.filter(({ code, knownMs }) => code === "BKD" && knownMs < bookedMs + HOUR_MS);
  return booked.flatMap((booking, leg) => {
    const { flight } = booking;
    if (flight === null) return [];
    const { departureMs, arrivalMs } = flight.scheduled;
    const announce = (
      code: "DEP" | "RCF" | "NFD",
      key: number,
      station: Milestone["station"],
      atMs: number,
    ) => ({
      key: -1 - leg * 3 - key,
      milestone: { ...booking, code, station, atMs },
      reportedMs: booking.knownMs,
      planned: true,
      remark: null,
    });
    return [
      announce("DEP", 0, flight.from, departureMs),
      announce("RCF", 1, flight.to, arrivalMs + 4 * HOUR_MS),
      ...(flight.to === route.at(-1) ? [announce("NFD", 2, flight.to, arrivalMs + 6 * HOUR_MS)] : []),
    ];
  });
}
