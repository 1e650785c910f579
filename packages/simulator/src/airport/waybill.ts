/** An index and the seed → a waybill: whose it is, from where to where, how much, and when it is booked. */
import { seededRandom } from "../world/seeded-random.ts";
import { MINUTE_MS } from "../world/durations.ts";
import { AIRLINES, type Airline } from "./airlines.ts";
import { CITIES, STATION_CODES, type Station } from "./stations.ts";

export type Waybill = {
  readonly index: number;
  /** 11 digits. */
  readonly awb: string;
  readonly airline: Airline;
  /** As the airline writes them: a station, or its city. */
  readonly origin: string;
  readonly destination: string;
  /** Origin, transit stations and destination. */
  readonly route: readonly Station[];
  /** Who flies each leg; another carrier than the airline takes the cargo over at a transit station. */
  readonly carriers: readonly string[];
  readonly pieces: number;
  /** What was thought to come when it was booked. */
  readonly bookedPieces: number;
  readonly weightKg: number;
  readonly bookedWeightKg: number;
  readonly bookedMs: number;
};

/** Seven digits, of which the first is no zero. */
export const WAYBILLS_MAX = 1_000_000;
const SERIAL_FROM = 1_000_000;

/** Booked from so long before the world's beginning, and until so long after it. */
const BEFORE_DAYS = 12;
const AFTER_DAYS = 25;

export function waybillOf(seed: number, startMs: number, index: number): Waybill {
  const draws = seededRandom(seed, "consignment", index);
  const airline = draws.pick(AIRLINES);
  const ends = [draws.pick(STATION_CODES), draws.pick(STATION_CODES)] as const;
  const origin = ends[0] === airline.hub && draws.chance(0.7) ? "NBO" : ends[0];
  const destination = ends[1] === origin ? (origin === "GRU" ? "LHR" : "GRU") : ends[1];
  const transits = transitsOf(airline, origin, destination, draws);
  const route = [origin, ...transits, destination];
  const partner = draws.pick(AIRLINES.filter(({ iata }) => iata !== airline.iata)).iata;
  const handsOver = transits.length > 0 && draws.chance(0.3);
  const pieces = draws.chance(0.15) ? 1 : draws.integer(2, 40);
  const weightKg = (pieces * draws.integer(16, 600)) / 2;
  const written = (station: Station): string => (draws.chance(0.2) ? (CITIES[station] ?? station) : station);
  return {
    index,
    awb: awbOf(airline, index),
    airline,
    origin: written(origin),
    destination: written(destination),
    route,
    carriers: route.slice(1).map((_, leg) => (handsOver && leg > 0 ? partner : airline.iata)),
    pieces,
    bookedPieces: draws.chance(0.12) ? Math.max(1, pieces + draws.integer(-3, 3)) : pieces,
    weightKg,
    bookedWeightKg: draws.chance(0.1) ? Math.max(1, weightKg + draws.integer(-40, 40) * 10) : weightKg,
    bookedMs: startMs + draws.integer(-BEFORE_DAYS * 1_440, AFTER_DAYS * 1_440) * MINUTE_MS,
  };
}

function transitsOf(
  { hub }: Airline,
  origin: Station,
  destination: Station,
  draws: ReturnType<typeof seededRandom>,
): readonly Station[] {
  const viaHub = hub !== origin && hub !== destination && draws.chance(0.75) ? [hub] : [];
  const second = draws.pick(STATION_CODES);
  const isNew = ![origin, destination, ...viaHub].includes(second);
  return isNew && draws.chance(0.15) ? [...viaHub, second] : viaHub;
}

function awbOf({ prefix }: Airline, index: number): string {
  const serial = SERIAL_FROM + index;
  return `${prefix}${serial}${serial % 7}`;
}

/** Null: no number that this world has given out. */
export function waybillNumbered(
  seed: number,
  startMs: number,
  awb: string,
  waybills: number,
): Waybill | null {
  const index = Number(awb.slice(3, 10)) - SERIAL_FROM;
  if (!/^\d{11}$/.test(awb) || index < 0 || index >= waybills) return null;
  const waybill = waybillOf(seed, startMs, index);
  return waybill.awb === awb ? waybill : null;
}
