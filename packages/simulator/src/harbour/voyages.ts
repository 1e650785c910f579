/**
 * Voyages: one sailing of a service every week. A delay arises at a call, is announced at some moment,
 * and moves that call and all that follow; all boxes aboard share it.
 */
import { seededRandom, mix, type SeededRandom } from "../world/seeded-random.ts";
import type { PlaceCode } from "../world/places.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import { SERVICES, type ServiceCode } from "./services.ts";

const WEEK_MS = 7 * DAY_MS;

/** Voyages are numbered from this long before the world begins. */
const BEFORE_START_MS = 20 * WEEK_MS;

export type Vessel = { readonly name: string; readonly imo: string };

export type Voyage = {
  readonly service: ServiceCode;
  readonly number: number;
  /** As carriers write it: `031W`. */
  readonly name: string;
  readonly vessel: Vessel;
  readonly calls: readonly Call[];
  /** From when on it is known that the voyage will not be sailed; null: it will. */
  readonly blankedMs: number | null;
};

export type Call = {
  readonly port: PlaceCode;
  /** By the schedule. */
  readonly planned: CallTimes;
  /** As it will be. */
  readonly actual: CallTimes;
  /** What moves the arrival, and what moves the departure: the same and what holds the ship up at the berth. */
  readonly arrivalShifts: readonly Shift[];
  readonly departureShifts: readonly Shift[];
};

export type CallTimes = { readonly arrivalMs: number; readonly departureMs: number };

export type Shift = {
  /** When it is announced. */
  readonly knownMs: number;
  readonly byMs: number;
};

export type Timetable = {
  voyage(service: ServiceCode, number: number): Voyage;
  /** The number of the first voyage scheduled to leave `port` at `notBeforeMs` or later. */
  numberFrom(service: ServiceCode, port: PlaceCode, notBeforeMs: number): number;
};

/** Voyages kept in memory; a world of a few months has a few hundred. */
const VOYAGES_KEPT_MAX = 2_000;

export function createTimetable(seed: number, startMs: number): Timetable {
  const beginMs = Math.floor((startMs - BEFORE_START_MS) / DAY_MS) * DAY_MS;
  const kept = new Map<number, Voyage>();
  const codes = Object.keys(SERVICES) as ServiceCode[];
  return {
    voyage(service, number) {
      const key = codes.indexOf(service) * 1_000_000 + number;
      const known = kept.get(key);
      if (known !== undefined) return known;
      if (kept.size >= VOYAGES_KEPT_MAX) kept.clear();
      const made = voyageOf(
        seededRandom(seed, "voyage", mix(key, 1)),
        service,
        number,
        beginMs + number * WEEK_MS,
      );
      kept.set(key, made);
      return made;
    },
    numberFrom(service, port, notBeforeMs) {
      const call = SERVICES[service].calls.find((one) => one.port === port);
      if (call === undefined) throw new Error(`${service} does not call at ${port}`);
      const departureMs = beginMs + call.day * DAY_MS + call.hours * HOUR_MS;
      return Math.max(0, Math.ceil((notBeforeMs - departureMs) / WEEK_MS));
    },
  };
}

