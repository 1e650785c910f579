/** The desk where feeds are asked: one for the whole process, so that their quotas hold for all who ask. */
import { mergeHeaders } from "../../../freight/upstream/merge-headers.ts";
import { createUpstream, type Upstream, type UpstreamPorts } from "../../../freight/upstream/upstream.ts";
import type { FeedUpdate, CallStatement } from "../calls/call-statement.ts";
import { completeScope } from "./complete-scope.ts";
import type { FeedAnswer, FeedProblem, FeedFailure } from "./feed-answer.ts";
import { isPolled, type Feed, type FeedKind, type PolledFeed } from "./feed-schema.ts";
import { readPages } from "./pages.ts";
import { feedRequestsOf, type FeedRequest } from "./feed-requests.ts";
import { readAnswer } from "./read-answer.ts";
import { createReadContext } from "./read-context.ts";
import { MINUTE_MS } from "../../../runtime/durations.ts";

export type FeedClientPorts = UpstreamPorts & { readonly feeds: readonly Feed[] };

export type FeedClient = {
  /**
   * Asks a feed, one of the desk's, for all that it is set up to be asked for. Never rejects. Takes {@link FETCH_MS_MAX}
   * at most; what was not asked for until then is asked for first the next time.
   */
  fetchFeed(feed: PolledFeed, nowMs: number): Promise<FeedAnswer>;
  /** Whether the feed is left alone because it is down: asking would be answered with `breaker_open`. */
  isBreakerOpen(name: string): boolean;
};

/** A whole fetch, all questions and pages of it. */
export const FETCH_MS_MAX = 5 * MINUTE_MS;

/** All questions of a fetch together: what more there is waits for the next one. */
const CALLS_A_FETCH_MAX = 100_000;
const PROBLEMS_A_FETCH_MAX = 200;
const TIMEOUT_MS_DEFAULT = 30_000;

/** CS 1.0: the major version alone. OVS 3.0.1 and later: the whole version. */
const VERSIONS: { readonly [kind in FeedKind]: string } = {
  "cs-vessel-schedules": "1",
  "cs-port-schedules": "1",
  "cs-point-to-point": "1",
  "ovs-service-schedules": "3.0.2",
};

/** `next`: the question that the next fetch begins with. */
type FeedConnection = { readonly upstream: Upstream; next: number };

export function createFeedClient({ feeds, ...ports }: FeedClientPorts): FeedClient {
  const { clock } = ports;
  const counters = new Map<string, FeedConnection>(
    feeds.filter(isPolled).map((feed) => [feed.name, { upstream: createUpstream(feed, ports), next: 0 }]),
  );

  async function fetchFeed(feed: PolledFeed, nowMs: number): Promise<FeedAnswer> {
    const counter = counters.get(feed.name);
    if (counter === undefined) throw new Error(`feed ${feed.name} is none of this desk's`);
    const deadlineMs = clock.monotonicMs() + FETCH_MS_MAX;
    const questions = feedRequestsOf(feed, nowMs);
    const told: FeedUpdate[] = [];
    const problems: FeedProblem[] = [];
    let refused: FeedFailure | null = null;
    let calls = 0;
    const begun = counter.next % questions.length;
    let isOver = false;
    for (const place of questions.keys()) {
      if (isOver || clock.monotonicMs() >= deadlineMs || calls >= CALLS_A_FETCH_MAX) {
        const waiting = `${questions.length - place} of ${questions.length} questions wait for the next fetch`;
        problems.push({ path: "$", message: waiting });
        break;
      }
      const number = (begun + place) % questions.length;
      const asked = await ask(counter.upstream, feed, questions[number]!, deadlineMs, nowMs);
      problems.push(...asked.problems);
      if (asked.update !== null) told.push(asked.update);
      calls += asked.update?.calls.length ?? 0;
      refused = worse(refused, asked.failure);
      isOver = asked.failure !== null && endsFetch(asked.failure);
      counter.next = isOver ? number : number + 1;
    }
    return answerOf(told, problems, refused);
  }

  async function ask(
    upstream: Upstream,
    feed: PolledFeed,
    question: FeedRequest,
    deadlineMs: number,
    nowMs: number,
  ): Promise<FeedResponse> {
    let pages = 0;
    const where = (): string => `${question.name}${pages > 1 ? ` page ${pages}` : ""} `;
    const reading = createReadContext(feed, where);
    const calls: CallStatement[] = [];
    const wanted = {
      kind: feed.kind,
      first: question.first,
      headers: mergeHeaders({ "api-version": VERSIONS[feed.kind] }, feed.headers),
      timeoutMs: feed.timeoutMs ?? TIMEOUT_MS_DEFAULT,
      deadlineMs,
    };
    const end = await readPages(upstream.get, wanted, clock, (page) => {
      pages += 1;
      const read = readAnswer(feed.kind, page, reading);
      if (typeof read === "string") return read;
      for (const call of read) calls.push(call);
      return null;
    });
    const problems = [...reading.problems, ...problemsOf(end, question.name)];
    if (end !== null && calls.length === 0) return { update: null, problems, failure: end };
    const isComplete = end === null && reading.isComplete() && question.scope !== null;
    const complete = isComplete ? completeScope(feed.carrier, question.scope, calls, nowMs) : null;
    return { update: { feed: feed.name, atMs: nowMs, calls, complete }, problems, failure: end };
  }

  return { fetchFeed, isBreakerOpen: (name) => counters.get(name)?.upstream.isBreakerOpen() ?? false };
}

/** `end`: why not all pages came. */
type FeedResponse = {
  readonly update: FeedUpdate | null;
  readonly problems: readonly FeedProblem[];
  readonly failure: FeedFailure | null;
};

function answerOf(
  told: readonly FeedUpdate[],
  problems: readonly FeedProblem[],
  refused: FeedFailure | null,
): FeedAnswer {
  const named = problems.slice(0, PROBLEMS_A_FETCH_MAX);
  if (told.length > 0 || refused === null) return { kind: "told", updates: told, problems: named };
  return refused.kind === "wrong" ? { kind: "wrong", problems: named } : refused;
}

function problemsOf(end: FeedFailure | null, name: string): readonly FeedProblem[] {
  switch (end?.kind) {
    case undefined:
      return [];
    case "unavailable":
      return [{ path: name, message: `was not answered: ${end.reason}` }];
    case "not_permitted":
      return [{ path: name, message: `is not permitted: the answer was ${end.status}` }];
    case "wrong":
      return end.problems.map(({ message }) => ({ path: name, message }));
  }
}

/** Where asking for the next thing would end alike. */
function endsFetch(end: FeedFailure): boolean {
  return end.kind === "not_permitted" || (end.kind === "unavailable" && FETCH_ENDING_REASONS.has(end.reason));
}

const FETCH_ENDING_REASONS: ReadonlySet<string> = new Set(["quota", "breaker_open", "http_429"]);

/** From what is for the operator to mend to what mends itself. */
const SEVERITY: readonly FeedFailure["kind"][] = ["wrong", "unavailable", "not_permitted"];

function worse(one: FeedFailure | null, other: FeedFailure | null): FeedFailure | null {
  if (one === null || other === null) return one ?? other;
  return SEVERITY.indexOf(other.kind) > SEVERITY.indexOf(one.kind) ? other : one;
}
