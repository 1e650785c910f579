/** `boathook schedules`: how the feeds of sailing schedules do, and what is known from them (docs/schedules.md). */
import { action, CommandError, group, type CommandFactory } from "../../../cli/command.ts";
import { JSON_OPTION, LIMIT_MAX, limitOption } from "../../../cli/options.ts";
import { jsonText, printRows, table, type Column } from "../../../cli/print.ts";
import { readDayOrNone } from "../../../freight/tables/field.ts";
import { readSettingFile } from "../../../runtime/config-file.ts";
import { readUuid } from "../../../model/uuid.ts";
import { SCHEDULES_SETTINGS } from "../settings.ts";
import type { CallRecord } from "../calls/call-record.ts";
import { readCallRecord } from "../calls/call-row.ts";
import { showCall } from "../search/call-view.ts";
import { showCallWithHistory, type CallChange } from "../search/history-view.ts";
import {
  DAYS_DEFAULT,
  readCarrierOrAny,
  readPort,
  readQuery,
  readVesselOrAny,
  windowAt,
} from "../search/read-query.ts";
import { CALL_COLUMNS } from "./call-columns.ts";
import { catalogue } from "./catalogue.ts";
import { feedsCheck } from "../check/feed-check.ts";
import type { Feed } from "../sources/feed-schema.ts";
import { readFeeds } from "../sources/feeds-file.ts";
import { listFeeds, type FeedState } from "../store/schedule-feeds.ts";
import { getPortCall, listPortCalls } from "../store/schedules-read.ts";

const feeds: CommandFactory = (at) =>
  action(
    "feeds",
    "List the feeds of BOATHOOK_SCHEDULES_FILE and former ones, with the outcome of the last fetch.",
    "boathook schedules feeds",
  )
    .option(...JSON_OPTION)
    .action(async ({ json }) => {
      const { database, cells, clock } = await at.open();
      const file = await readSettingFile(SCHEDULES_SETTINGS.schedulesFile, at.environment, readFeeds);
      const rows = feedRows(file?.entries ?? [], await listFeeds(database, cells[0]), clock.nowMs());
      printRows(at, rows, feedColumns(file !== null), json);
      if (file === null)
        at.err(
          `This command has no ${SCHEDULES_SETTINGS.schedulesFile.name}: set it to see what the file says.\n`,
        );
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

const feedColumns = (hasFile: boolean): readonly Column<FeedRow>[] => [
  ["FEED", ({ name }) => name],
  ["CARRIER", ({ carrier }) => carrier],
  ["KIND", ({ kind }) => kind],
  ["FETCHED", ({ fetched_at }) => fetched_at],
  ["OUTCOME", ({ outcome }) => outcome],
  ["CALLS", ({ calls }) => calls],
  ["FAILURES", ({ failures }) => failures],
  ["NEXT", (feed) => nextText(feed, hasFile)],
];

function nextText(feed: FeedRow, hasFile: boolean): string | null {
  if (feed.is_pushed) return "pushed only";
  if (hasFile && feed.kind === null) return "not in the schedules file";
  return feed.is_being_asked ? "being asked" : feed.next_fetch_at;
}

const calls: CommandFactory = (at) =>
  action(
    "calls",
    "List the known calls at a port, cancelled ones too, and the feeds that report each.",
    "boathook schedules calls --port NLRTM --carrier HRNL",
  )
    .option("--port <unlocode>", "the port")
    .option("--carrier <scac>", "only calls of this carrier")
    .option("--vessel <imo>", "only calls of the vessel with this IMO number")
    .option("--from <day>", "the first day, by the port's calendar (default: today)")
    .option("--to <day>", `the last day (default: ${DAYS_DEFAULT} days in all)`)
    .option("--departures", "by departure, not by arrival")
    .option(...limitOption())
    .option(...JSON_OPTION)
    .action(async ({ departures, limit, json, ...typed }) => {
      const { database, productCells, clock } = await at.open();
      const kind = departures ? "departure" : "arrival";
      const asked = readQuery(typed, (field) => {
        const port = field("port", readPort);
        const [from, to] = [field("from", readDayOrNone), field("to", readDayOrNone)];
        const [carrier, vessel] = [field("carrier", readCarrierOrAny), field("vessel", readVesselOrAny)];
        return { port, kind, ...windowAt(port, from, to, clock.nowMs()), carrier, vessel } as const;
      });
      if (asked.kind === "invalid") throw new CommandError(asked.message.replace(/^query\./, "--"));
      const found = await listPortCalls(
        database,
        productCells.of("schedules"),
        { ...asked.value, withCancelled: true },
        null,
        limit + 1,
      );
      const records = found.slice(0, limit).map(({ record }) => readCallRecord(record));
      at.out(json ? jsonText(records.map(operatorView)) : table(records, COLUMNS));
      if (found.length > limit) at.err(`There are more: --limit takes up to ${LIMIT_MAX}.\n`);
    });

/** As anybody may read it, and which feeds report it. */
function operatorView(record: CallRecord): object {
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

const COLUMNS: readonly Column<CallRecord>[] = [
  ...CALL_COLUMNS,
  ["FEEDS", ({ reports }) => Object.keys(reports).toSorted().join(", ")],
];

const CHANGE_COLUMNS: readonly Column<CallChange>[] = [
  ["CHANGED", ({ changed_at }) => changed_at],
  ["FIELD", ({ field }) => field],
  ["FROM", ({ from }) => from],
  ["TO", ({ to }) => to],
  ["HOURS", ({ shift_hours }) => shift_hours],
];

const history: CommandFactory = (at) =>
  action(
    "history",
    "Show how a call's times, cut-offs, vessel, terminal and status have changed. `calls --json` gives its id.",
    "boathook schedules history 01a1f3c2-7c1e-7b3a-9c55-3f1f0a5d2b10",
  )
    .argument("<call>")
    .option(...JSON_OPTION)
    .action(async (call, { json }) => {
      const id = readUuid(call);
      const { database, productCells } = await at.open();
      const found = id === null ? null : await getPortCall(database, productCells.of("schedules"), id);
      if (found === null) throw new CommandError(`no call has the id ${call}`);
      const shown = showCallWithHistory(readCallRecord(found));
      at.out(json ? jsonText(shown) : table(shown.changes, CHANGE_COLUMNS));
    });

export const command = group(
  "schedules",
  "Sailing schedules: feeds, the calls of vessels that they report, and the carriers that have feeds.",
  [feeds, calls, history, catalogue, feedsCheck],
);
