/**
 * A world of liner services, all of it from a seed: what sails, what becomes of it, and what the carriers' feeds say at
 * any moment. Only round voyages are kept.
 *
 *     service, round ─▶ calls (what happens) ─▶ report (what a feed says of each, and when) ─▶ answer at a moment
 */
import { DAY_MS } from "../world/durations.ts";
import { LINER_CARRIERS, type LinerCarrier, type LinerFeed } from "./carriers.ts";
import { imoOf, roundVoyageOf, roundVoyagesUntil, WEEK_MS, type LinerCall } from "./round-voyages.ts";
import { LINER_SERVICES, type LinerService, type LinerServiceCode } from "./services.ts";
import { reportOf, type CallReport } from "./reporting.ts";

export type LinerTrade = {
  readonly seed: number;
  readonly startMs: number;
  readonly carriers: readonly LinerCarrier[];
  /** All that a feed says to a question, in the order of its answer. */
  reports(carrier: LinerCarrier, feed: LinerFeed, question: FeedQuery, nowMs: number): readonly CallReport[];
};

/** What a feed is asked for: null where it is asked for any. */
export type FeedQuery = {
  readonly service: string | null;
  readonly port: string | null;
  readonly vessel: string | null;
  /** Calls that are, at least in part, within this time; milliseconds since the epoch. */
  readonly fromMs: number;
  readonly untilMs: number;
};

export type TradeOptions = {
  readonly seed: number;
  /** The world goes on from then, milliseconds since the epoch; ships have been at sea for long. */
  readonly startMs: number;
};

/** No call is further from its place in the proforma than this. */
const DEVIATION_MS_MAX = 5 * WEEK_MS;

export function createTrade({ seed, startMs }: TradeOptions): LinerTrade {
  const rounds = new Map<LinerServiceCode, (readonly LinerCall[])[]>();
  const roundsOf = (code: LinerServiceCode, untilMs: number): readonly (readonly LinerCall[])[] => {
    const known = rounds.get(code) ?? [];
    rounds.set(code, known);
    const wanted = roundVoyagesUntil(startMs, untilMs);
    while (known.length < wanted) known.push(roundVoyageOf(seed, startMs, code, known.length));
    return known.slice(0, wanted);
  };
  return {
    seed,
    startMs,
    carriers: LINER_CARRIERS,
    reports(carrier, feed, { service, port, vessel, fromMs, untilMs }, nowMs) {
      const codes = carrier.services.filter((code) => service === null || code === service);
      return codes.flatMap((code) =>
        roundsOf(code, untilMs + DEVIATION_MS_MAX)
          .flatMap((calls) => calls.filter((call) => isNear(call, fromMs, untilMs)))
          .flatMap((call) => {
            if (port !== null && call.port !== port) return [];
            const report = reportOf(seed, carrier, feed, call, nowMs);
            if (report === null || (vessel !== null && report.vessel.imo !== vessel)) return [];
            return isWithin(report, fromMs, untilMs) ? [report] : [];
          }),
      );
    },
  };
}

function isNear({ planned }: LinerCall, fromMs: number, untilMs: number): boolean {
  return planned.departureMs > fromMs - DEVIATION_MS_MAX && planned.arrivalMs < untilMs + DEVIATION_MS_MAX;
}

function isWithin({ arrival, departure }: CallReport, fromMs: number, untilMs: number): boolean {
  const arrivesMs = arrival.actual ?? arrival.estimated ?? 0;
  const leavesMs = departure.actual ?? departure.estimated ?? 0;
  return leavesMs >= fromMs && arrivesMs < untilMs;
}

/** The queries that fetch all of a feed, without the time. */
export function queriesTo(
  carrier: LinerCarrier,
  { queriedBy }: LinerFeed,
): readonly Pick<FeedQuery, "service" | "port" | "vessel">[] {
  const any = { service: null, port: null, vessel: null };
  const services = carrier.services.map((code): LinerService => LINER_SERVICES[code]);
  switch (queriedBy) {
    case "all":
      return [any];
    case "services":
      return services.map(({ code }) => ({ ...any, service: code }));
    case "ports":
      return [...new Set(services.flatMap(({ calls }) => calls.map(({ port }) => port)))].map((port) => ({
        ...any,
        port,
      }));
    case "vessels":
      return services.flatMap(({ code, vessels }) =>
        vessels.map((_, place) => ({ ...any, vessel: imoOf(code, place) })),
      );
  }
}

/** No carrier has a schedule beyond it. */
const DAYS_AHEAD_MAX = 365;

/** The time that a request names by days, both included. */
export function daysOf(from: string, until: string | null, daysAhead: number, nowMs: number) {
  const fromMs = Date.parse(from);
  const untilMs = until === null ? nowMs + daysAhead * DAY_MS : Date.parse(until) + DAY_MS;
  return { fromMs, untilMs: Math.min(untilMs, nowMs + DAYS_AHEAD_MAX * DAY_MS) };
}
