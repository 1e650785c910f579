/** A run of the simulated trade: when its feeds are polled and calls are checked, and the events that it raises. */
import { createFeedClient, type FeedClient } from "../../src/products/schedules/sources/feed-client.ts";
import type { EventDraft } from "../../src/products/schedules/events/event-draft.ts";
import {
  expectedTime,
  serviceOf,
  voyageOf,
  type CallRecord,
} from "../../src/products/schedules/calls/call-record.ts";
import { departureState } from "../../src/products/schedules/search/call-view.ts";
import type { FeedUpdate } from "../../src/products/schedules/calls/call-statement.ts";
import type { PolledFeed } from "../../src/products/schedules/sources/feed-schema.ts";
import type { HttpPort } from "../../src/freight/upstream/http.ts";
import { answerOf } from "../../packages/simulator/src/liners/answers.ts";
import { feedEntry } from "../../packages/simulator/src/liners/schedules-file.ts";
import type { LinerTrade } from "../../packages/simulator/src/liners/trade.ts";
import type { TrueEvent } from "../../packages/simulator/src/liners/truth/true-event.ts";
import type { Step } from "../../packages/simulator/src/liners/truth/truth.ts";
import { manualClock } from "../support/clock.ts";
import { DAY_MS, HOUR_MS } from "./statements.ts";

/** Some weeks before clocks are put forward in America, and then in Europe. */
export const TRADE_START_MS = Date.UTC(2026, 1, 20, 6);

export type Plan = {
  readonly days: number;
  readonly fetchHours: number;
  readonly checkHours: number;
  /** SCACs; without it, all. */
  readonly carriers?: readonly string[];
};

/** What the search shows is compared as often. */
const SHOW_MS = 5 * DAY_MS + HOUR_MS;

/** Polls each feed at a minute of its own, and checks calls on the hour, when many warnings are due. */
export function stepsOf(
  { carriers }: LinerTrade,
  { days, fetchHours, checkHours, carriers: own }: Plan,
): readonly Step[] {
  const feeds = carriers.filter(({ scac }) => own?.includes(scac) ?? true).flatMap((one) => one.feeds);
  const endMs = TRADE_START_MS + days * DAY_MS;
  const steps: Step[] = [];
  for (const [place, { name: feed }] of feeds.entries()) {
    // Hours that do not divide a day, so that polls come at every time of day.
    const everyMs = fetchHours * HOUR_MS + place * 7 * 60_000;
    for (let atMs = TRADE_START_MS + (place + 1) * 5 * 60_000; atMs < endMs; atMs += everyMs) {
      steps.push({ kind: "fetch", atMs: atMs + place + 1, feed });
    }
  }
  for (let atMs = TRADE_START_MS; atMs < endMs; atMs += checkHours * HOUR_MS)
    steps.push({ kind: "check", atMs });
  for (let atMs = TRADE_START_MS + SHOW_MS; atMs < endMs; atMs += SHOW_MS) {
    steps.push({ kind: "show", atMs: atMs + 30_000 });
  }
  return steps.toSorted((one, other) => one.atMs - other.atMs);
}

/** What the trade runs on: the store, or the record in memory. */
export type TradeRecord = {
  ingest(update: FeedUpdate): Promise<readonly EventDraft[]>;
  check(nowMs: number): Promise<readonly EventDraft[]>;
  records(): Promise<readonly CallRecord[]>;
};

