/**
 * Asks feeds when they are due. All nodes share one list of when that is; a claim on a feed is good until its lease
 * ends, so that one node fetches it at a time and another takes over from one that was killed.
 *
 *     due ─▶ claimed ─▶ asked ─▶ taken in ─▶ due again after its interval
 *               │         └─ no answer ────▶ due again later, ever later
 *               └─ the node is gone: due again when the lease has ended
 */
import { StoreUnavailable } from "../../../model/errors.ts";
import { HOUR_MS, MINUTE_MS } from "../../../runtime/durations.ts";
import type { Clock } from "../../../runtime/clock.ts";
import { waitAtMost } from "../../../runtime/cleanup.ts";
import type { Log } from "../../../runtime/log.ts";
import type { Random } from "../../../runtime/random.ts";
import { createInterval, type Interval } from "../../../runtime/interval.ts";
import type { LoopMonitor } from "../../../runtime/loop-monitor.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import {
  addFeeds,
  claimFeeds,
  finishFeed,
  renewFeedClaim,
  type ClaimedFeed,
} from "../store/schedule-feeds.ts";
import { nextPollAfterFailure, withJitter, type BackoffSettings } from "../../../freight/work/backoff.ts";
import type { FeedUpdate } from "../calls/call-statement.ts";
import type { FeedAnswer } from "./feed-answer.ts";
import type { PolledFeed } from "./feed-schema.ts";
import { intervalMsOf } from "./feeds-file.ts";
import type { IngestResult } from "../calls/ingest.ts";

export type FeedPollerPorts = {
  readonly database: Connection;
  readonly directory: Cell;
  readonly feeds: readonly PolledFeed[];
  readonly fetchFeed: (feed: PolledFeed, nowMs: number) => Promise<FeedAnswer>;
  readonly ingest: (told: FeedUpdate) => Promise<IngestResult>;
  readonly clock: Clock;
  readonly random: Pick<Random, "uuid" | "fraction">;
  readonly log: Log;
  readonly loops: LoopMonitor;
  /** Told of every fetch that ended, and what it came to. */
  readonly onFetch?: (feed: string, outcome: string) => void;
};

const INTERVAL_MS_MAX = 5_000;
const INTERVAL_MS_MIN = 500;
/** Longer than a fetch may take, and the taking in of one of its answers. */
const LEASE_MS = 15 * MINUTE_MS;
/** Feeds that one node asks at once. */
const POLLS_MAX = 4;
/** What waits for an answer ends with the connections; what is being taken in is one batch. */
const STOP_MS_MAX = 5_000;
const WAITS: BackoffSettings = { backoffMs: MINUTE_MS, backoffMsMax: HOUR_MS, jitter: 0.1 };

export function createFeedPoller(ports: FeedPollerPorts): Interval {
  const { database, directory, feeds, clock, random, log } = ports;
  const named = new Map(feeds.map((feed) => [feed.name, feed]));
  const underWay = new Set<Promise<void>>();
  let lookedMs: number | null = null;

  const round = async (isStopped: () => boolean): Promise<void> => {
    const atMs = clock.nowMs();
    // A clock that is put back leaves feeds due at a time that is far away now.
    if (lookedMs === null || atMs < lookedMs) await addFeeds(database, directory, feedIntervals(feeds), atMs);
    lookedMs = atMs;
    const room = POLLS_MAX - underWay.size;
    if (room <= 0) return;
    const claim = { id: random.uuid(atMs), atMs, leaseMs: LEASE_MS, limit: room };
    for (const claimed of await claimFeeds(database, directory, [...named.keys()], claim)) {
      const asked = pollFeed(ports, named.get(claimed.name)!, claimed, claim.id, isStopped)
        .catch((cause: unknown) => logFailure(log, cause))
        .finally(() => underWay.delete(asked));
      underWay.add(asked);
    }
  };

  const leastMs = Math.min(INTERVAL_MS_MAX, ...feeds.map(intervalMsOf));
  const everyMs = Math.max(INTERVAL_MS_MIN, leastMs);
  const interval = createInterval(ports, { name: "schedule feeds", everyMs }, round, (cause) =>
    logFailure(log, cause),
  );
  return {
    ...interval,
    start: () => (feeds.length === 0 ? undefined : interval.start()),
    async stop() {
      await interval.stop();
      await waitAtMost(
        clock,
        STOP_MS_MAX,
        Promise.all(underWay).then(() => undefined),
      );
    },
  };
}

