/** When each feed of schedules is fetched next, by which node, and the result of its last fetch. */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { RowOf } from "../../../store/sql.ts";
import {
  scheduleFeedClaim,
  scheduleFeedFinish,
  scheduleFeedInsert,
  type scheduleFeedList,
  scheduleFeedRelease,
  scheduleFeedRenew,
} from "./feeds.sql.ts";

/** Makes the feeds known. `everyMs` is the time between two fetches: none is due later than that from now. */
export async function addFeeds(
  db: Connection,
  directory: Cell,
  feeds: readonly { readonly name: string; readonly everyMs: number }[],
  atMs: number,
): Promise<void> {
  await scheduleFeedInsert(db, directory, {
    feeds: feeds.map(({ name, everyMs }) => ({ name, dueAt: atMs + everyMs })),
    at: atMs,
  });
}

/** A feed that only this node fetches until its lease ends; `failures`: fetches without an answer since the last one. */
export type ClaimedFeed = RowOf<typeof scheduleFeedClaim>;

/**
 * Claims feeds that are due, the longest due first. `id` is a UUID that no other claim has; `lostIds` are those of this
 * node's claims whose answers were lost.
 */
export function claimFeeds(
  db: Connection,
  directory: Cell,
  names: readonly string[],
  wanted: {
    readonly id: string;
    readonly atMs: number;
    readonly leaseMs: number;
    readonly limit: number;
    readonly lostIds?: readonly string[];
  },
): Promise<readonly ClaimedFeed[]> {
  const { id, atMs, leaseMs, limit, lostIds = [] } = wanted;
  return scheduleFeedClaim(db, directory, {
    names,
    at: new Date(atMs),
    id,
    until: new Date(atMs + leaseMs),
    limit,
    lostIds,
  });
}

/** Keeps a claim for longer; false: another node has taken the feed over. */
export async function renewFeedClaim(
  db: Connection,
  directory: Cell,
  name: string,
  claimId: string,
  untilMs: number,
): Promise<boolean> {
  return (await scheduleFeedRenew(db, directory, { name, claimId, until: untilMs })).length > 0;
}

/** Gives a claim back, without a result. */
export async function releaseFeed(
  db: Connection,
  directory: Cell,
  name: string,
  claimId: string,
): Promise<void> {
  await scheduleFeedRelease(db, directory, { name, claimId });
}

/** The result of a fetch. */
export type FetchResult = {
  readonly nextFetchMs: number;
  readonly atMs: number;
  /** `told`, or why there was no answer. */
  readonly outcome: string;
  /** Null: there was no answer. */
  readonly calls: number | null;
  readonly failures: number;
};

/** Releases a claim; writes nothing if another node has taken the feed over. */
export async function finishFeed(
  db: Connection,
  directory: Cell,
  name: string,
  claimId: string,
  { nextFetchMs, atMs, outcome, calls, failures }: FetchResult,
): Promise<void> {
  await scheduleFeedFinish(db, directory, {
    name,
    claimId,
    nextFetch: new Date(nextFetchMs),
    at: new Date(atMs),
    outcome,
    calls,
    failures,
  });
}

/**
 * `claimedUntil`: until when a node that fetches it now has its lease; null or past: none does. `fetchedAt` and
 * `outcome` are the last fetch's, null before the first; `calls` is of the last fetch that returned any.
 */
export type FeedState = RowOf<typeof scheduleFeedList>;
