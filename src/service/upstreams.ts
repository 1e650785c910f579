/** Whom this installation asks, or hears, as the files say that settings name. */
import type { Airline } from "../products/air/sources/airlines/airlines-file.ts";
import type { AisFeed } from "../products/ocean/sources/ais/ais-file.ts";
import type { Carrier } from "../products/ocean/sources/carriers.ts";
import type { Feed } from "../products/schedules/sources/feed-schema.ts";
import type { Log } from "../runtime/log.ts";

export type Upstreams = {
  readonly carriers: readonly Carrier[];
  readonly airlines: readonly Airline[];
  readonly aisFeed: AisFeed | null;
  readonly scheduleFeeds: readonly Feed[];
};

/** Logs whom the files name, if anybody; names alone, for the rest of an entry may be secret. */
export function logUpstreams(upstreams: Upstreams, log: Log): void {
  const { carriers, airlines, aisFeed, scheduleFeeds } = upstreams;
  if (carriers.length + airlines.length + scheduleFeeds.length === 0 && aisFeed === null) return;
  const named = {
    carriers: carriers.map(({ scac }) => scac),
    airlines: airlines.map(({ name, prefixes }) => `${name} (${prefixes.join(", ")})`),
    ais: aisFeed === null ? null : (aisFeed.name ?? new URL(aisFeed.url).host),
    schedules: scheduleFeeds.map(({ name }) => name),
  };
  log.info(named, "these are asked, or push");
}