function feedIntervals(feeds: readonly PolledFeed[]) {
  return feeds.map((feed) => ({ name: feed.name, everyMs: intervalMsOf(feed) }));
}

function logFailure(log: Log, cause: unknown): void {
  const level = cause instanceof StoreUnavailable ? "warn" : "error";
  log[level]({ cause }, "what feeds of schedules say waits to be taken in");
}

async function pollFeed(
  ports: FeedPollerPorts,
  feed: PolledFeed,
  { name, failures }: ClaimedFeed,
  claimId: string,
  isStopped: () => boolean,
): Promise<void> {
  const { database, directory, clock, random, log, onFetch } = ports;
  const answer = await ports.fetchFeed(feed, clock.nowMs());
  const outcome = outcomeOf(answer);
  onFetch?.(name, outcome);
  if (answer.kind === "told") {
    const taken = await ingestAll(ports, name, claimId, answer.updates, isStopped);
    if (taken === null) {
      // Another node is at it, and keeps its claim; or this one ends, and who comes next need not wait for the lease.
      const nowMs = clock.nowMs();
      const end = { nextFetchMs: nowMs, atMs: nowMs, outcome: "broken_off", calls: null, failures };
      return finishFeed(database, directory, name, claimId, end);
    }
    if (answer.problems.length > 0) {
      log.warn(
        { feed: name, problems: answer.problems.slice(0, 5) },
        "not all of a feed's answer could be taken",
      );
    }
    log.debug({ feed: name, ...taken }, "a feed was taken in");
    const nextFetchMs = clock.nowMs() + withJitter(intervalMsOf(feed), WAITS, random.fraction());
    const end = { nextFetchMs, atMs: clock.nowMs(), outcome, calls: taken.calls, failures: 0 };
    return finishFeed(database, directory, name, claimId, end);
  }
  log.warn({ feed: name, outcome, answer: detailOf(answer) }, "a feed of schedules gave no answer");
  const retryAfterMs = answer.kind === "unavailable" ? answer.retryAfterMs : null;
  const nowMs = clock.nowMs();
  const nextFetchMs = nextPollAfterFailure(failures + 1, retryAfterMs, nowMs, WAITS, random.fraction());
  await finishFeed(database, directory, name, claimId, {
    nextFetchMs,
    atMs: nowMs,
    outcome,
    calls: null,
    failures: failures + 1,
  });
}

/** Null: the claim is no longer ours, or this process ends before all is taken in. */
async function ingestAll(
  { database, directory, ingest, clock }: FeedPollerPorts,
  name: string,
  claimId: string,
  all: readonly FeedUpdate[],
  isStopped: () => boolean,
): Promise<{ readonly calls: number; readonly events: number } | null> {
  let [calls, events] = [0, 0];
  for (const told of all) {
    if (isStopped()) return null;
    if (!(await renewFeedClaim(database, directory, name, claimId, clock.nowMs() + LEASE_MS))) return null;
    const taken = await ingest(told);
    calls += taken.calls;
    events += taken.events;
  }
  return { calls, events };
}

function outcomeOf(answer: FeedAnswer): string {
  return answer.kind === "unavailable" ? answer.reason : answer.kind;
}

function detailOf(answer: Exclude<FeedAnswer, { readonly kind: "told" }>): unknown {
  if (answer.kind === "wrong") return answer.problems.slice(0, 5);
  return answer.kind === "not_permitted" ? answer.status : answer.reason;
}
