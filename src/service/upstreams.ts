/** Whom this installation asks, or hears, as the files say that settings name. */
import { readAirlines, type Airline } from "../producers/air/airlines/airlines-file.ts";
import { readAisFile, type AisFeed } from "../producers/ocean/ais/ais-file.ts";
import { readCarriers, type Carrier } from "../producers/ocean/carriers.ts";
import type { Feed } from "../producers/schedules/feeds/feed-schema.ts";
import { readFeeds } from "../producers/schedules/feeds/feeds-file.ts";
import type { Log } from "../runtime/log.ts";
import type { Settings } from "../runtime/settings.ts";
import { readNamedFile } from "./named-file.ts";
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
  const { carriersFile, airlinesFile, aisFile, schedulesFile } = settings;
  const reading = [
    carriersFile && readNamedFile("BOATHOOK_CARRIERS_FILE", carriersFile, readCarriers),
    airlinesFile && readNamedFile("BOATHOOK_AIRLINES_FILE", airlinesFile, readAirlines),
    aisFile && readNamedFile("BOATHOOK_AIS_FILE", aisFile, readAisFile),
    schedulesFile && readNamedFile("BOATHOOK_SCHEDULES_FILE", schedulesFile, readFeeds),
  ] as const;
  const failures = (await Promise.allSettled(reading)).flatMap((read) =>
    read.status === "rejected" ? [read.reason as unknown] : [],
  );
  const unexpected = failures.find((failure) => !(failure instanceof ServiceRefused));
  if (unexpected !== undefined) throw unexpected;
  if (failures.length > 0) {
    throw new ServiceRefused(failures.map((failure) => (failure as ServiceRefused).message).join("\n"));
  }
  const [carriers, airlines, ais, schedules] = await Promise.all(reading);
  const upstreams: Upstreams = {
    carriers: carriers ? carriers.carriers : [],
    airlines: airlines ? airlines.airlines : [],
    aisFeed: ais ? ais.feed : null,
    scheduleFeeds: schedules ? schedules.feeds : [],
  };
  if (reading.some((file) => file !== null)) log.info(namesIn(upstreams), "these are asked, or push");
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
