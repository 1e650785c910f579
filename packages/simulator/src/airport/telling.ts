/** What happens → what the airline says of it and when: late, twice, with a wrong time at first, or never. */
import { drawsOf, minutes, type Draws } from "../world/chance.ts";
import { HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import type { Airline } from "./airlines.ts";
import type { Happening } from "./happening.ts";
import type { Waybill } from "./waybill.ts";

/** One thing said. */
export type Saying = {
  /** Of what happened: the same in all that is said of one happening. */
  readonly key: number;
  readonly happening: Happening;
  readonly saidMs: number;
  /** Announced, and not happened. */
  readonly planned: boolean;
  /** Said again, word for word or with a remark. */
  readonly remark: string | null;
};

/** In the order in which it is said. */
export function sayingsOf(
  seed: number,
  waybill: Waybill,
  happenings: readonly Happening[],
): readonly Saying[] {
  const { airline, index } = waybill;
  const draws = drawsOf(seed, "telling", index);
  const sayings = happenings.flatMap((happening, key) => {
    const said = sayingsOfOne(airline, draws, key, happening);
    return airline.silentOn.includes(happening.code) ? [] : said;
  });
  const all = [...sayings, ...announcements(waybill, happenings)];
  return all.toSorted((a, b) => a.saidMs - b.saidMs || a.key - b.key);
}

function sayingsOfOne(airline: Airline, draws: Draws, key: number, happening: Happening): readonly Saying[] {
  const isLost = draws.is(airline.lostShare) && !HANDED_OUT.includes(happening.code);
  const isLate = draws.is(airline.lateShare);
  const delayMs = draws.whole(1, isLate ? airline.lateDays * 1_440 : airline.lateHours * 60) * MINUTE_MS;
  const corrected = draws.is(airline.correctedShare) && canBeCorrected(happening);
  const tooEarlyMs = draws.whole(3, 90) * MINUTE_MS;
  const correctedAfterMs = minutes(draws, 0.5, 12);
  const repeated = draws.is(airline.repeatShare);
  const repeatedAfterMs = minutes(draws, 0.5, 48);
  const remark = draws.is(0.3) ? "SENT AGAIN" : null;
  if (isLost) return [];
  const right = { key, happening, planned: false, remark: null };
  const firstMs = happening.knownMs + delayMs;
  const rightMs = corrected ? firstMs + correctedAfterMs : firstMs;
  const wrong = { ...happening, atMs: happening.atMs - tooEarlyMs };
  return [
    ...(corrected ? [{ ...right, happening: wrong, saidMs: firstMs }] : []),
    { ...right, saidMs: rightMs },
    ...(repeated ? [{ ...right, remark, saidMs: rightMs + repeatedAfterMs }] : []),
  ];
}

const HANDED_OUT: readonly string[] = ["DLV", "DDL"];
/** Their time is the flight's schedule, or none. */
const WITHOUT_A_TIME: readonly string[] = ["BKD", "PRE", "MAN", "TRM"];

/**
 * Messages have no number and no date of their own: of two times of one happening nothing tells the right one
 * but that it is the later, and two deliveries of as much as half of the cargo are two.
 */
function canBeCorrected({ code, pieces, totalPieces }: Happening): boolean {
  if (WITHOUT_A_TIME.includes(code)) return false;
  return !HANDED_OUT.includes(code) || pieces * 2 > totalPieces;
}

/** What is to come, where the airline's source tells of that too: the flights that are booked. */
function announcements(
  { airline, route, bookedMs }: Waybill,
  happenings: readonly Happening[],
): readonly Saying[] {
  if (airline.speaks !== "one-record") return [];
  const booked = happenings.filter(({ code, knownMs }) => code === "BKD" && knownMs < bookedMs + HOUR_MS);
  return booked.flatMap((booking, leg) => {
    const { flight } = booking;
    if (flight === null) return [];
    const { departureMs, arrivalMs } = flight.scheduled;
    const announce = (
      code: "DEP" | "RCF" | "NFD",
      key: number,
      station: Happening["station"],
      atMs: number,
    ) => ({
      key: -1 - leg * 3 - key,
      happening: { ...booking, code, station, atMs },
      saidMs: booking.knownMs,
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
