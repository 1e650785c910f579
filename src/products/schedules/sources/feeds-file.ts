/** The schedules file: the feeds of sailing schedules, and how to poll them. */
import { Type } from "typebox";
import { Compile } from "typebox/compile";

import { duration } from "../../../runtime/setting-kinds.ts";
import { readUpstreamFile, type ReadEntries } from "../../../freight/upstream/upstream-file.ts";
import { shippedCatalogue, type Catalogue } from "../../../freight/source-catalogue/carriers.ts";
import { FeedSchema, type Feed, type FeedKind } from "./feed-schema.ts";
import { writtenOutFeeds } from "./feeds-from-catalogue.ts";

const FEEDS_MAX = 200;

const schema = Compile(Type.Array(FeedSchema, { maxItems: FEEDS_MAX }));

const INTERVAL = duration("100ms", "7d");
const INTERVAL_DEFAULT = "6h";

/** Entries that name a carrier of the catalogue are written out first. */
export function readFeeds(text: string, catalogue: () => Catalogue = shippedCatalogue): ReadEntries<Feed> {
  const written = writtenOutFeeds(text, catalogue);
  if (written.kind === "invalid") return written;
  const read = readUpstreamFile("schedules", written.text, schema, (feeds) => [
    ...feeds.flatMap(feedProblems),
    ...duplicateNames(feeds),
  ]);
  // An entry that becomes two feeds has its mistake in both.
  return read.kind === "invalid"
    ? { kind: "invalid", problems: [...new Set(read.problems.map(written.inFile))] }
    : { kind: "entries", entries: read.value };
}

/** The time between two fetches, in milliseconds. */
export function intervalMsOf({ every = INTERVAL_DEFAULT }: Feed): number {
  const read = INTERVAL.read(every);
  if ("wrong" in read) throw new Error(`a feed's interval ${read.wrong}`);
  return read.value;
}

type Selector = "services" | "vessels" | "ports" | "pairs";

const SELECTORS: readonly Selector[] = ["services", "vessels", "ports", "pairs"];

/** What each kind can be polled by, and whether the feed has to name one. */
const SELECTORS_BY_KIND: {
  readonly [kind in FeedKind]: { readonly by: readonly Selector[]; readonly isNeeded: boolean };
} = {
  "cs-vessel-schedules": { by: ["services", "vessels", "ports"], isNeeded: true },
  "cs-port-schedules": { by: ["ports"], isNeeded: true },
  "cs-point-to-point": { by: ["pairs"], isNeeded: true },
  "ovs-service-schedules": { by: ["services", "vessels", "ports"], isNeeded: false },
};

/** What the schema cannot check. */
function feedProblems(feed: Feed, index: number): readonly string[] {
  const place = `/${index}`;
  const every = feed.every === undefined ? { value: 0 } : INTERVAL.read(feed.every);
  return [
    ...("wrong" in every ? [`${place}/every ${every.wrong}`] : []),
    ...[
      { name: "url", url: feed.url },
      { name: "oauth/tokenUrl", url: feed.oauth?.tokenUrl },
    ].flatMap(({ name, url }) =>
      url === undefined || URL.canParse(url) ? [] : [`${place}/${name} is no URL`],
    ),
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

function duplicateNames(feeds: readonly Feed[]): readonly string[] {
  const names = feeds.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? [] : [`feed ${twice} is there twice`];
}
