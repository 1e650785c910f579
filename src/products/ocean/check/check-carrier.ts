/**
 * Tries one carrier's entry step by step, as polling uses it:
 *
 *     name, TLS of each server ─▶ token ─▶ one question ─▶ what the answer becomes
 *
 * A step that fails ends its branch: what depends on it is skipped.
 */
import { withoutTrailingSlashes } from "../../../runtime/trailing-slashes.ts";
import type { OAuthSettings } from "../../../freight/upstream/oauth.ts";
import type { IdentifierType, Reference } from "../../../freight/references/reference.ts";
import { adviceOn } from "../../../freight/source-check/advice.ts";
import {
  answerText,
  requestsOf,
  watchHttp,
  type Exchange,
  type WatchedHttp,
} from "../../../freight/source-check/exchanges.ts";
import { createSteps, type CheckPorts } from "../../../freight/source-check/run-steps.ts";
import type { Mask } from "../../../freight/source-check/secrets.ts";
import { failed, passed, skipped, type CheckStep, type StepEnd } from "../../../freight/source-check/step.ts";
import type { NoAnswer } from "../../../freight/upstream/no-answer.ts";
import { createCarrierClient } from "../sources/carrier-client.ts";
import type { Carrier } from "../sources/carriers.ts";
import { askingOf } from "../sources/dcsa/question.ts";
import type { KnownReferences } from "../sources/known-references.ts";
import { pollCarriers, type CarrierReply } from "../sources/poll-carriers.ts";
import { CARRIER, CARRIER_ADVICE, maskOf } from "./carrier-words.ts";
import { outcomeOf, type Outcome } from "./outcome.ts";
import { recordAnswers } from "./recording.ts";

export type CarrierCheck = {
  readonly scac: string;
  readonly name: string;
  readonly passed: boolean;
  readonly steps: readonly CheckStep[];
  /** Null where no answer had events. */
  readonly outcome: Outcome | null;
  /** The file that keeps the answer. */
  readonly recorded: string | null;
};

export type Asked = {
  /** Null: a number that no carrier knows, to see whether the credentials are accepted. */
  readonly reference: Reference | null;
  /** Its other references, for carriers that want two. */
  readonly others: KnownReferences;
  /** The folder to keep answers in. */
  readonly record: string | null;
  /** The id of the account to ask for; null: none. */
  readonly account: string | null;
};

/** A valid number of no owner, and a booking of nobody, for a carrier that knows no other. */
const NOBODYS: readonly (Reference & { readonly type: IdentifierType })[] = [
  { text: "ZZZU0000005", type: "container_id" },
  { text: "ZZZZ00000000", type: "booking" },
  { text: "ZZZZ00000000", type: "bill_of_lading" },
];
const NOBODYS_OTHERS: KnownReferences = {
  container_id: ["ZZZU0000005"],
  bill_of_lading: ["ZZZZ00000000"],
  booking: ["ZZZZ00000000"],
};
const QUESTION_MS_MAX = 120_000;

export async function checkCarrier(ports: CheckPorts, carrier: Carrier, asked: Asked): Promise<CarrierCheck> {
  const mask = maskOf(carrier);
  const oauth =
    (asked.account === null ? undefined : carrier.accounts?.[asked.account]?.oauth) ?? carrier.oauth;
  const signIns = [oauth, carrier.oauth].filter((one) => one !== undefined);
  const watched = watchHttp(ports.http, signIns, mask);
  const steps = createSteps(ports, CARRIER);
  const unreachable = await steps.reach(serversOf(carrier, oauth));
  // Port calls are beside the question: their server may be down.
  const isReachable = ![carrier.baseUrl, oauth?.tokenUrl].some(
    (url) => url !== undefined && unreachable.has(new URL(url).origin),
  );
  const isSignedIn = isReachable && (await steps.signIn({ oauth, watched, mask }));
  const reference = asked.reference ?? nobodysOf(carrier, asked.account);
  const from = watched.exchanges.length;
  let reply: CarrierReply | null = null;
  await steps.run("question", reference.text, async () => {
    if (!isSignedIn) return skipped("not asked: a step before it failed");
    const others = asked.reference === null ? NOBODYS_OTHERS : asked.others;
    reply = await ask(ports, carrier, watched, { ...reference, account: asked.account, others });
    const questions = watched.exchanges.slice(from).filter((one) => isOfQuestion(carrier, one));
    return {
      ...questionEnd(reply, questions, asked.reference !== null, mask),
      asked: requestsOf(questions, mask),
    };
  });
  const kept =
    asked.record === null
      ? null
      : await recordAnswers(asked.record, carrier, reference.text, watched.exchanges.slice(from), mask);
  return {
    scac: carrier.scac,
    name: carrier.name,
    passed: steps.done.every(({ result }) => result !== "failed"),
    steps: steps.done,
    outcome: await outcome(ports, reply, reference.text),
    recorded: kept,
  };
}

