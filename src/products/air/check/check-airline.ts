/**
 * Tries one airline's entry step by step, as polling uses it:
 *
 *     each polled source: name, TLS of each server ─▶ token ─▶ one question
 *     the first that has a statement ─▶ what the answer becomes
 *
 * A step that fails ends its branch: what depends on it is skipped.
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
import { checkDigitOf, fillTemplate, formatAwb } from "../../../freight/references/awb.ts";
import { createAirlineClient } from "../sources/airline-client.ts";
import type { AirlineAnswer } from "../sources/airline-answer.ts";
import type { Airline, PolledSource } from "../sources/airlines/airline-schema.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { type AskedSource, recordAnswers } from "./recording.ts";

/** How `boathook airlines check` speaks, and which of a source's texts it never shows. */
const AIRLINE: SourceWords = {
  whom: "airline",
  file: "airlines file",
  subject: "waybill",
  address: "its address",
};

const AIRLINE_ADVICE: AdviceByReason = [
  [
    /^not_fsa$/,
    "The answer holds no FSA or FSU: check url, and name where messages stand in `answer`, or describe an API of the airline's own as `mapped`.",
  ],
  [
    /^not_(?:json|xml)$/,
    "The answer is not in the format that the file says: check url and `answer.format`.",
  ],
  [/^not_json_ld$/, "The answer is no ONE Record: check objectUrl, and that the server speaks JSON-LD."],
  [
    /^other_waybill$/,
    "The answer is about another waybill: check where {awb}, {prefix} and {serial} stand in the address or message, and `answer.waybill`.",
  ],
  [/^too_large$/, "The answer is larger than Boathook reads: the airline may offer a shorter one."],
];

/** Some airlines take keys in the address or in the message. */
function maskOf(source: PolledSource): Mask {
  const { headers, apiKeys, oauth } = source;
  const address = addressOf(source);
  const ofQuery = URL.canParse(address) ? [...new URL(address).searchParams] : [];
  const message = source.kind === "one-record" ? "" : (source.message ?? "");
  const ofMessage = [...message.matchAll(FIELD)].map(([, name = "", value = ""]) => [name, value] as const);
  const inQuestion = [...ofQuery, ...ofMessage].flatMap(([name, value]) =>
    namesSecret(name) ? [value] : [],
  );
  return createMask([headers, apiKeys, oauth], inQuestion);
}

