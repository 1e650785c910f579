/** When each feed of schedules is asked next, by which node, and what the last fetch came to. */
import { textArray, timestampArray } from "../../../store/binary.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import * as sql from "./statements.ts";

/** Makes the feeds known. `everyMs` is the time between two fetches: none is due later than that from now. */
export async function addFeeds(
  connection: Connection,
  directory: Cell,
  feeds: readonly { readonly name: string; readonly everyMs: number }[],
  atMs: number,
): Promise<void> {
  await connection.rows(sql.scheduleFeedInsert(directory), [
    textArray(feeds.map(({ name }) => name)),
    new Date(atMs),
    timestampArray(feeds.map(({ everyMs }) => atMs + everyMs)),
  ]);
}

/** A feed that this node alone asks until its lease ends. */
export type ClaimedFeed = {
  readonly name: string;
  /** Fetches without an answer since the last one. */
  readonly failures: number;
};

/** Claims feeds that are due, the longest due first. `claim` is a UUID that no other claim has. */
export function claimFeeds(
  connection: Connection,
  directory: Cell,
  names: readonly string[],
  claim: { readonly id: string; readonly atMs: number; readonly leaseMs: number; readonly limit: number },
): Promise<readonly ClaimedFeed[]> {
  return connection.rows(sql.scheduleFeedClaim(directory), [
    textArray(names),
    new Date(claim.atMs),
    claim.id,
    new Date(claim.atMs + claim.leaseMs),
    claim.limit,
  ]);
}

/** Keeps a claim for longer; false: another node has taken the feed over. */
export async function renewFeedClaim(
  connection: Connection,
  directory: Cell,
  name: string,
  claimId: string,
  untilMs: number,
): Promise<boolean> {
  const rows = await connection.rows(sql.scheduleFeedRenew(directory), [name, claimId, new Date(untilMs)]);
  return rows.length > 0;
}

/** What a fetch came to. */
export type FetchResult = {
  readonly nextFetchMs: number;
  readonly atMs: number;
  /** `told`, or why there was no answer. */
  readonly outcome: string;
  /** Null: there was no answer. */
  readonly calls: number | null;
  readonly failures: number;
};

/** Gives a claim back; nothing is written where another node has taken the feed over. */
export async function finishFeed(
  connection: Connection,
  directory: Cell,
  name: string,
  claimId: string,
  { nextFetchMs, atMs, outcome, calls, failures }: FetchResult,
): Promise<void> {
  await connection.rows(sql.scheduleFeedFinish(directory), [
    name,
    claimId,
    new Date(nextFetchMs),
    new Date(atMs),
    outcome,
    calls,
    failures,
  ]);
}

export type FeedState = {
  readonly name: string;
  readonly nextFetchAt: Date;
  /** Until when a node that asks it now has it; null, or past: none does. */
  readonly claimedUntil: Date | null;
  /** When the last fetch ended, and what it came to; null: none has. */
  readonly fetchedAt: Date | null;
  readonly outcome: string | null;
  /** Of the last fetch that returned any. */
  readonly calls: number | null;
  readonly failures: number;
};

/** All that have ever been asked, by name. */
export function listFeeds(connection: Connection, directory: Cell): Promise<readonly FeedState[]> {
  return connection.rows(sql.scheduleFeedList(directory), []);
}
