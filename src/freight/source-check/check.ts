/**
 * Tries one entry of a file step by step, as polling uses it:
 *
 *     each of its APIs: name, TLS of each server ─▶ token ─▶ one question
 *     the answers ─▶ what they become, and the file that keeps them
 *
 * A step that fails ends its branch: what depends on it is skipped.
 */
import type { Clock } from "../../runtime/clock.ts";
import type { NoAnswer } from "../upstream/no-answer.ts";
import { createOAuth } from "../upstream/oauth.ts";
import { adviceOn, type AdviceByReason } from "./advice.ts";
import { checkName, checkTls } from "./connection.ts";
import { answerText, requestsOf, watchHttp, type Exchange } from "./exchanges.ts";
import { keepAnswers, type AnswersFile } from "./kept-answers.ts";
import { createMask, type Mask } from "./secrets.ts";
import {
  failed,
  passed,
  skipped,
  type CheckPorts,
  type CheckStep,
  type SourceWords,
  type StepEnd,
  type StepName,
} from "./step.ts";
import type { OAuthSettings } from "../upstream/upstream-schema.ts";

/** How entries of a kind are tried. `About` is what is asked about, `Who` how a check names its entry. */
export type CheckedKind<Entry, About, Answer, Outcome, Who extends object> = {
  readonly words: SourceWords;
  readonly advice: AdviceByReason;
  readonly whoOf: (entry: Entry, about: About) => Who;
  /** In the order in which they are asked. */
  readonly apisOf: (entry: Entry, about: About) => readonly (CheckedApi<Answer> | SilentApi)[];
  /** Of what its APIs answered; null: nothing came of it. `hide` takes out secrets. */
  readonly outcomeOf: (
    answers: readonly Answer[],
    context: { readonly ports: CheckPorts; readonly entry: Entry; readonly about: About } & Pick<
      Mask,
      "hide"
    >,
  ) => Promise<Outcome | null> | Outcome | null;
  readonly file: AnswersFile<Entry, About>;
};

export type CheckedApi<Answer> = {
  /** What is asked about, as the step names it. */
  readonly of: string;
  readonly secrets: Secrets;
  /** Addresses, the API's first; without the token's. */
  readonly servers: readonly string[];
  /** Servers beside the question, which may be down. */
  readonly besides?: readonly string[];
  readonly oauth?: OAuthSettings | undefined;
  /** Other sign-ins that the client may use. */
  readonly signIns?: readonly OAuthSettings[];
  /** Of requests that are not for a token; absent: all. */
  readonly isOfQuestion?: (exchange: Exchange) => boolean;
  /** The option that asks about a real one, where nobody has what is asked about. */
  readonly isNobodys?: `--${string}` | null;
  readonly ask: (ports: CheckPorts, by: Pick<Mask, "hide"> & { readonly nowMs: number }) => Promise<Answer>;
  readonly endOf: (answer: Answer, came: Came) => StepEnd;
  /** The part of the entry by which its answers are read. */
  readonly entry: object;
};

/** Nothing is asked of it. */
type SilentApi = { readonly of: string; readonly why: string };

export type Secrets = {
  /** Headers, keys, sign-ins: every text in them counts but those known to say nothing secret. */
  readonly credentials: readonly unknown[];
  readonly others: readonly string[];
};

export const maskOf = ({ credentials, others }: Secrets): Mask => createMask(credentials, others);

/** What came back to a question. */
export type Came = Pick<Mask, "hide"> & {
  readonly questions: readonly Exchange[];
  readonly last: Exchange | undefined;
  /** Of the last answer, without secrets. */
  text(isUsed?: boolean): string;
  advice(answer: NoAnswer): string;
  /** How a question without an answer ends; `read`: what came of it nevertheless. */
  noAnswer(answer: NoAnswer, read?: string): StepEnd;
};

export type EntryCheck<Outcome, Who extends object = object> = Who & {
  readonly passed: boolean;
  readonly steps: readonly CheckStep[];
  /** Null without an answer that becomes something. */
  readonly outcome: Outcome | null;
  /** The file that keeps the answers. */
  readonly recorded: string | null;
};

export type CheckOptions = {
  /** The folder to keep answers in. */
  readonly record?: string | null;
  /** The answers are kept ones: there is no server to reach and no token to get. */
  readonly isReplay?: boolean;
};

export async function checkEntry<Entry, About, Answer, Outcome, Who extends object>(
  ports: CheckPorts,
  kind: CheckedKind<Entry, About, Answer, Outcome, Who>,
  entry: Entry,
  about: About,
  { record = null, isReplay = false }: CheckOptions = {},
): Promise<EntryCheck<Outcome, Who>> {
  const nowMs = ports.clock.nowMs();
  const steps: CheckStep[] = [];
  const run = createRun(ports.clock, steps);
  const asked: AskedApi<Answer>[] = [];
  for (const api of kind.apisOf(entry, about)) {
    if ("why" in api) await run("question", api.of, async () => skipped(api.why));
    else asked.push(await askApi(ports, kind, run, api, { nowMs, isReplay }));
  }
  const hide = (text: string): string => asked.reduce((left, { mask }) => mask.hide(left), text);
  const answers = asked.flatMap(({ answer }) => (answer === null ? [] : [answer]));
  return {
    ...kind.whoOf(entry, about),
    passed: steps.every(({ result }) => result !== "failed"),
    steps,
    outcome: await kind.outcomeOf(answers, { ports, entry, about, hide }),
    recorded: record && (await keepAnswers(record, kind.file, { entry, about, asked, atMs: nowMs })),
  };
}

