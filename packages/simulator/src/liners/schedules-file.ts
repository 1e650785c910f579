/** The entries of the carriers' feeds in the schedules file, so that the service can ask them. */
import { credentialsFor, type Credentials } from "../world/access.ts";
import type { LinerCarrier, LinerFeed } from "./carriers.ts";
import { queriesTo } from "./trade.ts";

/** An entry of the schedules file. */
export type FeedEntry = Credentials & {
  readonly name: string;
  readonly carrier: string;
  readonly kind: LinerFeed["kind"];
  readonly url: string;
  readonly services?: string[];
  readonly ports?: string[];
  readonly vessels?: string[];
  readonly daysAhead: number;
  readonly daysBehind: number;
  readonly every: string;
};

/** `tradeUrl` is where the trade is served, `every` the time between two fetches, as `6h`. */
export function feedEntry(
  carrier: LinerCarrier,
  feed: LinerFeed,
  tradeUrl: string,
  every: string,
): FeedEntry {
  const questions = queriesTo(carrier, feed);
  const services = questions.flatMap(({ service }) => service ?? []);
  const ports = questions.flatMap(({ port }) => port ?? []);
  const vessels = questions.flatMap(({ vessel }) => vessel ?? []);
  const { scac, access } = carrier;
  return {
    name: feed.name,
    carrier: scac,
    kind: feed.kind,
    url: `${tradeUrl}/${feed.name}`,
    ...(services.length > 0 ? { services } : {}),
    ...(ports.length > 0 ? { ports } : {}),
    ...(vessels.length > 0 ? { vessels } : {}),
    daysAhead: feed.daysAhead,
    daysBehind: feed.daysBehind,
    every,
    ...credentialsFor(access, `${tradeUrl}/${scac}/token`),
  };
}
