/** When a feed is down, does not answer, breaks off behind an answer's first page, or asks for patience. */
import { drawsOf, mix } from "../world/chance.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import { LINER_CARRIERS, type LinerFeed } from "./carriers.ts";

export type FeedSpell = {
  readonly kind: "failing" | "silent" | "torn" | "busy";
  readonly fromMs: number;
  readonly untilMs: number;
};

const PERIOD_MS = 30 * DAY_MS;
/** No spell is longer. */
const SPELL_MS_MAX = 16 * HOUR_MS;

const FEEDS: readonly LinerFeed[] = LINER_CARRIERS.flatMap(({ feeds }) => feeds);

/** The spell that a feed is in; null: it is well. */
export function feedSpell(seed: number, feed: LinerFeed, atMs: number): FeedSpell | null {
  const periods = [Math.floor((atMs - SPELL_MS_MAX) / PERIOD_MS), Math.floor(atMs / PERIOD_MS)];
  const begun = [...new Set(periods)].flatMap((period) => spellsOf(seed, feed, period));
  return begun.find(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs) ?? null;
}

/** Those that begin in the period. */
function spellsOf(seed: number, feed: LinerFeed, period: number): readonly FeedSpell[] {
  const { outagesAMonth, quotasAMonth } = feed;
  const draws = drawsOf(seed, "outage", mix(200 + FEEDS.indexOf(feed), period));
  return Array.from({ length: outagesAMonth + quotasAMonth }, (_, count): FeedSpell => {
    const fromMs = period * PERIOD_MS + draws.whole(0, 30 * 1_440 - 1) * MINUTE_MS;
    const isOutage = count < outagesAMonth;
    const kind = isOutage ? draws.pick(["failing", "silent", "torn", "torn"] as const) : "busy";
    const lengthMs = draws.whole(isOutage ? 60 : 30, isOutage ? 960 : 300) * MINUTE_MS;
    return { kind, fromMs, untilMs: fromMs + lengthMs };
  });
}
