/** `boathook schedules`: how the feeds of sailing schedules do, and what is known from them (docs/schedule-feeds.md). */
import { expectedTime, type CallRecord } from "../calls/call-record.ts";
import { readFeeds } from "../sources/feeds-file.ts";
import type { Feed } from "../sources/feed-schema.ts";
import {
  DAYS_DEFAULT,
  readQuery,
  readCarrierOrAny,
  readDayOrNull,
  readPort,
  readVesselOrAny,
  windowAt,
} from "../search/read-query.ts";
import { callState, showCall } from "../search/call-view.ts";
import { readCallRecord } from "../calls/call-row.ts";
import { readConfigFile } from "../../../service/config-file.ts";
import { listFeeds, type FeedState } from "../store/schedule-feeds.ts";
import { listPortCalls } from "../store/schedules-read.ts";
import { action, CommandError, group } from "../../../cli/command.ts";
import { JSON_OPTION, parseWholeNumber } from "../../../cli/options.ts";
import { jsonText, table, timeText } from "../../../cli/table.ts";
import { withStore } from "../../../service/commands/with-store.ts";

const LIMIT_DEFAULT = "50";
const LIMIT_MAX = 1_000;

const feeds = action({
  about: "Lists the feeds of the schedules file, with what the last fetch of each came to.",
  arguments: [],
  options: { json: JSON_OPTION },
  examples: ["boathook schedules feeds"],
  async run({ options }, at) {
    const shown = await withStore(at, async ({ store, cells, clock, settings: { schedulesFile } }) => {
      const named =
        schedulesFile === null
          ? []
          : (await readConfigFile("BOATHOOK_SCHEDULES_FILE", schedulesFile, readFeeds)).feeds;
      return feedRows(named, await listFeeds(store.database, cells[0]), clock.nowMs());
    });
    at.out(options.json === true ? jsonText(shown) : tableOfFeeds(shown));
    return 0;
  },
});

type FeedRow = {
  readonly name: string;
  /** Null: the schedules file of this command's settings does not name it. */
  readonly carrier: string | null;
  readonly kind: string | null;
  /** Whether it is pushed only. */
  readonly is_pushed: boolean;
  readonly is_being_asked: boolean;
  readonly fetched_at: string | null;
  readonly outcome: string | null;
  readonly calls: number | null;
  /** Fetches without an answer since the last one. */
  readonly failures: number;
  readonly next_fetch_at: string | null;
};

function feedRows(named: readonly Feed[], known: readonly FeedState[], nowMs: number): readonly FeedRow[] {
  const names = new Set([...named, ...known].map(({ name }) => name));
  return [...names].toSorted().map((name) => {
    const feed = named.find((one) => one.name === name);
    const asked = known.find((one) => one.name === name);
    return {
      name,
      carrier: feed?.carrier ?? null,
      kind: feed?.kind ?? null,
      is_pushed: feed !== undefined && feed.url === undefined,
      is_being_asked: (asked?.claimedUntil?.getTime() ?? 0) > nowMs,
      fetched_at: asked?.fetchedAt?.toISOString() ?? null,
      outcome: asked?.outcome ?? null,
      calls: asked?.calls ?? null,
      failures: asked?.failures ?? 0,
      next_fetch_at: asked?.nextFetchAt.toISOString() ?? null,
    };
  });
}

function tableOfFeeds(shown: readonly FeedRow[]): string {
  const rows = shown.map((feed) => [
    feed.name,
    feed.carrier ?? "-",
    feed.kind ?? "-",
    time(feed.fetched_at),
    feed.outcome ?? "-",
    feed.calls ?? "-",
    feed.failures,
    nextText(feed),
  ]);
  return table(["FEED", "CARRIER", "KIND", "FETCHED", "OUTCOME", "CALLS", "FAILURES", "NEXT"], rows);
}

