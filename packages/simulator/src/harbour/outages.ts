/** When a line's API is down, does not answer, or asks for patience. */
import type { Outage } from "../world/answer.ts";
import { seededRandom, mix } from "../world/seeded-random.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import { LINES, type Line } from "./lines.ts";

const PERIOD_MS = 30 * DAY_MS;

/** Every spell of a line that begins in the period that `atMs` lies in. */
function outagesOf(seed: number, line: Line, period: number): readonly Outage[] {
  const draws = seededRandom(seed, "outage", mix(LINES.indexOf(line), period));
  const fromMs = (): number => period * PERIOD_MS + draws.integer(0, 29 * 24 * 60) * MINUTE_MS;
  const spells: Outage[] = [];
  for (let count = 0; count < line.outagesAMonth; count += 1) {
    const beginMs = fromMs();
    const kind = draws.chance(0.3) ? "silent" : "failing";
    spells.push({ kind, fromMs: beginMs, untilMs: beginMs + draws.integer(20, 12 * 60) * MINUTE_MS });
  }
  for (let count = 0; count < line.throttlesAMonth; count += 1) {
    const beginMs = fromMs();
    spells.push({ kind: "throttled", fromMs: beginMs, untilMs: beginMs + draws.integer(5, 120) * MINUTE_MS });
  }
  return spells;
}

export type OutageCalendar = {
  /** The spell a line is in; null: it is well. */
  at(line: Line, atMs: number): Outage | null;
  /** All spells of a line that touch a time. */
  between(line: Line, fromMs: number, untilMs: number): readonly Outage[];
};

/** A spell lasts no longer than this, so that only two periods can hold the one of a moment. */
export const OUTAGE_MS_MAX = 12 * HOUR_MS;

export function createOutageCalendar(seed: number): OutageCalendar {
  const kept = new Map<string, readonly Outage[]>();
  const inPeriod = (line: Line, period: number): readonly Outage[] => {
    const key = `${line.scac}${period}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = outagesOf(seed, line, period);
    kept.set(key, made);
    return made;
  };
  const between = (line: Line, fromMs: number, untilMs: number): readonly Outage[] => {
    const spells: Outage[] = [];
    const last = Math.floor(untilMs / PERIOD_MS);
    for (let period = Math.floor((fromMs - OUTAGE_MS_MAX) / PERIOD_MS); period <= last; period += 1) {
      for (const spell of inPeriod(line, period)) {
        if (spell.untilMs > fromMs && spell.fromMs <= untilMs) spells.push(spell);
      }
    }
    return spells;
  };
  return { between, at: (line, atMs) => between(line, atMs, atMs)[0] ?? null };
}
