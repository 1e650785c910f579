/** The schedules file: the feeds of sailing schedules, and how to poll them. */
import { duration } from "../../../runtime/setting-kinds.ts";
import { shippedCatalogue, type Catalogue } from "../../../freight/source-catalogue/carriers.ts";
import { FeedSchema, type Feed, type FeedKind } from "./feed-schema.ts";
import { createFileReader } from "../../../freight/source-catalogue/source-file.ts";
import { feedsFrom, SELECTORS, type Selector } from "./feeds-from-catalogue.ts";

const INTERVAL = duration("100ms", "7d");
const INTERVAL_DEFAULT = "6h";

export const readFeeds = createFileReader<Feed, Catalogue>({
  name: "schedules",
  entry: FeedSchema,
  entriesMax: 200,
  shipped: shippedCatalogue,
  namedBy: "carrier",
  isOwn: (entry) => Object.hasOwn(entry, "kind") || Object.hasOwn(entry, "url"),
  fill: feedsFrom,
  problemsOf: feedProblems,
  keysOf: ({ name }) => [name],
  twice: (name) => `feed ${name} is there twice`,
});

/** The time between two fetches, in milliseconds. */
export function intervalMsOf({ every = INTERVAL_DEFAULT }: Feed): number {
  const read = INTERVAL.read(every);
  if ("wrong" in read) throw new Error(`a feed's interval ${read.wrong}`);
  return read.value;
}

/** What each kind can be polled by, and whether the feed has to name one. */
const SELECTORS_BY_KIND: {
  readonly [kind in FeedKind]: { readonly by: readonly Selector[]; readonly isNeeded: boolean };
} = {
  "cs-vessel-schedules": { by: ["services", "vessels", "ports"], isNeeded: true },
  "cs-port-schedules": { by: ["ports"], isNeeded: true },
  "cs-point-to-point": { by: ["pairs"], isNeeded: true },
  "ovs-service-schedules": { by: ["services", "vessels", "ports"], isNeeded: false },
};

function feedProblems(feed: Feed, place: string): readonly string[] {
  const every = feed.every === undefined ? { value: 0 } : INTERVAL.read(feed.every);
  return [
    ...("wrong" in every ? [`${place}/every ${every.wrong}`] : []),
    ...(feed.url === undefined || URL.canParse(feed.url) ? [] : [`${place}/url is no URL`]),
    ...selectorProblems(feed, place),
  ];
}

function selectorProblems(feed: Feed, place: string): readonly string[] {
  const { by, isNeeded } = SELECTORS_BY_KIND[feed.kind];
  const named = SELECTORS.filter((name) => feed[name] !== undefined);
  if (feed.url === undefined) {
    return named.length === 0 ? [] : [`${place} has ${named.join(", ")}, and no url to ask for them`];
  }
  const wrong = named.find((name) => !by.includes(name));
  if (wrong !== undefined) return [`${place}/${wrong} does not fit ${feed.kind}: it takes ${by.join(", ")}`];
  return isNeeded && named.length === 0 ? [`${place} lacks ${by.join(" or ")}: what to ask for`] : [];
}
