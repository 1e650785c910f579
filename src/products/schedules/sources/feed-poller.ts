/**
 * Fetches feeds when they are due. All nodes share one list of when that is; a claim on a feed is good until its
 * lease ends, so that one node fetches it at a time and another takes over from one that was killed
 * (freight/work/worker.ts).
 *
 *     due ─▶ claimed ─▶ fetched ─▶ ingested ─▶ due again after its interval
 *                          │          └─ a stop, or another node has it ─▶ due at once
 *                          └─ no answer ─▶ due again later, ever later
 */
import { nextPollAfterFailure, withJitter, type BackoffSettings } from "../../../freight/work/backoff.ts";
import { createLostClaims } from "../../../freight/work/lost-claims.ts";
import { createQueue } from "../../../freight/work/source-queues.ts";
import { createWorker, type JobKind } from "../../../freight/work/worker.ts";
import { failureLevel } from "../../../model/errors.ts";
import type { Clock } from "../../../runtime/clock.ts";
import { HOUR_MS, MINUTE_MS } from "../../../runtime/durations.ts";
import type { Interval } from "../../../runtime/interval.ts";
import type { Log } from "../../../runtime/log.ts";
import type { Random } from "../../../runtime/random.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import type { NodeContext } from "../../../store/node-context.ts";
import type { FeedUpdate } from "../calls/call-statement.ts";
import type { IngestResult } from "../calls/ingest.ts";
import {
  addFeeds,
  claimFeeds,
  finishFeed,
  releaseFeed,
  renewFeedClaim,
  type ClaimedFeed,
  type FetchResult,
} from "../store/schedule-feeds.ts";
import type { FeedAnswer, FeedClient } from "./feed-client.ts";
import type { PolledFeed } from "./feed-schema.ts";
import { intervalMsOf } from "./feeds-file.ts";
import type { FeedFailure } from "./pages.ts";

export type FeedPollerPorts = Pick<NodeContext, "clock" | "log" | "loops"> & {
  readonly database: Connection;
  readonly directory: Cell;
  readonly random: Pick<Random, "uuid" | "fraction">;
  readonly feeds: readonly PolledFeed[];
  readonly fetchFeed: FeedClient["fetchFeed"];
  readonly ingest: (update: FeedUpdate) => Promise<IngestResult>;
  /** Receives the outcome of every fetch that ends. */
  readonly onFetch?: (feed: string, outcome: string) => void;
};

const INTERVAL_MS_MAX = 5_000;
const INTERVAL_MS_MIN = 500;
/** Longer than a fetch and the ingest of one of its answers may take. */
const LEASE_MS = 15 * MINUTE_MS;
/** Feeds that one node fetches at once. */
const FETCHES_MAX = 4;
const WAITS: BackoffSettings = { backoffMs: MINUTE_MS, backoffMsMax: HOUR_MS, jitter: 0.1 };
/** Problems of one answer that are written to the log. */
const PROBLEMS_LOGGED_MAX = 5;

type FeedJob = { readonly feed: PolledFeed; readonly claimed: ClaimedFeed; readonly claimId: string };

export function createFeedPoller(ports: FeedPollerPorts): Interval {
  const { feeds } = ports;
  const shortestMs = Math.min(INTERVAL_MS_MAX, ...feeds.map(intervalMsOf));
  const worker = createWorker(ports, feedJobs(ports), {
    everyMs: Math.max(INTERVAL_MS_MIN, shortestMs),
    runningMax: FETCHES_MAX,
    silentMsMax: LEASE_MS,
  });
  return { ...worker, start: () => (feeds.length === 0 ? undefined : worker.start()) };
}

function feedJobs(ports: FeedPollerPorts): JobKind<FeedJob, FetchResult> {
  const { database, directory, clock, random, log } = ports;
  const feeds = new Map(ports.feeds.map((feed) => [feed.name, feed]));
  const names = [...feeds.keys()];
  const intervals = ports.feeds.map((feed) => ({ name: feed.name, everyMs: intervalMsOf(feed) }));
  const logProblems = createProblemLog(clock, log);
  let claimedMs: number | null = null;
  const lostClaims = createLostClaims<string>(LEASE_MS);
  return {
    name: "schedule feeds",
    queues: createQueue(FETCHES_MAX, { claims: "free_slots" }),
    async claim([limits]) {
      const atMs = clock.nowMs();
      // A clock that is put back leaves feeds due at a time that is far away now.
      if (claimedMs === null || atMs < claimedMs) await addFeeds(database, directory, intervals, atMs);
      claimedMs = atMs;
      const id = random.uuid(atMs);
      const claimed = await lostClaims.claim(id, atMs, (lostIds) =>
        claimFeeds(database, directory, names, {
          id,
          atMs,
          leaseMs: LEASE_MS,
          limit: limits!.limit,
          lostIds,
        }),
      );
      return claimed.map((one) => ({ feed: feeds.get(one.name)!, claimed: one, claimId: id }));
    },
    async run(job, isStopped) {
      return { kind: "ran", result: await fetchFeed(ports, job, isStopped, logProblems), answered: true };
    },
    finish: ({ feed, claimId }, result) => finishFeed(database, directory, feed.name, claimId, result),
    async release(jobs) {
      for (const { feed, claimId } of jobs) await releaseFeed(database, directory, feed.name, claimId);
    },
    onBroken: ({ feed }, cause) =>
      log[failureLevel(cause)]({ feed: feed.name, cause }, "a feed was not ingested, and is asked again"),
  };
}

