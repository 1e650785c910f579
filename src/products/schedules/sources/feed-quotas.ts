/**
 * Which feeds share a quota: a carrier counts feeds that ask one host with the same credentials
 * together, whatever they ask for.
 */
import { credentialsOf } from "../../../freight/upstream/account-quotas.ts";
import { isPolled, type Feed, type PolledFeed } from "./feed-schema.ts";
import type { QuotaSettings } from "../../../freight/upstream/upstream-schema.ts";

/** `name`: that of the upstream whose quota it is, the same on every node. */
export type FeedQuota = { readonly name: string; readonly quota: QuotaSettings };

/** The name of the upstream. */
export const upstreamOf = (feed: string): string => `schedules ${feed}`;

/** By the names of the polled feeds; feeds with one quota have the same value. The first of them names it. */
export function feedQuotas(feeds: readonly Feed[]): ReadonlyMap<string, FeedQuota> {
  const groups = Map.groupBy(feeds.filter(isPolled), countedAs);
  return new Map(
    [...groups.values()].flatMap((its) => {
      const [first] = its.map(({ name }) => name).toSorted();
      const shared = { name: upstreamOf(first!), quota: strictest(its.flatMap(({ quota }) => quota ?? [])) };
      return its.map(({ name }) => [name, shared] as const);
    }),
  );
}

/** Without credentials, each feed counts for itself. */
function countedAs(feed: PolledFeed): string {
  const credentials = [...credentialsOf(feed)].toSorted();
  return JSON.stringify(credentials.length === 0 ? [feed.name] : [new URL(feed.url).host, ...credentials]);
}

function strictest(quotas: readonly QuotaSettings[]): QuotaSettings {
  const least = (limits: readonly (number | undefined)[]): number | undefined => {
    const set = limits.filter((limit) => limit !== undefined);
    return set.length === 0 ? undefined : Math.min(...set);
  };
  return {
    perSecond: least(quotas.map(({ perSecond }) => perSecond)),
    perMinute: least(quotas.map(({ perMinute }) => perMinute)),
    perDay: least(quotas.map(({ perDay }) => perDay)),
  };
}