function nextText(feed: FeedRow): string {
  if (feed.is_pushed) return "pushed only";
  if (feed.kind === null) return "not in the schedules file";
  return feed.is_being_asked ? "being asked" : time(feed.next_fetch_at);
}

const calls = action({
  about:
    "Lists the calls that are known at a port, those that are not made as well, and which feeds tell of them.",
  arguments: [],
  options: {
    port: { type: "string", value: "unlocode", about: "where" },
    carrier: { type: "string", value: "scac", about: "only those of this carrier" },
    vessel: { type: "string", value: "imo", about: "only those of the vessel with this IMO number" },
    from: { type: "string", value: "day", about: "the first day, by the port's calendar (default: today)" },
    to: { type: "string", value: "day", about: `the last day (default: ${DAYS_DEFAULT} days in all)` },
    departures: { type: "boolean", about: "by departure, not by arrival" },
    limit: { type: "string", value: "number", about: `how many at most (default ${LIMIT_DEFAULT})` },
    json: JSON_OPTION,
  },
  examples: ["boathook schedules calls --port NLRTM --carrier HRNL"],
  async run({ options }, at) {
    const limit = parseWholeNumber("limit", options.limit ?? LIMIT_DEFAULT, 1, LIMIT_MAX);
    const kind = options.departures === true ? "departure" : "arrival";
    const found = await withStore(at, async ({ store, cells, clock }) => {
      const asked = readQuery(options, (field) => {
        const port = field("port", readPort);
        const [from, to] = [field("from", readDayOrNull), field("to", readDayOrNull)];
        const [carrier, vessel] = [field("carrier", readCarrierOrAny), field("vessel", readVesselOrAny)];
        return { port, kind, ...windowAt(port, from, to, clock.nowMs()), carrier, vessel } as const;
      });
      if (asked.kind === "invalid") throw new CommandError(asked.message.replace(/^query\./, "--"));
      const filter = { ...asked.value, withCancelled: true };
      return listPortCalls(store.database, cells[0], filter, null, limit + 1);
    });
    const records = found.slice(0, limit).map(({ record }) => readCallRecord(record));
    at.out(options.json === true ? jsonText(records.map(asJson)) : tableOfCalls(records));
    if (found.length > limit) at.err(`There are more: --limit takes up to ${LIMIT_MAX}.\n`);
    return 0;
  },
});

/** As anybody may read it, and who tells of it. */
function asJson(record: CallRecord): object {
  return {
    id: record.id,
    ...showCall(record),
    first_seen_at: new Date(record.firstSeenMs).toISOString(),
    feeds: Object.entries(record.reports).map(([name, { said, goneMs }]) => ({
      name,
      last_news_at: new Date(Math.max(...Object.values(said).map(({ sinceMs }) => sinceMs))).toISOString(),
      gone_at: goneMs === null ? null : new Date(goneMs).toISOString(),
    })),
  };
}

function tableOfCalls(records: readonly CallRecord[]): string {
  const rows = records.map((record) => [
    record.carrier,
    record.service.code ?? record.service.name ?? "-",
    record.voyage.export ?? record.voyage.import ?? "-",
    record.vessel.name ?? "-",
    record.vessel.imo ?? "-",
    momentText(record, "arrival"),
    momentText(record, "departure"),
    callState(record),
    Object.keys(record.reports).toSorted().join(", "),
  ]);
  const headings = [
    "CARRIER",
    "SERVICE",
    "VOYAGE",
    "VESSEL",
    "IMO",
    "ARRIVAL",
    "DEPARTURE",
    "STATUS",
    "FEEDS",
  ];
  return table(headings, rows);
}

function momentText(record: CallRecord, what: "arrival" | "departure"): string {
  const at = expectedTime(record[what]);
  return timeText(at === null ? null : new Date(at.ms));
}

function time(iso: string | null): string {
  return timeText(iso === null ? null : new Date(iso));
}

export const command = group("Sailing schedules: feeds, and the calls of vessels that they tell of.", {
  feeds,
  calls,
});
