/** How feeds of sailing schedules are tried: `boathook schedules check`. */
import { rowsText } from "../../../cli/answer-text.ts";
import { facts } from "../../../cli/print.ts";
import { checkCommand } from "../../../freight/source-check/check-command.ts";
import type { Came, CheckedKind, Secrets } from "../../../freight/source-check/check.ts";
import { answersFile } from "../../../freight/source-check/kept-answers.ts";
import { secretsAmong, type Mask } from "../../../freight/source-check/secrets.ts";
import { failed, passed, type StepEnd } from "../../../freight/source-check/step.ts";
import type { CallRecord } from "../calls/call-record.ts";
import type { FeedUpdate } from "../calls/call-statement.ts";
import { firstRecordsOf } from "../calls/ingest.ts";
import { RELIABILITY_DEFAULTS } from "../reliability/reliability.ts";
import { CALL_COLUMNS, showCall } from "../search/call-view.ts";
import { SCHEDULES_SETTINGS } from "../settings.ts";
import { createFeedClient, type FeedAnswer } from "../sources/feed-client.ts";
import { feedRequestsOf } from "../sources/feed-requests.ts";
import { isPolled, type Feed, type FeedKind, type PolledFeed } from "../sources/feed-schema.ts";
import { readFeeds } from "../sources/feeds-file.ts";
import type { FeedFailure } from "../sources/pages.ts";
import type { FeedProblem } from "../sources/read-context.ts";

type Nothing = Readonly<Record<string, never>>;
type Answer = { readonly answer: FeedAnswer; readonly outcome: Outcome | null };
/** `carrier`: SCAC. */
type Who = { readonly feed: string; readonly carrier: string; readonly kind: FeedKind };

export const FEED_CHECK: CheckedKind<Feed, Nothing, Answer, Outcome, Who> = {
  words: {
    whom: "carrier",
    file: "schedules file",
    subject: "service, vessel, port or pair",
    address: "url",
  },
  advice: [
    [
      /^next_page/,
      "The answer's next page is no further page of it: check url with the carrier's documents.",
    ],
    [
      /^too_many_pages$/,
      "The answer has more pages than Boathook reads: ask by service, or set `daysAhead`.",
    ],
    [/^too_large$/, "The answer is larger than Boathook reads: ask by service, or set `daysAhead`."],
  ],
  whoOf: ({ name: feed, carrier, kind }) => ({ feed, carrier, kind }),
  apisOf(feed) {
    if (!isPolled(feed)) return [{ of: "-", why: "it is pushed: nothing to ask" }];
    const asked = withFirstQuestion(feed);
    return [
      {
        of: feedRequestsOf(asked, 0)[0]!.name,
        secrets: secretsOf(feed),
        servers: [feed.url],
        oauth: feed.oauth,
        async ask({ log: _, ...ports }, { hide, nowMs }) {
          const client = createFeedClient({ ...ports, feeds: [asked] });
          const answer = await client.fetchFeed(asked, nowMs);
          const isAnswered = answer.kind === "answered";
          return { answer, outcome: isAnswered ? outcomeOf(answer.updates, answer.problems, hide) : null };
        },
        endOf,
        entry: asked,
      },
    ];
  },
  outcomeOf: ([answered]) => answered?.outcome ?? null,
  file: answersFile({
    form: "boathook-schedule-answers-1",
    field: "feed",
    aboutSchema: {},
    aboutOf: () => ({}),
    nameOf: ({ name }) => name,
    entryOf: (_, [feed = {}]) => feed,
    readEntries: readFeeds,
  }),
};

/** Some carriers take keys as parameters of the question. */
function secretsOf({ headers, apiKeys, oauth, secret, parameters = {} }: Feed): Secrets {
  const ofQuestion = secretsAmong(Object.entries(parameters));
  return {
    credentials: [headers, apiKeys, oauth],
    others: secret === undefined ? ofQuestion : [...ofQuestion, secret],
  };
}

/** One question shows whether the others would be answered, and costs the least of the quota. */
function withFirstQuestion({ services, vessels, ports, pairs, ...feed }: PolledFeed): PolledFeed {
  if (services !== undefined) return { ...feed, services: services.slice(0, 1) };
  if (vessels !== undefined) return { ...feed, vessels: vessels.slice(0, 1) };
  if (ports !== undefined) return { ...feed, ports: ports.slice(0, 1) };
  return pairs === undefined ? feed : { ...feed, pairs: pairs.slice(0, 1) };
}

