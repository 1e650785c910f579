/**
 * Tries one feed of the schedules file step by step, as polling uses it:
 *
 *     name, TLS of each server ─▶ token ─▶ the first of its questions ─▶ what the answer becomes
 *
 * A step that fails ends the check: what depends on it is skipped.
 */
import { type AdviceByReason, adviceOn } from "../../../freight/source-check/advice.ts";
import { answerText, type Exchange, requestsOf, watchHttp } from "../../../freight/source-check/exchanges.ts";
import { type CheckPorts, createSteps, type Steps } from "../../../freight/source-check/run-steps.ts";
import { createMask, type Mask, namesSecret } from "../../../freight/source-check/secrets.ts";
import {
  type CheckStep,
  failed,
  passed,
  skipped,
  type SourceWords,
  type StepEnd,
} from "../../../freight/source-check/step.ts";
import { createFeedClient, type FeedAnswer } from "../sources/feed-client.ts";
import { feedRequestsOf } from "../sources/feed-requests.ts";
import { type Feed, type FeedKind, isPolled, type PolledFeed } from "../sources/feed-schema.ts";
import type { FeedFailure } from "../sources/pages.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { recordAnswers } from "./recording.ts";

/** How `boathook schedules check` speaks, and which of a feed's texts it never shows. */
const FEED: SourceWords = {
  whom: "carrier",
  file: "schedules file",
  subject: "service, vessel, port or pair",
  address: "url",
};

const FEED_ADVICE: AdviceByReason = [
  [/^next_page/, "The answer's next page is no further page of it: check url with the carrier's documents."],
  [/^too_many_pages$/, "The answer has more pages than Boathook reads: ask by service, or set `daysAhead`."],
  [/^too_large$/, "The answer is larger than Boathook reads: ask by service, or set `daysAhead`."],
];

/** Some carriers take keys as parameters of the question. */
function maskOf({ headers, apiKeys, oauth, secret, parameters = {} }: Feed): Mask {
  const ofQuestion = Object.entries(parameters).flatMap(([name, value]) =>
    namesSecret(name) ? [value] : [],
  );
  return createMask([headers, apiKeys, oauth], secret === undefined ? ofQuestion : [...ofQuestion, secret]);
}

export type FeedCheck = {
  readonly feed: string;
  /** SCAC. */
  readonly carrier: string;
  readonly kind: FeedKind;
  readonly passed: boolean;
  readonly steps: readonly CheckStep[];
  /** Null without an answer of the feed's kind. */
  readonly outcome: Outcome | null;
  /** The file that keeps the answers. */
  readonly recorded: string | null;
};

export type Asked = {
  /** The folder to keep answers in. */
  readonly record: string | null;
  /** The answers are kept ones: there is no server to reach and no token to get. */
  readonly isReplay?: boolean;
};

export async function checkFeed(
  ports: CheckPorts,
  feed: Feed,
  { record, isReplay = false }: Asked,
): Promise<FeedCheck> {
  const { name, carrier, kind } = feed;
  const steps = createSteps(ports, FEED);
  let asked: AskedFeed = { outcome: null, recorded: null };
  if (isPolled(feed)) asked = await askFeed(ports, steps, feed, { record, isReplay });
  else await steps.run("question", "-", async () => skipped("it is pushed: nothing to ask"));
  const isPassed = steps.done.every(({ result }) => result !== "failed");
  return { feed: name, carrier, kind, passed: isPassed, steps: steps.done, ...asked };
}

type AskedFeed = Pick<FeedCheck, "outcome" | "recorded">;