async function fetchFeed(
  ports: FeedPollerPorts,
  job: FeedJob,
  isStopped: () => boolean,
  logProblems: ProblemLog,
): Promise<FetchResult> {
  const { clock, random, log } = ports;
  const { feed, claimed } = job;
  const answer = await ports.fetchFeed(feed, clock.nowMs());
  const outcome = outcomeOf(answer);
  ports.onFetch?.(feed.name, outcome);
  if (answer.kind !== "answered") {
    log.warn({ feed: feed.name, outcome, answer: detailOf(answer) }, "a feed of schedules gave no answer");
    const retryAfterMs = answer.kind === "unavailable" ? answer.retryAfterMs : null;
    const failures = claimed.failures + 1;
    const atMs = clock.nowMs();
    const nextFetchMs = nextPollAfterFailure(failures, retryAfterMs, atMs, WAITS, random.fraction());
    return { nextFetchMs, atMs, outcome, calls: null, failures };
  }
  const ingested = await ingestAll(ports, job, answer.updates, isStopped);
  const atMs = clock.nowMs();
  // Another node has the feed, and keeps its claim; or this one stops, and the next need not wait for the lease.
  if (ingested === null) {
    return { nextFetchMs: atMs, atMs, outcome: "broken_off", calls: null, failures: claimed.failures };
  }
  logProblems(feed.name, answer.problems);
  log.debug({ feed: feed.name, ...ingested }, "a feed was ingested");
  const nextFetchMs = atMs + withJitter(intervalMsOf(feed), WAITS, random.fraction());
  return { nextFetchMs, atMs, outcome, calls: ingested.calls, failures: 0 };
}

/** Null: the claim is another's, or this process stops before all is ingested. */
async function ingestAll(
  { database, directory, ingest, clock }: FeedPollerPorts,
  { feed, claimId }: FeedJob,
  updates: readonly FeedUpdate[],
  isStopped: () => boolean,
): Promise<{ readonly calls: number; readonly events: number } | null> {
  let [calls, events] = [0, 0];
  for (const update of updates) {
    if (isStopped()) return null;
    if (!(await renewFeedClaim(database, directory, feed.name, claimId, clock.nowMs() + LEASE_MS)))
      return null;
    const ingested = await ingest(update);
    calls += ingested.calls;
    events += ingested.events;
  }
  return { calls, events };
}

/** As the store keeps it and the metric is labelled; `told` is an answer's name from the first release. */
function outcomeOf(answer: FeedAnswer): string {
  if (answer.kind === "answered") return "told";
  return answer.kind === "unavailable" ? answer.reason : answer.kind;
}

function detailOf(answer: FeedFailure): unknown {
  if (answer.kind === "wrong") return answer.problems.slice(0, PROBLEMS_LOGGED_MAX);
  return answer.kind === "not_permitted" ? answer.status : answer.reason;
}

type Problem = { readonly path: string; readonly message: string };

const COUNT_EVERY_MS = 6 * HOUR_MS;
const LOGGED_MAX = 5;
/** Of one feed. Later ones count as known. */
const CAUSES_MAX = 100;

export type ProblemLog = (feed: string, problems: readonly Problem[]) => void;

export function createProblemLog(clock: Pick<Clock, "monotonicMs">, log: Log): ProblemLog {
  const feeds = new Map<string, { readonly causes: Set<string>; again: number; countedMs: number }>();
  return (feed, problems) => {
    const nowMs = clock.monotonicMs();
    const known = feeds.get(feed) ?? { causes: new Set(), again: 0, countedMs: nowMs };
    feeds.set(feed, known);
    const fresh: Problem[] = [];
    for (const problem of problems) {
      const cause = causeOf(problem);
      if (known.causes.has(cause) || known.causes.size >= CAUSES_MAX) known.again += 1;
      else {
        known.causes.add(cause);
        fresh.push(problem);
      }
    }
    if (fresh.length > 0)
      log.warn(
        { feed, problems: fresh.slice(0, LOGGED_MAX) },
        "parts of a feed's answer could not be read; the same is said once",
      );
    if (known.again === 0 || nowMs - known.countedMs < COUNT_EVERY_MS) return;
    log.warn({ feed, times: known.again }, "known parts of a feed's answers could not be read again");
    known.again = 0;
    known.countedMs = nowMs;
  };
}

/** Where in a list it is, and with which value, makes no other cause. */
function causeOf({ path, message }: Problem): string {
  return `${path} ${message}`.replaceAll(/"[^"]*"|\d+/g, "…");
}
