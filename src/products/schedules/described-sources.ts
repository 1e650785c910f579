/** The feeds of sailing schedules, polled and pushed. */
import {
  idOf,
  polled,
  pushed,
  type SourceChannel,
  type SourcesOfProduct,
} from "../../freight/sources/description.ts";
import type { FilesOf } from "../manifest.ts";
import { pushesOf } from "./operator/push.ts";
import type { SCHEDULES_FILES } from "./settings.ts";
import { feedQuotas, upstreamOf, type FeedQuota } from "./sources/feed-quotas.ts";
import { isPolled, type PolledFeed } from "./sources/feed-schema.ts";
import { scheduleFeedList } from "./store/feeds.sql.ts";

const feedId = (name: string): string => idOf("schedules", name);

export function describeSources({ schedulesFile }: FilesOf<typeof SCHEDULES_FILES>): SourcesOfProduct {
  const feeds = schedulesFile?.entries ?? [];
  const quotas = feedQuotas(feeds);
  return {
    sources: feeds.map((feed) => ({
      id: feedId(feed.name),
      kind: "schedules",
      title: `${feed.name} (${feed.carrier})`,
      queues: [],
      channels: [
        ...(isPolled(feed) ? [polledFeed(feed, quotas.get(feed.name)!)] : []),
        pushed(pushesOf(feed.name), `Pushed to POST /v1/schedules/${feed.name}`),
      ],
    })),
    nextPolls: async (db, directory) =>
      new Map(
        (await scheduleFeedList(db, directory)).map(({ name, nextFetchAt }) => [feedId(name), nextFetchAt]),
      ),
  };
}

function polledFeed({ name, kind }: PolledFeed, { name: quotaName, quota }: FeedQuota): SourceChannel {
  return { ...polled(upstreamOf(name), kind, quota), quotaName };
}