function voyageOf(draws: SeededRandom, service: ServiceCode, number: number, firstMs: number): Voyage {
  const { vessels, calls: rotation, code } = SERVICES[service];
  const calls: Call[] = [];
  const shifts: Shift[] = [];
  let delayMs = 0;
  for (const { port, day, hours } of rotation) {
    const arrivalMs = firstMs + day * DAY_MS;
    const planned = { arrivalMs, departureMs: arrivalMs + hours * HOUR_MS };
    const before = calls.at(-1);
    const seaMs = before === undefined ? 0 : arrivalMs - before.planned.departureMs;
    const byMs = delayAt(draws, seaMs);
    if (byMs !== 0) {
      const knownMs =
        before === undefined
          ? arrivalMs - draws.integer(24, 120) * HOUR_MS
          : before.actual.departureMs + Math.floor((draws.between(0.1, 0.8) * seaMs) / MINUTE_MS) * MINUTE_MS;
      shifts.push({ knownMs, byMs });
      delayMs += byMs;
    }
    for (const shift of before === undefined ? [] : driftsAt(draws, before.actual.departureMs, seaMs)) {
      shifts.push(shift);
      delayMs += shift.byMs;
    }
    const arrivalShifts = shifts.slice();
    const actual = { arrivalMs: arrivalMs + delayMs, departureMs: planned.departureMs + delayMs };
    // What holds the ship up at the berth is often known only after it should have left.
    if (draws.chance(0.08)) {
      const heldMs = draws.integer(30, 90) * HOUR_MS;
      const knownMs = actual.departureMs + draws.integer(-30, 40) * HOUR_MS;
      actual.departureMs += heldMs;
      delayMs += heldMs;
      shifts.push({ knownMs: Math.min(knownMs, actual.departureMs), byMs: heldMs });
    }
    calls.push({ port, planned, actual, arrivalShifts, departureShifts: shifts.slice() });
  }
  const ship = number % vessels.length;
  return {
    service,
    number,
    name: `${String((number % 90) + 10).padStart(3, "0")}W`,
    vessel: { name: vessels[ship] as string, imo: imoOf(code, ship) },
    calls,
    blankedMs: draws.chance(0.04) ? firstMs - draws.integer(72, 240) * HOUR_MS : null,
  };
}

/** Mostly hours, sometimes days; early only where the passage is long enough; now and then a day to the minute. */
function delayAt(draws: SeededRandom, seaMs: number): number {
  const kind = draws.fraction();
  const minutes = (least: number, most: number): number =>
    draws.integer(least * 12, most * 12) * 5 * MINUTE_MS;
  if (kind < 0.4) return 0;
  if (kind < 0.62) return minutes(-4, 8);
  if (kind < 0.8) return minutes(6, 23);
  if (kind < 0.84) return 24 * HOUR_MS - draws.integer(0, 1) * MINUTE_MS;
  if (kind < 0.91) return minutes(25, 60);
  if (kind < 0.95) return minutes(60, 130);
  return seaMs > 10 * DAY_MS ? -minutes(20, 50) : minutes(2, 10);
}

/** A long passage that takes 20 hours longer every day, or that is put off twice within a morning. */
function driftsAt(draws: SeededRandom, departureMs: number, seaMs: number): readonly Shift[] {
  if (seaMs < 8 * DAY_MS) return [];
  const kind = draws.fraction();
  const dayMs = Math.ceil(departureMs / DAY_MS) * DAY_MS;
  const minuteMs = draws.integer(2 * 60, 8 * 60) * MINUTE_MS;
  if (kind < 0.08) {
    const days = draws.integer(3, 5);
    return Array.from({ length: days }, (_, day) => ({
      knownMs: dayMs + (day + 1) * DAY_MS + minuteMs,
      byMs: 20 * HOUR_MS,
    }));
  }
  if (kind >= 0.14) return [];
  const firstMs = dayMs + 2 * DAY_MS + minuteMs;
  return [
    { knownMs: firstMs, byMs: draws.integer(25, 40) * HOUR_MS },
    { knownMs: firstMs + draws.integer(3, 10) * HOUR_MS, byMs: draws.integer(-10, 30) * HOUR_MS },
  ];
}

/** Seven digits that begin outside the numbers given to real ships. */
function imoOf(service: string, ship: number): string {
  const sum = Array.from(service).reduce((total, letter) => total * 31 + letter.charCodeAt(0), 7) % 9_000;
  return String(1_000_000 + sum * 100 + ship);
}

/** The call's times as they are expected at a moment. */
export function expectedAt(call: Call, atMs: number): CallTimes {
  return {
    arrivalMs: call.planned.arrivalMs + knownBy(call.arrivalShifts, atMs),
    departureMs: call.planned.departureMs + knownBy(call.departureShifts, atMs),
  };
}

function knownBy(shifts: readonly Shift[], atMs: number): number {
  let byMs = 0;
  for (const shift of shifts) if (shift.knownMs <= atMs) byMs += shift.byMs;
  return byMs;
}