/** Of JSON, a form or XML: `"apiKey": "…"`, `api_key=…`, `<Password>…`. */
const FIELD = /([\w-]{1,60})"?\s{0,4}[:=>]\s{0,4}"?([^"&<\s]{1,4096})/g;

function addressOf(source: PolledSource): string {
  return source.kind === "one-record" ? source.objectUrl : source.url;
}

export type AirlineCheck = {
  readonly iata: string;
  readonly name: string;
  /** Asked about; eleven digits. */
  readonly awb: string;
  readonly passed: boolean;
  readonly steps: readonly CheckStep[];
  /** Null where no answer had a statement. */
  readonly outcome: Outcome | null;
  /** The file that keeps the answers. */
  readonly recorded: string | null;
};

export type Asked = {
  /** Eleven digits; null: a number that nobody has, to see whether the credentials are accepted. */
  readonly awb: string | null;
  /** The folder to keep answers in. */
  readonly record: string | null;
  /** The answers are kept ones: there is no server to reach and no token to get. */
  readonly isReplay?: boolean;
};

type Source = Airline["sources"][number];

export async function checkAirline(
  ports: CheckPorts,
  airline: Airline,
  { awb: wanted, record, isReplay = false }: Asked,
): Promise<AirlineCheck> {
  const nobodys = nobodysOf(airline);
  const awb = wanted ?? nobodys;
  const steps = createSteps(ports, AIRLINE);
  const asked: AskedSource[] = [];
  let found: Statement | null = null;
  for (const [place, source] of airline.sources.entries()) {
    const question = { airline, source, place, awb, isKnown: awb !== nobodys, isReplay };
    const answer = await askSource(ports, steps, question, asked);
    found ??= answer?.kind === "statement" ? answer : null;
  }
  return {
    iata: airline.iata,
    name: airline.name,
    awb,
    passed: steps.done.every(({ result }) => result !== "failed"),
    steps: steps.done,
    outcome: found === null ? null : withoutSecretsOf(asked, outcomeAt(ports, airline, found)),
    recorded: record === null ? null : await recordAnswers(record, airline, awb, asked, ports.clock.nowMs()),
  };
}

type Statement = Extract<AirlineAnswer, { kind: "statement" }>;

/** By the clock of a replayed airline, or by ours. */
function outcomeAt(
  { clock }: CheckPorts,
  airline: Airline,
  { statement, problems, dateMs }: Statement,
): Outcome {
  const nowMs = airline.asOf === "answer-date" ? (dateMs ?? clock.nowMs()) : clock.nowMs();
  return outcomeOf(airline, statement, problems, nowMs);
}

/** What was skipped may quote an answer. */
function withoutSecretsOf(asked: readonly AskedSource[], outcome: Outcome): Outcome {
  const hide = (text: string): string => asked.reduce((left, { mask }) => mask.hide(left), text);
  return { ...outcome, skipped: outcome.skipped.map(hide) };
}

/** A valid number that no airline has reached, or ever will. */
function nobodysOf({ prefixes }: Airline): string {
  const digits = `${prefixes[0]}9999999`;
  return digits + checkDigitOf(`${digits}0`);
}

type Question = {
  readonly airline: Airline;
  readonly source: Source;
  readonly place: number;
  readonly awb: string;
  readonly isKnown: boolean;
  readonly isReplay: boolean;
};

async function askSource(
  ports: CheckPorts,
  steps: Steps,
  question: Question,
  asked: AskedSource[],
): Promise<AirlineAnswer | null> {
  const { airline, source, place, awb } = question;
  const of = `${place + 1} ${source.kind}, ${formatAwb(awb)}`;
  if (source.kind === "push") {
    const whence = "messages come by themselves: nothing to ask";
    await steps.run("question", `${place + 1} push`, async () => skipped(whence));
    return null;
  }
  const mask = maskOf(source);
  const watched = watchHttp(ports.http, source.oauth === undefined ? [] : [source.oauth], mask);
  const urls = serversOf(source, awb);
  const unreachable = await steps.reach(question.isReplay ? [] : urls);
  const isReachable = urls.every(({ origin }) => !unreachable.has(origin));
  const isSignedIn = isReachable && (await steps.signIn({ oauth: source.oauth, watched, mask }));
  const from = watched.exchanges.length;
  let answer: AirlineAnswer | null = null;
  await steps.run("question", of, async () => {
    if (!isSignedIn) return skipped("not asked: a step before it failed");
    const client = createAirlineClient({
      ...ports,
      http: watched.http,
      airlines: [{ ...airline, sources: [source] }],
    });
    answer = await client.fetch(airline, awb);
    const questions = watched.exchanges.slice(from).filter(({ isToken }) => !isToken);
    return {
      ...questionEnd(answer, questions, question, mask),
      asked: requestsOf(questions, mask),
    };
  });
  asked.push({ place, source, exchanges: watched.exchanges.slice(from), mask });
  return answer;
}

/** The API's first. */
function serversOf(source: PolledSource, awb: string): readonly URL[] {
  const address = new URL(fillTemplate(addressOf(source), awb));
  return source.oauth === undefined ? [address] : [address, new URL(source.oauth.tokenUrl)];
}

function questionEnd(
  answer: AirlineAnswer,
  asked: readonly Exchange[],
  { isKnown, source: { kind } }: Pick<Question, "isKnown" | "source">,
  mask: Mask,
): StepEnd {
  const last = asked.at(-1);
  const isUsed = answer.kind === "statement" || answer.kind === "unchanged";
  const came = answerText(last, mask, isUsed);
  switch (answer.kind) {
    case "statement": {
      const { statement, problems } = answer;
      const objects = asked.length === 1 ? "" : ` in ${asked.length} answers`;
      const read = `${came}, ${statement.events.length} events${objects}`;
      if (problems.length === 0) return passed(read);
      // How an API's values are read is the entry's to say; messages are as their sender writes them.
      return kind === "mapped" ? failed(read, SKIPPED) : passed(read, SKIPPED);
    }
    case "unchanged":
      return passed(came);
    case "not_found":
      if (isKnown)
        return failed(`${came}: not found`, adviceOn(answer, AIRLINE, AIRLINE_ADVICE, last?.answer));
      return passed(
        `${came}: nobody has this number, so that no answer is as it should be`,
        "Ask about a real one with --awb: a wrong path may look the same.",
      );
    case "not_permitted":
      return failed(came, adviceOn(answer, AIRLINE, AIRLINE_ADVICE, last?.answer));
    case "unavailable":
      return failed(`${answer.reason}: ${came}`, adviceOn(answer, AIRLINE, AIRLINE_ADVICE, last?.answer));
  }
}

const SKIPPED = "Parts of the answer could not be used: see what was skipped.";
