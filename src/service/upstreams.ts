/** Whom this installation asks, or hears, as the files say that settings name. */
import { readAirlines, type Airline } from "../producers/air/airlines/airlines-file.ts";
import { readAisFile, type AisFeed } from "../producers/ocean/ais/ais-file.ts";
import { readCarriers, type Carrier } from "../producers/ocean/carriers.ts";
import type { Feed } from "../producers/schedules/feeds/feed-schema.ts";
import { readFeeds } from "../producers/schedules/feeds/feeds-file.ts";
import type { Log } from "../runtime/log.ts";
import type { Settings } from "../runtime/settings.ts";
import { readNamedFile, type Invalid } from "./named-file.ts";
import { ServiceRefused } from "./refused.ts";

export type Upstreams = {
  readonly carriers: readonly Carrier[];
  readonly airlines: readonly Airline[];
  readonly aisFeed: AisFeed | null;
  readonly scheduleFeeds: readonly Feed[];
};

export type UpstreamSettings = Pick<Settings, "carriersFile" | "airlinesFile" | "aisFile" | "schedulesFile">;

/**
 * Reads all that are named, and logs what they hold; what is not named holds nothing. Rejects with
 * `ServiceRefused` when any is wrong, with a line for each of those that are.
 */
export async function readUpstreams(settings: UpstreamSettings, log: Log): Promise<Upstreams> {
  const refusals: string[] = [];
  async function whereNamed<Read extends { readonly kind: string }>(
    setting: string,
    file: string | null,
    read: (text: string) => Read | Invalid,
  ): Promise<Read | null> {
    if (file === null) return null;
    return readNamedFile(setting, file, read).catch((cause: unknown) => {
      if (!(cause instanceof ServiceRefused)) throw cause;
      refusals.push(cause.message);
      return null;
    });
  }
  const carriers = await whereNamed("BOATHOOK_CARRIERS_FILE", settings.carriersFile, readCarriers);
  const airlines = await whereNamed("BOATHOOK_AIRLINES_FILE", settings.airlinesFile, readAirlines);
  const ais = await whereNamed("BOATHOOK_AIS_FILE", settings.aisFile, readAisFile);
  const schedules = await whereNamed("BOATHOOK_SCHEDULES_FILE", settings.schedulesFile, readFeeds);
  if (refusals.length > 0) throw new ServiceRefused(refusals.join("\n"));
  const upstreams: Upstreams = {
    carriers: carriers?.carriers ?? [],
    airlines: airlines?.airlines ?? [],
    aisFeed: ais?.feed ?? null,
    scheduleFeeds: schedules?.feeds ?? [],
  };
  if (carriers ?? airlines ?? ais ?? schedules) log.info(namesIn(upstreams), "these are asked, or push");
  return upstreams;
}

/** Names alone: the rest of an entry may be secret. */
function namesIn({ carriers, airlines, aisFeed, scheduleFeeds }: Upstreams) {
  return {
    carriers: carriers.map(({ scac }) => scac),
    airlines: airlines.map(({ name, prefixes }) => `${name} (${prefixes.join(", ")})`),
    ais: aisFeed === null ? null : (aisFeed.name ?? new URL(aisFeed.url).host),
    schedules: scheduleFeeds.map(({ name }) => name),
  };
}