async function askFeed(
  ports: CheckPorts,
  steps: Steps,
  feed: PolledFeed,
  { record, isReplay }: Required<Asked>,
): Promise<AskedFeed> {
  const { oauth } = feed;
  const asked = withFirstQuestion(feed);
  const mask = maskOf(feed);
  const nowMs = ports.clock.nowMs();
  const watched = watchHttp(ports.http, oauth === undefined ? [] : [oauth], mask);
  const addresses = oauth === undefined ? [feed.url] : [feed.url, oauth.tokenUrl];
  const unreachable = await steps.reach(isReplay ? [] : addresses.map((address) => new URL(address)));
  const isReady = unreachable.size === 0 && (await steps.signIn({ oauth, watched, mask }));
  const from = watched.exchanges.length;
  let outcome: Outcome | null = null;
  await steps.run("question", feedRequestsOf(asked, nowMs)[0]!.name, async () => {
    if (!isReady) return skipped("not asked: a step before it failed");
    const client = createFeedClient({ ...ports, http: watched.http, feeds: [asked] });
    const answer = await client.fetchFeed(asked, nowMs);
    if (answer.kind === "answered") outcome = outcomeOf(answer.updates, answer.problems, mask.hide);
    const questions = watched.exchanges.slice(from).filter(({ isToken }) => !isToken);
    return { ...questionEnd(answer, outcome, questions, mask), asked: requestsOf(questions, mask) };
  });
  const recorded = record && (await recordAnswers(record, asked, watched.exchanges, mask, nowMs));
  return { outcome, recorded };
}

/** One question shows whether the others would be answered, and costs the least of the quota. */
function withFirstQuestion({ services, vessels, ports, pairs, ...feed }: PolledFeed): PolledFeed {
  if (services !== undefined) return { ...feed, services: services.slice(0, 1) };
  if (vessels !== undefined) return { ...feed, vessels: vessels.slice(0, 1) };
  if (ports !== undefined) return { ...feed, ports: ports.slice(0, 1) };
  return pairs === undefined ? feed : { ...feed, pairs: pairs.slice(0, 1) };
}

function questionEnd(
  answer: FeedAnswer,
  outcome: Outcome | null,
  asked: readonly Exchange[],
  mask: Mask,
): StepEnd {
  const last = asked.at(-1);
  if (answer.kind !== "answered") return failureEnd(answer, last, "", mask);
  const calls = outcome!.calls.length;
  const read = `, calls: ${calls}${asked.length === 1 ? "" : ` in ${asked.length} answers`}`;
  if (answer.failure !== null) {
    const end = failureEnd(answer.failure, last, read, mask);
    return { ...end, advice: `${BROKEN} ${end.advice}` };
  }
  const came = answerText(last, mask, true);
  const found = came + read;
  if (last?.answer.kind === "answered" && last.answer.status === 404) return passed(came, NOT_FOUND);
  if (answer.problems.length > 0) return calls === 0 ? failed(found, UNUSED) : passed(found, SKIPPED);
  return passed(found, calls === 0 ? NO_CALLS : null);
}

/** `read`: what the pages before it held. */
function failureEnd(failure: FeedFailure, last: Exchange | undefined, read: string, mask: Mask): StepEnd {
  const came = answerText(last, mask) + read;
  switch (failure.kind) {
    case "wrong":
      return failed(
        mask.hide(`${came}: ${failure.problems.map(({ message }) => message).join("; ")}`),
        WRONG,
      );
    case "not_permitted":
      return failed(came, adviceOn(failure, FEED, FEED_ADVICE, last?.answer));
    case "unavailable":
      return failed(`${failure.reason}: ${came}`, adviceOn(failure, FEED, FEED_ADVICE, last?.answer));
  }
}

const BROKEN = "Some pages came, and not all: what they leave out counts as unknown.";
const NOT_FOUND =
  "Boathook takes this for no schedules. A wrong address looks the same: check url, and that the carrier knows what the feed asks for.";
const NO_CALLS =
  "The answer is right, and has no calls: check that the carrier knows what the feed asks for.";
const UNUSED =
  "Nothing of the answer could be used: check that `kind` is what the address answers with, and see what was skipped.";
const SKIPPED = "Parts of the answer could not be used: see what was skipped.";
const WRONG =
  "The carrier refuses the question, or answers with something else: check url, `kind`, `parameters`, and that the carrier takes so many days (`daysAhead`, `daysBehind`).";
