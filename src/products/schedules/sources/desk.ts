/** The desk where feeds are asked: one for the whole process, so that their quotas hold for all who ask. */
import { headersOf } from "../../../freight/upstream/headers.ts";
import { createUpstream, type Upstream, type UpstreamPorts } from "../../../freight/upstream/upstream.ts";
import type { CallsTold, CallStatement } from "../calls/call-statement.ts";
import { completeScope } from "./complete.ts";
import type { FeedAnswer, FeedProblem, NotTold } from "./feed-answer.ts";
import { isPolled, type Feed, type FeedKind, type PolledFeed } from "./feed-schema.ts";
import { readPages } from "./pages.ts";
import { questionsOf, type Question } from "./questions.ts";
import { readAnswer } from "./read-answer.ts";
import { createReading } from "./reading.ts";

export type FeedDeskPorts = UpstreamPorts & { readonly feeds: readonly Feed[] };

export type FeedDesk = {
  /**
   * Asks a feed, one of the desk's, for all that it is set up to be asked for. Never rejects. Takes {@link FETCH_MS_MAX}
   * at most; what was not asked for until then is asked for first the next time.
   */
  fetchFeed(feed: PolledFeed, nowMs: number): Promise<FeedAnswer>;
  /** Whether the feed is left alone because it is down: asking would be answered with `breaker_open`. */
  isOpen(name: string): boolean;
};

/** A whole fetch, all questions and pages of it. */
export const FETCH_MS_MAX = 5 * 60_000;

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
type Counter = { readonly upstream: Upstream; next: number };

export function createFeedDesk({ feeds, ...ports }: FeedDeskPorts): FeedDesk {
  const { clock } = ports;
  const counters = new Map<string, Counter>(
    feeds.filter(isPolled).map((feed) => [feed.name, { upstream: createUpstream(feed, ports), next: 0 }]),
  );

  async function fetchFeed(feed: PolledFeed, nowMs: number): Promise<FeedAnswer> {
    const counter = counters.get(feed.name);
    if (counter === undefined) throw new Error(`feed ${feed.name} is none of this desk's`);
    const deadlineMs = clock.monotonicMs() + FETCH_MS_MAX;
    const questions = questionsOf(feed, nowMs);
    const told: CallsTold[] = [];
    const problems: FeedProblem[] = [];
    let refused: NotTold | null = null;
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
      if (asked.told !== null) told.push(asked.told);
      calls += asked.told?.calls.length ?? 0;
      refused = worse(refused, asked.end);
      isOver = asked.end !== null && endsTheFetch(asked.end);
      counter.next = isOver ? number : number + 1;
    }
    return answerOf(told, problems, refused);
  }

  async function ask(
    upstream: Upstream,
    feed: PolledFeed,
    question: Question,
    deadlineMs: number,
    nowMs: number,
  ): Promise<Asked> {
    let pages = 0;
    const where = (): string => `${question.name}${pages > 1 ? ` page ${pages}` : ""} `;
    const reading = createReading(feed, where);
    const calls: CallStatement[] = [];
    const wanted = {
      kind: feed.kind,
      first: question.first,
      headers: headersOf({ "api-version": VERSIONS[feed.kind] }, feed.headers),
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
    if (end !== null && calls.length === 0) return { told: null, problems, end };
    const isComplete = end === null && reading.isWhole() && question.scope !== null;
    const complete = isComplete ? completeScope(feed.carrier, question.scope, calls, nowMs) : null;
    return { told: { feed: feed.name, atMs: nowMs, calls, complete }, problems, end };
  }

  return { fetchFeed, isOpen: (name) => counters.get(name)?.upstream.isOpen() ?? false };
}

/** `end`: why not all pages came. */
type Asked = {
  readonly told: CallsTold | null;
  readonly problems: readonly FeedProblem[];
  readonly end: NotTold | null;
};

function answerOf(
  told: readonly CallsTold[],
  problems: readonly FeedProblem[],
  refused: NotTold | null,
): FeedAnswer {
  const named = problems.slice(0, PROBLEMS_A_FETCH_MAX);
  if (told.length > 0 || refused === null) return { kind: "told", told, problems: named };
  return refused.kind === "wrong" ? { kind: "wrong", problems: named } : refused;
}

function problemsOf(end: NotTold | null, name: string): readonly FeedProblem[] {
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
function endsTheFetch(end: NotTold): boolean {
  return end.kind === "not_permitted" || (end.kind === "unavailable" && WHOLE_FEED.has(end.reason));
}

const WHOLE_FEED: ReadonlySet<string> = new Set(["quota", "breaker_open", "http_429"]);

/** From what is for the operator to mend to what mends itself. */
const SEVERITY: readonly NotTold["kind"][] = ["wrong", "unavailable", "not_permitted"];

function worse(one: NotTold | null, other: NotTold | null): NotTold | null {
  if (one === null || other === null) return one ?? other;
  return SEVERITY.indexOf(other.kind) > SEVERITY.indexOf(one.kind) ? other : one;
}