/** False where the step failed. */
type Run = (step: StepName, of: string, work: () => Promise<StepEnd>) => Promise<boolean>;

function createRun(clock: Clock, done: CheckStep[]): Run {
  return async (step, of, work) => {
    const fromMs = clock.monotonicMs();
    const end = await work();
    done.push({ step, of, asked: [], ...end, tookMs: Math.round(clock.monotonicMs() - fromMs) });
    return end.result !== "failed";
  };
}

type AskedApi<Answer> = {
  readonly entry: object;
  readonly answer: Answer | null;
  /** Without those of the token step. */
  readonly exchanges: readonly Exchange[];
  readonly mask: Mask;
};

async function askApi<Answer>(
  ports: CheckPorts,
  kind: Pick<CheckedKind<never, never, Answer, unknown, object>, "words" | "advice">,
  run: Run,
  api: CheckedApi<Answer>,
  { nowMs, isReplay }: { readonly nowMs: number; readonly isReplay: boolean },
): Promise<AskedApi<Answer>> {
  const { of, servers, besides = [], oauth, signIns = [], isOfQuestion = () => true, entry } = api;
  const mask = maskOf(api.secrets);
  const ofToken = oauth === undefined ? [] : [oauth];
  const watched = watchHttp(ports.http, [...ofToken, ...signIns], mask);
  const { exchanges } = watched;
  const through = { ...ports, http: watched.http };
  const needed = [...servers, ...ofToken.map(({ tokenUrl }) => tokenUrl)].map((address) => new URL(address));
  const all = isReplay ? [] : [...needed, ...besides.map((address) => new URL(address))];
  const unreachable = await reach(ports.clock, kind.words, run, all);
  const isReachable = needed.every(({ origin }) => !unreachable.has(origin));
  const isReady =
    isReachable &&
    (oauth === undefined ||
      (await run("token", new URL(oauth.tokenUrl).host, () =>
        token(through, kind.words, oauth, exchanges, mask),
      )));
  const from = exchanges.length;
  let answer: Answer | null = null;
  await run("question", of, async () => {
    if (!isReady) return skipped("not asked: a step before it failed");
    answer = await api.ask(through, { hide: mask.hide, nowMs });
    const questions = exchanges.slice(from).filter((one) => !one.isToken && isOfQuestion(one));
    const came = createCame(kind, questions, mask, api.isNobodys ?? null);
    return { ...api.endOf(answer, came), asked: requestsOf(questions, mask) };
  });
  return { entry, answer, exchanges: exchanges.slice(from), mask };
}

/** Tries name and certificate of each server once; the origins that cannot be reached safely. */
async function reach(
  clock: Clock,
  words: SourceWords,
  run: Run,
  urls: readonly URL[],
): Promise<ReadonlySet<string>> {
  const unreachable = new Set<string>();
  for (const url of new Map(urls.map((one) => [one.origin, one])).values()) {
    const isNamed = await run("name", url.hostname, () => checkName(url, clock, words));
    const isSafe = isNamed && (await run("tls", url.host, () => checkTls(url, clock, words)));
    if (!isSafe) unreachable.add(url.origin);
  }
  return unreachable;
}

async function token(
  ports: CheckPorts,
  words: SourceWords,
  oauth: OAuthSettings,
  exchanges: readonly Exchange[],
  mask: Mask,
): Promise<StepEnd> {
  const answer = await createOAuth(oauth, ports).token();
  const asked = requestsOf(exchanges, mask);
  if (answer.kind === "token") return { ...passed(`a token of ${answer.value.length} characters`), asked };
  const last = exchanges.at(-1);
  const came = answerText(last, mask);
  if (answer.kind !== "failed") return { ...failed(came, REFUSED), asked };
  const advice = adviceOn({ ...answer, kind: "unavailable" }, words, [], last?.answer);
  return { ...failed(`${answer.reason}: ${came}`, advice), asked };
}

const REFUSED =
  "The token endpoint refuses the id or the secret: check both, and that they have not expired.";

function createCame(
  { words, advice: own }: { readonly words: SourceWords; readonly advice: AdviceByReason },
  questions: readonly Exchange[],
  mask: Mask,
  isNobodys: string | null,
): Came {
  const last = questions.at(-1);
  const text: Came["text"] = (isUsed) => answerText(last, mask, isUsed);
  const advice: Came["advice"] = (answer) => adviceOn(answer, words, own, last?.answer);
  return {
    questions,
    last,
    hide: mask.hide,
    text,
    advice,
    noAnswer(answer, read = "") {
      if (answer.kind === "not_found" && isNobodys !== null)
        return passed(
          `${text()}: nobody has this number, so that no answer is as it should be`,
          `Ask about a real one with ${isNobodys}: a wrong path may look the same.`,
        );
      const before = answer.kind === "unavailable" ? `${answer.reason}: ` : "";
      const after = answer.kind === "not_found" ? ": not found" : read;
      return failed(`${before}${text()}${after}`, advice(answer));
    },
  };
}