/** Runs the real feed client, without a socket. */
export async function runTrade(
  trade: LinerTrade,
  steps: readonly Step[],
  record: TradeRecord,
): Promise<readonly TrueEvent[]> {
  const clock = manualClock(TRADE_START_MS);
  const entries = new Map(
    trade.carriers.flatMap((carrier) =>
      carrier.feeds.map((feed) => [feed.name, feedEntry(carrier, feed, "http://trade", "6h")] as const),
    ),
  );
  const http = httpTo(trade, () => clock.nowMs());
  // A new client for each fetch sends its requests in the same order.
  const fetchFeed = (feed: PolledFeed, nowMs: number) =>
    createFeedClient({ feeds: [feed], http, clock, random: { fraction: () => 0.5 } }).fetchFeed(feed, nowMs);
  const events: TrueEvent[] = [];
  for (const step of steps) {
    await clock.advance(step.atMs - clock.nowMs());
    if (step.kind === "show") {
      const records = await record.records();
      events.push(...records.flatMap((call) => shownState(call, step.atMs)));
      continue;
    }
    const drafts =
      step.kind === "check"
        ? await record.check(step.atMs)
        : await fetched(fetchFeed, entries.get(step.feed)!, step.atMs, record);
    events.push(...drafts.map((draft) => eventOf(draft, step.atMs)));
  }
  return events;
}

async function fetched(
  fetchFeed: FeedClient["fetchFeed"],
  entry: PolledFeed,
  nowMs: number,
  record: TradeRecord,
): Promise<readonly EventDraft[]> {
  const answer = await fetchFeed(entry, nowMs);
  if (answer.kind === "unavailable") return [];
  if (answer.kind !== "answered") throw new Error(`${entry.name}: ${JSON.stringify(answer)}`);
  const wrong = answer.problems.filter(
    ({ message }) => !message.startsWith("was not answered") && !message.startsWith("is ACT and lies ahead"),
  );
  if (wrong.length > 0) throw new Error(`${entry.name}: ${JSON.stringify(wrong.slice(0, 3))}`);
  const drafts: EventDraft[] = [];
  for (const update of answer.updates) drafts.push(...(await record.ingest(update)));
  return drafts;
}

export function httpTo(trade: LinerTrade, nowMs: () => number): HttpPort {
  return async (url, { headers, form }) => {
    const {
      status,
      headers: answered,
      body,
    } = answerOf(
      trade,
      {
        method: form === undefined ? "GET" : "POST",
        url,
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
        ),
        form: new URLSearchParams(form),
      },
      nowMs(),
      1,
    );
    if (status === 0) return { kind: "failed", reason: "timeout" };
    return { kind: "answered", status, header: (name) => answered[name] ?? null, body };
  };
}

/** What the search shows of a departure to come, in the truth's words. */
function shownState(call: CallRecord, nowMs: number): readonly TrueEvent[] {
  const ms = expectedTime(call.departure)?.ms ?? null;
  if (ms === null || ms <= nowMs) return [];
  const utc = (at: number) => new Date(at).toISOString();
  const { reinstatedMs = null } = call;
  const name = `${call.carrier} ${serviceOf(call)} ${voyageOf(call)} ${call.port} ${utc(ms)}`;
  const reinstated = reinstatedMs === null ? "never" : utc(reinstatedMs);
  const about = `${name} ${departureState(call)}, reinstated ${reinstated}`;
  return [{ atMs: nowMs, type: "call_state", about }];
}

/** An event in the truth's words. */
export function eventOf({ type, data }: Pick<EventDraft, "type" | "data">, atMs: number): TrueEvent {
  const fields = data as Readonly<Record<string, unknown>>;
  const of = (...names: readonly string[]): string => names.map((name) => String(fields[name])).join(" ");
  const about = {
    blank_sailing: () => {
      const ports = (fields["port_calls"] as readonly { readonly port: string }[]).map(({ port }) => port);
      return `${of("kind", "reason", "carrier", "service", "voyage")} ${ports.join("-")}`;
    },
    sailing_slipped: () =>
      `${of("carrier", "service", "voyage", "port", "old_departure")} to ${of("new_departure")}`,
    cutoff_approaching: () =>
      of("carrier", "service", "voyage", "port", "cut_off_code", "cut_off", "hours_before", "hours_left"),
    reliability_drop: () =>
      `${of("carrier", "service", "day", "on_time_percent")} after ${of("previous_percent")}, ` +
      `${of("calls_on_time")} of ${of("calls")}`,
  }[type];
  return { atMs, type, about: about?.() ?? "" };
}
