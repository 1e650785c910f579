/** Fetches feeds. The process has one client, so that every fetch counts against the same quotas. */
import { mergeHeaders } from "../../../freight/upstream/headers.ts";
import {
  createQuotas,
  createUpstream,
  type QuotaOf,
  type Upstream,
  type UpstreamPorts,
} from "../../../freight/upstream/upstream.ts";
import { MINUTE_MS, DAY_MS } from "../../../runtime/durations.ts";
import { expectedTime } from "../calls/call-record.ts";
import type { FeedUpdate, CallStatement, CompleteScope } from "../calls/call-statement.ts";
import { feedQuotas, upstreamOf, type FeedQuota } from "./feed-quotas.ts";
import { feedRequestsOf, type FeedRequest, type RequestScope } from "./feed-requests.ts";
import { isPolled, type Feed, type PolledFeed } from "./feed-schema.ts";
import { fetchPages, type FeedFailure } from "./pages.ts";
import { readAnswer } from "./read-answer.ts";
import { createReadContext, type FeedProblem } from "./read-context.ts";

export type FeedClientPorts = UpstreamPorts & { readonly feeds: readonly Feed[] };

/** Outside failures are outcomes, too. */
export type FeedAnswer =
  | {
      readonly kind: "answered";
      /**
       * One for each answered request (a service, a vessel, a port, a pair), in their order; the other requests are
       * among the problems. A call may be stated several times: on two routings, or its arrival and its departure apart.
       */
      readonly updates: readonly FeedUpdate[];
      readonly problems: readonly FeedProblem[];
      /** The worst reason why not all of it came. */
      readonly failure: FeedFailure | null;
    }
  | FeedFailure;

export type FeedClient = {
  /**
   * Sends all requests of one of the client's feeds. Never rejects. Takes {@link FETCH_MS_MAX} at most; the next fetch
   * begins with the requests that were left.
   */
  fetchFeed(feed: PolledFeed, nowMs: number): Promise<FeedAnswer>;
  /** Whether the feed is down: a fetch would fail with `breaker_open`. */
  isBreakerOpen(name: string): boolean;
};

/** A whole fetch, all requests and pages of it. */
export const FETCH_MS_MAX = 5 * MINUTE_MS;

/** A fetch that has more leaves the other requests to the next one. */
const CALLS_A_FETCH_MAX = 100_000;
const PROBLEMS_A_FETCH_MAX = 200;
const TIMEOUT_MS_DEFAULT = 30_000;

/** `next`: the request that the next fetch begins with. */
type FeedConnection = { readonly upstream: Upstream; next: number };

export function createFeedClient({ feeds, ...ports }: FeedClientPorts): FeedClient {
  const quotas = feedQuotas(feeds);
  const created = new Map<FeedQuota, QuotaOf>();
  const connections = new Map<string, FeedConnection>(
    feeds.filter(isPolled).map((feed) => {
      const shared = quotas.get(feed.name)!;
      const quotaOf = created.getOrInsertComputed(shared, ({ name, quota }) =>
        createQuotas(name, { quota }, ports),
      );
      return [feed.name, { upstream: createUpstream(upstreamOf(feed.name), feed, ports, quotaOf), next: 0 }];
    }),
  );
  return {
    async fetchFeed(feed, nowMs) {
      const connection = connections.get(feed.name);
      if (connection === undefined) throw new Error(`this client has no feed ${feed.name}`);
      const answer = await fetchFrom(connection, feed, ports.clock, nowMs);
      if (answer.kind === "answered" || answer.kind === "wrong") {
        const reasons = answer.problems.map(({ path, message }) => `${path} ${message}`);
        if (reasons.length > 0) ports.onUpstreamSkipped?.(upstreamOf(feed.name), null, reasons);
      }
      return answer;
    },
    isBreakerOpen: (name) => connections.get(name)?.upstream.isBreakerOpen() ?? false,
  };
}

async function fetchFrom(
  connection: FeedConnection,
  feed: PolledFeed,
  clock: FeedClientPorts["clock"],
  nowMs: number,
): Promise<FeedAnswer> {
  const deadlineMs = clock.monotonicMs() + FETCH_MS_MAX;
  const requests = feedRequestsOf(feed, nowMs);
  const updates: FeedUpdate[] = [];
  const problems: FeedProblem[] = [];
  let failure: FeedFailure | null = null;
  let calls = 0;
  const first = connection.next % requests.length;
  let isOver = false;
  for (const place of requests.keys()) {
    if (isOver || clock.monotonicMs() >= deadlineMs || calls >= CALLS_A_FETCH_MAX) {
      const waiting = `${requests.length - place} of ${requests.length} requests wait for the next fetch`;
      problems.push({ path: "$", message: waiting });
      break;
    }
    const number = (first + place) % requests.length;
    const response = await send(connection.upstream, feed, requests[number]!, clock, deadlineMs, nowMs);
    problems.push(...response.problems);
    if (response.update !== null) updates.push(response.update);
    calls += response.update?.calls.length ?? 0;
    failure = worse(failure, response.failure);
    isOver = response.failure !== null && endsFetch(response.failure);
    connection.next = isOver ? number : number + 1;
  }
  const named = problems.slice(0, PROBLEMS_A_FETCH_MAX);
  if (updates.length > 0 || failure === null) return { kind: "answered", updates, problems: named, failure };
  return failure.kind === "wrong" ? { kind: "wrong", problems: named } : failure;
}

