/** The feeds of sailing schedules, polled and pushed. */
import { idOf, polled, pushed, type SourcesOfProduct } from "../../freight/sources/description.ts";
import type { FilesOf } from "../manifest.ts";
import { pushesOf } from "./operator/push.ts";
import type { SCHEDULES_FILES } from "./settings.ts";
import { upstreamOf } from "./sources/feed-client.ts";
import { isPolled } from "./sources/feed-schema.ts";
import { listFeeds } from "./store/schedule-feeds.ts";

const feedId = (name: string): string => idOf("schedules", name);

export function describeSources({ schedulesFile }: FilesOf<typeof SCHEDULES_FILES>): SourcesOfProduct {
  const feeds = schedulesFile?.feeds ?? [];
  return {
    sources: feeds.map((feed) => ({
      id: feedId(feed.name),
      kind: "schedules",
      title: `${feed.name} (${feed.carrier})`,
      queues: [],
      channels: [
        ...(isPolled(feed) ? [polled(upstreamOf(feed.name), feed.kind, feed.quota)] : []),
        pushed(pushesOf(feed.name), `Pushed to POST /v1/schedules/${feed.name}`),
      ],
    })),
    nextPolls: async (db, directory) =>
      new Map((await listFeeds(db, directory)).map(({ name, nextFetchAt }) => [feedId(name), nextFetchAt])),
  };
}
