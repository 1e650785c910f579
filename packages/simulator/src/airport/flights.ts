/** Flights: one a day on every leg that a carrier flies, each with a fate of its own. */
import { seededRandom, mix } from "../world/seeded-random.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import { localAt, onDayOf, STATION_CODES, type Station } from "./stations.ts";

export type Flight = {
  readonly carrier: string;
  /** Three or four digits. */
  readonly number: string;
  /** YYYY-MM-DD at the station that it leaves from. */
  readonly date: string;
  readonly from: Station;
  readonly to: Station;
  readonly scheduled: FlightTimes;
  readonly actual: FlightTimes;
};

export type FlightTimes = { readonly departureMs: number; readonly arrivalMs: number };

/** The first flight of the leg that is scheduled to leave at `notBeforeMs` or later. */
export function flightAfter(
  seed: number,
  carrier: string,
  from: Station,
  to: Station,
  notBeforeMs: number,
): Flight {
  const leg = mix(carrier.charCodeAt(0), STATION_CODES.indexOf(from) * 100 + STATION_CODES.indexOf(to));
  const ofLeg = seededRandom(seed, "voyage", leg);
  const number = String(ofLeg.integer(100, 8_999));
  const leavesMinutes = ofLeg.integer(0, 287) * 5;
  const fliesMs = ofLeg.integer(90, 840) * MINUTE_MS;
  const today = onDayOf(from, notBeforeMs, leavesMinutes);
  const departureMs = today >= notBeforeMs ? today : onDayOf(from, notBeforeMs + DAY_MS, leavesMinutes);
  const ofFlight = seededRandom(seed, "voyage", mix(leg, Math.floor(departureMs / MINUTE_MS)));
  const latenessMs = ofFlight.chance(0.4)
    ? 0
    : ofFlight.integer(-10, ofFlight.chance(0.1) ? 1_800 : 200) * MINUTE_MS;
  const lateMs = ofFlight.chance(0.06) ? ofFlight.integer(-90, -15) * MINUTE_MS : latenessMs;
  const madeUpMs = ofFlight.integer(-20, 30) * MINUTE_MS;
  const scheduled = { departureMs, arrivalMs: departureMs + fliesMs };
  const actual = { departureMs: departureMs + lateMs, arrivalMs: scheduled.arrivalMs + lateMs - madeUpMs };
  return { carrier, number, date: localAt(from, departureMs).slice(0, 10), from, to, scheduled, actual };
}

/** Cargo has to be there so long before. */
export const CUT_OFF_MS = 4 * HOUR_MS;
