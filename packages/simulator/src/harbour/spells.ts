/** When a line's API is down, does not answer, or asks for patience. */
import type { Spell } from "../world/answer.ts";
import { drawsOf, mix } from "../world/chance.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import { LINES, type Line } from "./lines.ts";

const PERIOD_MS = 30 * DAY_MS;

/** Every spell of a line that begins in the period that `atMs` lies in. */
function spellsOf(seed: number, line: Line, period: number): readonly Spell[] {
  const draws = drawsOf(seed, "outage", mix(LINES.indexOf(line), period));
  const fromMs = (): number => period * PERIOD_MS + draws.whole(0, 29 * 24 * 60) * MINUTE_MS;
  const spells: Spell[] = [];
  for (let count = 0; count < line.outagesAMonth; count += 1) {
    const beginMs = fromMs();
    const kind = draws.is(0.3) ? "silent" : "failing";
    spells.push({ kind, fromMs: beginMs, untilMs: beginMs + draws.whole(20, 12 * 60) * MINUTE_MS });
  }
  for (let count = 0; count < line.quotasAMonth; count += 1) {
    const beginMs = fromMs();
    spells.push({ kind: "busy", fromMs: beginMs, untilMs: beginMs + draws.whole(5, 120) * MINUTE_MS });
  }
  return spells;
}

export type Weather = {
  /** The spell a line is in; null: it is well. */
  at(line: Line, atMs: number): Spell | null;
  /** All spells of a line that touch a time. */
  between(line: Line, fromMs: number, untilMs: number): readonly Spell[];
};

/** A spell lasts no longer than this, so that only two periods can hold the one of a moment. */
export const SPELL_MS_MAX = 12 * HOUR_MS;

export function createWeather(seed: number): Weather {
  const kept = new Map<string, readonly Spell[]>();
  const inPeriod = (line: Line, period: number): readonly Spell[] => {
    const key = `${line.scac}${period}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = spellsOf(seed, line, period);
    kept.set(key, made);
    return made;
  };
  const between = (line: Line, fromMs: number, untilMs: number): readonly Spell[] => {
    const spells: Spell[] = [];
    const last = Math.floor(untilMs / PERIOD_MS);
    for (let period = Math.floor((fromMs - SPELL_MS_MAX) / PERIOD_MS); period <= last; period += 1) {
      for (const spell of inPeriod(line, period)) {
        if (spell.untilMs > fromMs && spell.fromMs <= untilMs) spells.push(spell);
      }
    }
    return spells;
  };
  return { between, at: (line, atMs) => between(line, atMs, atMs)[0] ?? null };
}
