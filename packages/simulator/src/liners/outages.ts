/** When a feed is down, does not answer, breaks off behind an answer's first page, or asks for patience. */
import { seededRandom, mix } from "../world/seeded-random.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import { LINER_CARRIERS, type LinerFeed } from "./carriers.ts";

export type FeedOutage = {
  readonly kind: "failing" | "silent" | "truncated" | "throttled";
  readonly fromMs: number;
  readonly untilMs: number;
};

const PERIOD_MS = 30 * DAY_MS;
/** No spell is longer. */
const OUTAGE_MS_MAX = 16 * HOUR_MS;

const FEEDS: readonly LinerFeed[] = LINER_CARRIERS.flatMap(({ feeds }) => feeds);

/** The spell that a feed is in; null: it is well. */
export function feedOutageAt(seed: number, feed: LinerFeed, atMs: number): FeedOutage | null {
  const periods = [Math.floor((atMs - OUTAGE_MS_MAX) / PERIOD_MS), Math.floor(atMs / PERIOD_MS)];
  const begun = [...new Set(periods)].flatMap((period) => outagesOf(seed, feed, period));
  return begun.find(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs) ?? null;
}

/** The outages that begin in the period. */
function outagesOf(seed: number, feed: LinerFeed, period: number): readonly FeedOutage[] {
  const { outagesAMonth, throttlesAMonth } = feed;
  const draws = seededRandom(seed, "outage", mix(200 + FEEDS.indexOf(feed), period));
  return Array.from({ length: outagesAMonth + throttlesAMonth }, (_, count): FeedOutage => {
    const fromMs = period * PERIOD_MS + draws.integer(0, 30 * 1_440 - 1) * MINUTE_MS;
    const isOutage = count < outagesAMonth;
    const kind = isOutage
      ? draws.pick(["failing", "silent", "truncated", "truncated"] as const)
      : "throttled";
    const lengthMs = draws.integer(isOutage ? 60 : 30, isOutage ? 960 : 300) * MINUTE_MS;
    return { kind, fromMs, untilMs: fromMs + lengthMs };
  });
}