type FeedResponse = {
  readonly update: FeedUpdate | null;
  readonly problems: readonly FeedProblem[];
  /** Why not all pages came. */
  readonly failure: FeedFailure | null;
};

async function send(
  upstream: Upstream,
  feed: PolledFeed,
  request: FeedRequest,
  clock: FeedClientPorts["clock"],
  deadlineMs: number,
  nowMs: number,
): Promise<FeedResponse> {
  let pages = 0;
  const where = () => `${request.name}${pages > 1 ? ` page ${pages}` : ""} `;
  const reading = createReadContext(feed, nowMs, where);
  const calls: CallStatement[] = [];
  // CS 1.0 wants the major version alone, OVS 3.0.1 and later the whole one.
  const version = feed.kind === "ovs-service-schedules" ? "3.0.2" : "1";
  const pagesRequest = {
    kind: feed.kind,
    first: request.first,
    headers: mergeHeaders({ "api-version": version }, feed.headers),
    timeoutMs: feed.timeoutMs ?? TIMEOUT_MS_DEFAULT,
    deadlineMs,
  };
  const get: Upstream["get"] = (url, options) => upstream.get(url, { ...options, subject: request.name });
  const failure = await fetchPages(get, pagesRequest, clock, function* (page) {
    pages += 1;
    const read = yield* readAnswer(feed.kind, page, reading);
    if (typeof read === "string") return read;
    for (const call of read) calls.push(call);
    return null;
  });
  const problems = [...reading.problems, ...problemsOf(failure, request.name)];
  if (failure !== null && calls.length === 0) return { update: null, problems, failure };
  const isComplete = failure === null && reading.isComplete() && request.scope !== null;
  const complete = isComplete ? completeScope(feed.carrier, request.scope, calls, nowMs, pages > 0) : null;
  const update: FeedUpdate = { feed: feed.name, atMs: nowMs, calls, complete };
  if (feed.kind !== "cs-point-to-point") return { update, problems, failure };
  const isWhole = failure === null && reading.isComplete();
  const routings = { carrier: feed.carrier, asked: request.name, ways: reading.ways, isWhole };
  return { update: { ...update, routings }, problems, failure };
}

function problemsOf(failure: FeedFailure | null, name: string): readonly FeedProblem[] {
  switch (failure?.kind) {
    case undefined:
      return [];
    case "unavailable":
      return [{ path: name, message: `was not answered: ${failure.reason}` }];
    case "not_permitted":
      return [{ path: name, message: `is not permitted: the answer was ${failure.status}` }];
    case "wrong":
      return failure.problems.map(({ message }) => ({ path: name, message }));
  }
}

/** Whether the feed's other requests would fail alike. */
function endsFetch(failure: FeedFailure): boolean {
  return (
    failure.kind === "not_permitted" ||
    (failure.kind === "unavailable" && FETCH_ENDING_REASONS.has(failure.reason))
  );
}

const FETCH_ENDING_REASONS: ReadonlySet<string> = new Set(["quota", "breaker_open", "http_429"]);

/** The last needs the operator most. */
const SEVERITY: readonly FeedFailure["kind"][] = ["wrong", "unavailable", "not_permitted"];

function worse(one: FeedFailure | null, other: FeedFailure | null): FeedFailure | null {
  if (one === null || other === null) return one ?? other;
  return SEVERITY.indexOf(other.kind) > SEVERITY.indexOf(one.kind) ? other : one;
}

const SLIDE_MS_MAX = 7 * DAY_MS;
const NEAR_MS = DAY_MS;

/**
 * What a whole answer is complete about. A call that it leaves out of the requested time is uncertain. It covers calls
 * for certain from tomorrow on, since an answer may leave out vessels that have left; to a week before the last
 * requested day, its horizon, since a call that slides past that day is not gone; and to a week before the last listed
 * call, since some carriers answer for less time than requested. An empty list is a statement of the whole time; an
 * answer without a list (204, 404), or of past calls alone, covers nothing for certain.
 *
 * Null: the request asked for nothing to come. `isListed`: the answer is a list, and no mere 204 or 404.
 */
export function completeScope(
  carrier: string,
  scope: RequestScope,
  calls: readonly CallStatement[],
  nowMs: number,
  isListed = true,
): CompleteScope | null {
  const lastMs = calls.reduce((last, call) => Math.max(last, latestMs(call)), Number.NEGATIVE_INFINITY);
  const fromMs = nowMs + NEAR_MS;
  const horizonMs = scope.untilMs - SLIDE_MS_MAX;
  if (scope.untilMs <= nowMs) return null;
  const isEmpty = isListed && calls.length === 0;
  const toMs = isEmpty ? horizonMs : Math.min(horizonMs, Math.max(lastMs, nowMs) - SLIDE_MS_MAX);
  const { service, port, vessel, untilMs } = scope;
  return { carrier, service, port, vessel, fromMs, toMs, horizonMs, asked: { fromMs: nowMs, untilMs } };
}

function latestMs({ arrival, departure }: CallStatement): number {
  return Math.max(
    ...[arrival, departure].map((times) => expectedTime(times)?.ms ?? Number.NEGATIVE_INFINITY),
  );
}
