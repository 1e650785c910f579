/** When an airline's source is down, does not answer, or asks for patience. */
import { drawsOf, mix } from "../world/chance.ts";
import type { Spell } from "../world/answer.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import { AIRLINES, type Airline } from "./airlines.ts";

const PERIOD_DAYS = 30;
/** No spell is longer. */
const SPELL_MS_MAX = 12 * HOUR_MS;

/** All spells of the airline that touch a time. */
export function spellsBetween(
  seed: number,
  airline: Airline,
  fromMs: number,
  untilMs: number,
): readonly Spell[] {
  const spells: Spell[] = [];
  const last = periodOf(untilMs);
  for (let period = periodOf(fromMs - SPELL_MS_MAX); period <= last; period += 1) {
    const begun = spellsOf(seed, airline, period);
    spells.push(...begun.filter((spell) => spell.untilMs > fromMs && spell.fromMs <= untilMs));
  }
  return spells;
}

function periodOf(ms: number): number {
  return Math.floor(ms / (PERIOD_DAYS * DAY_MS));
}

/** Those that begin in the period. */
function spellsOf(seed: number, airline: Airline, period: number): readonly Spell[] {
  const { outagesAMonth, quotasAMonth } = airline;
  const draws = drawsOf(seed, "outage", mix(100 + AIRLINES.indexOf(airline), period));
  return Array.from({ length: outagesAMonth + quotasAMonth }, (_, count): Spell => {
    const fromMs = period * PERIOD_DAYS * DAY_MS + draws.whole(0, PERIOD_DAYS * 1_440 - 1) * MINUTE_MS;
    const isOutage = count < outagesAMonth;
    const kind = !isOutage ? "busy" : draws.is(0.3) ? "silent" : "failing";
    const lengthMs = draws.whole(isOutage ? 20 : 5, isOutage ? 720 : 120) * MINUTE_MS;
    return { kind, fromMs, untilMs: fromMs + lengthMs };
  });
}