function nobodysOf(carrier: Carrier, account: string | null): Reference {
  const askable = NOBODYS.find(
    ({ text, type }) =>
      askingOf(
        carrier,
        { reference: text, type, ...(account === null ? {} : { account }) },
        NOBODYS_OTHERS,
      ) !== null,
  );
  return askable ?? NOBODYS[0]!;
}

/** The API's first. */
function serversOf({ baseUrl, portCalls }: Carrier, oauth: OAuthSettings | undefined): readonly URL[] {
  return [baseUrl, oauth?.tokenUrl, portCalls?.baseUrl].flatMap((url) =>
    url === undefined ? [] : [new URL(url)],
  );
}

async function ask(
  ports: CheckPorts,
  carrier: Carrier,
  { http }: WatchedHttp,
  { text, type, account, others }: Reference & Pick<Asked, "account" | "others">,
): Promise<CarrierReply | null> {
  const { clock } = ports;
  const client = createCarrierClient({ ...ports, carriers: [carrier], http });
  const sought = {
    reference: text,
    identifierType: type,
    carrier: null,
    readOthers: async () => others,
    ...(account === null ? {} : { accountId: account }),
  };
  const deadlineMs = clock.monotonicMs() + QUESTION_MS_MAX;
  const [reply] = await pollCarriers(
    { client, clock },
    sought,
    { likely: [carrier], others: [] },
    deadlineMs,
  );
  return reply ?? null;
}

/** Neither a token nor a port call, which is asked for beside it. */
function isOfQuestion({ baseUrl, portCalls }: Carrier, { isToken, url }: Exchange): boolean {
  if (isToken || portCalls === undefined) return !isToken;
  const [question, calls] = [baseUrl, portCalls.baseUrl].map(
    (base) => new URL(`${withoutTrailingSlashes(base)}/`).href,
  ) as [string, string];
  if (!url.href.startsWith(calls)) return true;
  const isBelowCalls = !url.href.startsWith(question) || calls.length > question.length;
  return !isBelowCalls && !url.searchParams.has("vesselIMONumber");
}

function questionEnd(
  reply: CarrierReply | null,
  asked: readonly Exchange[],
  isKnown: boolean,
  mask: Mask,
): StepEnd {
  const last = asked.at(-1);
  const advice = (no: NoAnswer): string => adviceOn(no, CARRIER, CARRIER_ADVICE, last?.answer);
  if (reply === null)
    return failed(
      "no answer in time",
      advice({ kind: "unavailable", reason: "timeout", retryAfterMs: null }),
    );
  const { answer } = reply;
  const came = answerText(last, mask, answer.kind === "events" || answer.kind === "unchanged");
  switch (answer.kind) {
    case "events":
      return passed(
        `${came}, ${answer.events.length} events on ${pagesText(asked)} by ${(reply as { type: string }).type}`,
        answer.incomplete === true ? CUT : null,
      );
    case "unchanged":
      return passed(came);
    case "not_found":
      if (last === undefined) return failed(came, NOT_ASKABLE);
      if (isKnown) return failed(`${came}: not found`, advice(answer));
      return passed(
        `${came}: nobody has this number, so that no answer is as it should be`,
        "Ask about a real one with --reference: a wrong path may look the same.",
      );
    case "lacking":
      return failed(
        "not asked",
        `The carrier can only be asked with a second reference of kind ${answer.needs}: give it with --with, or ask about another kind.`,
      );
    case "not_permitted":
      return failed(came, advice(answer));
    case "unavailable":
      return failed(`${answer.reason}: ${came}`, advice(answer));
  }
}

const CUT =
  "The answer is cut: what it leaves out stays unknown. Say in `question.split` how the carrier can be asked for parts.";

const NOT_ASKABLE =
  "This carrier is not asked for this kind of reference, or for accounts alone: see `question.references`, and --account.";

function pagesText(exchanges: readonly Exchange[]): string {
  const pages = exchanges.filter(({ answer }) => answer.kind === "answered" && answer.status === 200).length;
  return pages === 1 ? "one page" : `${pages} pages`;
}

async function outcome(
  ports: CheckPorts,
  reply: CarrierReply | null,
  reference: string,
): Promise<Outcome | null> {
  if (reply?.kind !== "found" || reply.answer.kind !== "events") return null;
  return outcomeOf(ports, { ...reply, answer: reply.answer }, reference);
}
