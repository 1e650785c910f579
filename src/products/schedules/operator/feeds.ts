import Type, { type Static } from "typebox";

import type { CommandView } from "../../../model/command-view.ts";
import { nullable, UtcDateTime } from "../../../model/data-types.ts";
import { wordsOf } from "../../../model/source-words.ts";
import type { OperatorRoute } from "../../../operator/ports.ts";
import type { Feed } from "../sources/feed-schema.ts";
import type { FeedState } from "../store/schedule-feeds.ts";
import { scheduleFeedList } from "../store/feeds.sql.ts";

const FeedView = Type.Object(
  {
    name: Type.String(),
    carrier: nullable(Type.String(), { description: "null: the schedules file does not name the feed" }),
    kind: nullable(Type.String()),
    is_pushed: Type.Boolean({ description: "it is pushed only" }),
    is_former: Type.Boolean({ description: "the schedules file names it no more" }),
    is_being_asked: Type.Boolean(),
    fetched_at: nullable(UtcDateTime),
    outcome: nullable(Type.String()),
    outcome_text: nullable(Type.String(), { description: "the outcome in words" }),
    calls: nullable(Type.Integer()),
    failures: Type.Integer({ description: "fetches without an answer since the last one" }),
    next_fetch_at: nullable(UtcDateTime),
  },
  { title: "Feed" },
);

const LIST: CommandView = {
  ...{ command: "schedules feeds", rows: "feeds" },
  about: "Those of BOATHOOK_SCHEDULES_FILE and former ones, with the outcome of the last fetch.",
  columns: {
    FEED: "name",
    CARRIER: "carrier",
    KIND: "kind",
    FETCHED: "fetched_at",
    OUTCOME: "outcome_text",
    CALLS: "calls",
    FAILURES: "failures",
    NEXT: "{is_pushed?pushed only|{is_former?not in the schedules file|{is_being_asked?being asked|{next_fetch_at}}}}",
  },
  note: "{has_file?|There is no BOATHOOK_SCHEDULES_FILE here: set it to see what the file says.}",
};

/** `GET /v1/schedules/feeds`. `feeds`: those of the schedules file; null: there is none. */
export function listFeedsRoute(feeds: () => Promise<readonly Feed[] | null>): OperatorRoute {
  return (app, { database, cells, clock }) => {
    const schema = {
      summary: "List the feeds of sailing schedules",
      response: { 200: Type.Object({ has_file: Type.Boolean(), feeds: Type.Array(FeedView) }) },
      "x-cli": LIST,
    };
    app.get("/v1/schedules/feeds", { schema }, async () => {
      const named = await feeds();
      const known = await scheduleFeedList(database, cells[0]);
      return { has_file: named !== null, feeds: feedsOf(named, known, clock.nowMs()) };
    });
  };
}

function feedsOf(
  named: readonly Feed[] | null,
  known: readonly FeedState[],
  nowMs: number,
): Static<typeof FeedView>[] {
  const names = new Set([...(named ?? []), ...known].map(({ name }) => name));
  return [...names].toSorted().map((name) => {
    const feed = named?.find((one) => one.name === name);
    const asked = known.find((one) => one.name === name);
    const outcome = asked?.outcome ?? null;
    return {
      name,
      carrier: feed?.carrier ?? null,
      kind: feed?.kind ?? null,
      is_pushed: feed !== undefined && feed.url === undefined,
      is_former: named !== null && feed === undefined,
      is_being_asked: (asked?.claimedUntil?.getTime() ?? 0) > nowMs,
      fetched_at: asked?.fetchedAt?.toISOString() ?? null,
      outcome,
      outcome_text: outcome === null ? null : wordsOf(outcome),
      calls: asked?.calls ?? null,
      failures: asked?.failures ?? 0,
      next_fetch_at: asked?.nextFetchAt.toISOString() ?? null,
    };
  });
}
