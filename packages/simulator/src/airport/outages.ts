/** When an airline's source is down, does not answer, or asks for patience. */
import { seededRandom, mix } from "../world/seeded-random.ts";
import type { Outage } from "../world/answer.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import { AIRLINES, type Airline } from "./airlines.ts";

const PERIOD_DAYS = 30;
/** No spell is longer. */
const OUTAGE_MS_MAX = 12 * HOUR_MS;

/** All spells of the airline that touch a time. */
export function outagesBetween(
  seed: number,
  airline: Airline,
  fromMs: number,
  untilMs: number,
): readonly Outage[] {
  const spells: Outage[] = [];
  const last = periodOf(untilMs);
  for (let period = periodOf(fromMs - OUTAGE_MS_MAX); period <= last; period += 1) {
    const begun = outagesOf(seed, airline, period);
    spells.push(...begun.filter((spell) => spell.untilMs > fromMs && spell.fromMs <= untilMs));
  }
  return spells;
}

function periodOf(ms: number): number {
  return Math.floor(ms / (PERIOD_DAYS * DAY_MS));
}

/** The outages that begin in the period. */
function outagesOf(seed: number, airline: Airline, period: number): readonly Outage[] {
  const { outagesAMonth, throttlesAMonth } = airline;
  const draws = seededRandom(seed, "outage", mix(100 + AIRLINES.indexOf(airline), period));
  return Array.from({ length: outagesAMonth + throttlesAMonth }, (_, count): Outage => {
    const fromMs = period * PERIOD_DAYS * DAY_MS + draws.integer(0, PERIOD_DAYS * 1_440 - 1) * MINUTE_MS;
    const isOutage = count < outagesAMonth;
    const kind = !isOutage ? "throttled" : draws.chance(0.3) ? "silent" : "failing";
    const lengthMs = draws.integer(isOutage ? 20 : 5, isOutage ? 720 : 120) * MINUTE_MS;
    return { kind, fromMs, untilMs: fromMs + lengthMs };
  });
}
