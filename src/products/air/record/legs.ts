/** The flights of a waybill, each with what is known of its departure, its arrival and the cargo that it takes. */
import type { LocalTime } from "../../../freight/places/local-time.ts";
import { currentBookings } from "./flight.ts";
import type { AirEvent, TimeIndicator } from "../timeline/air-event.ts";
import { FLIGHT_PLAN_CODES, timeOf } from "../timeline/event-order.ts";
import { sumOfPieces } from "../timeline/parts.ts";
import type { AirTimeline } from "../timeline/timeline.ts";
import { HOUR_MS } from "../../../runtime/durations.ts";

/** In their order; `replaced`: booked, and then booked otherwise. */
export const LEG_STATES = ["replaced", "booked", "manifested", "departed", "arrived", "received"] as const;
export type LegState = (typeof LEG_STATES)[number];

export type LegTimes = { readonly [is in TimeIndicator]: LocalTime | null };

export type Leg = {
  readonly flight: string;
  /** Of the departure, local to it: `YYYY-MM-DD`. */
  readonly date: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly state: LegState;
  readonly departure: LegTimes;
  readonly arrival: LegTimes;
  /** As counted last on the way, before that as booked. */
  readonly pieces: number | null;
  readonly weightKg: number | null;
};

type Flight = Pick<Leg, "flight" | "date" | "from" | "to"> & {
  readonly events: readonly AirEvent[];
  /** Of its last event; minus infinity without a time. */
  readonly ms: number;
};

/** In the order of the timeline. */
export function legsOf(timeline: AirTimeline, pieces: number | null): readonly Leg[] {
  const flights: Flight[] = [];
  for (const event of timeline) {
    const flight = flightIn(event);
    if (flight === null) continue;
    // An arrival without a date is of the flight that left last.
    const index = flights.findLastIndex((other) => isSameFlight(other, flight));
    const before = flights[index];
    if (before === undefined) flights.push(flight);
    else flights[index] = joined(before, flight);
  }
  const current = new Set(currentBookings(timeline, pieces));
  return flights.map((flight) => legOf(flight, current));
}

const LEAVING: readonly string[] = [...FLIGHT_PLAN_CODES, "DEP"];
const COMING: readonly string[] = ["ARR", "FIW", "RCF"];

function flightIn(event: AirEvent): Flight | null {
  const { code, flight, station } = event;
  if (flight === null || !(LEAVING.includes(code) || COMING.includes(code))) return null;
  return {
    flight: flight.carrier + flight.number,
    date: flight.date,
    from: event.from ?? (LEAVING.includes(code) ? station : null),
    to: event.to ?? (COMING.includes(code) ? station : null),
    events: [event],
    ms: timeOf(event),
  };
}

function isSameFlight(a: Flight, b: Flight): boolean {
  const agree = (one: string | null, other: string | null) => one === null || other === null || one === other;
  // A flight that leaves after midnight may be scheduled for the day before; the next day's has the same number.
  const isNear = Math.abs(a.ms - b.ms) < NEXT_FLIGHT_MS_MIN;
  const isOnce = isNear || agree(a.date, b.date);
  return a.flight === b.flight && isOnce && agree(a.from, b.from) && agree(a.to, b.to);
}

const NEXT_FLIGHT_MS_MIN = 12 * HOUR_MS;

function joined(a: Flight, b: Flight): Flight {
  return {
    flight: a.flight,
    date: a.date ?? b.date,
    from: a.from ?? b.from,
    to: a.to ?? b.to,
    events: [...a.events, ...b.events],
    ms: b.ms,
  };
}

function legOf({ events, ms: _, ...flight }: Flight, current: ReadonlySet<AirEvent>): Leg {
  const counted = COUNTED_BY.map((code) => events.filter((event) => event.code === code)).find((some) =>
    some.some(({ pieces }) => pieces !== null),
  );
  const weights = counted?.flatMap(({ weightKg }) => weightKg ?? []) ?? [];
  return {
    ...flight,
    state: stateOf(events, current),
    departure: timesOf(events, "departure", ["DEP"]),
    arrival: timesOf(events, "arrival", ["ARR"]),
    pieces: counted === undefined ? null : sumOfPieces(counted),
    weightKg: weights.length === 0 ? null : weights.reduce((sum, one) => sum + one, 0),
  };
}

/** What counts the cargo best comes first. */
const COUNTED_BY = ["DEP", "RCF", "ARR", "FIW", "MAN", "PRE", "BKD"] as const;

function stateOf(events: readonly AirEvent[], current: ReadonlySet<AirEvent>): LegState {
  const has = (...codes: readonly string[]) =>
    events.some(({ code, planned }) => planned !== true && codes.includes(code));
  if (has("RCF", "FIW")) return "received";
  if (has("ARR")) return "arrived";
  if (has("DEP")) return "departed";
  if (!events.some((event) => current.has(event))) return "replaced";
  return has("MAN") ? "manifested" : "booked";
}

/** What was said last of each kind. `own`: the codes whose own time it is. */
function timesOf(
  events: readonly AirEvent[],
  end: "departure" | "arrival",
  own: readonly string[],
): LegTimes {
  const times: { [is in TimeIndicator]: LocalTime | null } = {
    scheduled: null,
    estimated: null,
    actual: null,
  };
  for (const event of events) {
    const stated = event[end];
    const is = event[`${end}Is`];
    if (stated !== null) times[is ?? "scheduled"] = stated;
    const isOwn = own.includes(event.code) && event.planned !== true;
    if (isOwn && event.at !== null && stated === null) times[event.timeIs ?? "actual"] = event.at;
  }
  return times;
}