function endOf({ answer, outcome }: Answer, came: Came): StepEnd {
  if (answer.kind !== "answered") return failureEnd(answer, "", came);
  const calls = outcome!.calls.length;
  const { length } = came.questions;
  const read = `, calls: ${calls}${length === 1 ? "" : ` in ${length} answers`}`;
  if (answer.failure !== null) {
    const end = failureEnd(answer.failure, read, came);
    return { ...end, advice: `${BROKEN} ${end.advice}` };
  }
  const last = came.last?.answer;
  if (last?.kind === "answered" && last.status === 404) return passed(came.text(true), NOT_FOUND);
  const found = came.text(true) + read;
  if (answer.problems.length > 0) return calls === 0 ? failed(found, UNUSED) : passed(found, SKIPPED);
  return passed(found, calls === 0 ? NO_CALLS : null);
}

/** `read`: what the pages before it held. */
function failureEnd(failure: FeedFailure, read: string, came: Came): StepEnd {
  if (failure.kind !== "wrong") return came.noAnswer(failure, read);
  const problems = failure.problems.map(({ message }) => message).join("; ");
  return failed(came.hide(`${came.text()}${read}: ${problems}`), WRONG);
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

/** Calls of an answer that are printed; `--json` has all. */
const SHOWN_MAX = 30;

const COLUMNS = { PORT: "port", ...CALL_COLUMNS };

export const feedsCheck = checkCommand<Feed, Nothing, Answer, Outcome, Who, Nothing>(FEED_CHECK, {
  one: "feed",
  many: "feeds",
  setting: SCHEDULES_SETTINGS.schedulesFile,
  guide: "docs/schedules.md",
  readEntries: readFeeds,
  question: "the first question of each feed",
  without: "Without a feed, all.",
  examples: [
    "boathook schedules check",
    "boathook schedules check maeu-vessel-schedules --record answers",
    "boathook schedules check --replay answers/maeu-vessel-schedules.json",
  ],
  argument: ["[feed]", "its name"],
  options: [],
  replayed: "feed",
  key: "name",
  keyOf: ({ name }) => name,
  named: (feeds, name) => feeds.filter((feed) => feed.name === name),
  aboutOf: () => ({}),
  nameOf: ({ feed }) => feed,
  titleOf: ({ feed, kind, carrier }) => `${feed}: ${kind} of ${carrier}`,
  printed({ calls, connections, skipped }) {
    const rest = calls.length - SHOWN_MAX;
    const shown = calls.slice(0, SHOWN_MAX).map((call) => showCall(call));
    return [
      facts([
        ["Calls", String(calls.length)],
        ...(connections === 0 ? [] : [["Connections", String(connections)] as const]),
        ...skipped.map((reason) => ["Skipped", reason] as const),
      ]),
      calls.length === 0 ? "" : `\n${rowsText(shown, { columns: COLUMNS })}`,
      rest > 0 ? `and ${rest} more: --json has all\n` : "",
    ].join("");
  },
  // Calls as anybody may read them, without the ids that they have only in the record.
  shown: (outcome) => ({
    ...outcome,
    calls: outcome.calls.map((call) => ({ ...showCall(call), id: undefined })),
  }),
});

const SETTINGS = { reliability: RELIABILITY_DEFAULTS };

export type Outcome = {
  /** By voyage, and in each by port. */
  readonly calls: readonly CallRecord[];
  /** Connections that the carrier publishes by these calls. */
  readonly connections: number;
  readonly skipped: readonly string[];
};

/** `hide`: takes secrets out of what problems quote. */
export function outcomeOf(
  updates: readonly FeedUpdate[],
  problems: readonly FeedProblem[],
  hide: Mask["hide"],
): Outcome {
  let number = 0;
  // Nothing is stored: an id tells the calls of one answer apart.
  const random = { uuid: () => String((number += 1)) };
  const calls = updates.flatMap((update) => firstRecordsOf(update, { random }, SETTINGS));
  return {
    calls,
    connections: updates.reduce((sum, { routings }) => sum + (routings?.ways.length ?? 0), 0),
    skipped: problems.map(({ path, message }) => hide(`${path} ${message}`)),
  };
}
