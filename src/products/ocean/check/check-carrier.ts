/**
 * Tries one carrier's entry step by step, as polling uses it:
 *
 *     name, TLS of each server ─▶ token ─▶ one question ─▶ what the answer becomes
 *
 * A step that fails ends its branch: what depends on it is skipped.
 */
import { createOAuth, type OAuthSettings } from "../../../freight/upstream/oauth.ts";
import type { HttpPort } from "../../../freight/upstream/http.ts";
import type { IdentifierType, Reference } from "../../../freight/references/reference.ts";
import type { Clock } from "../../../runtime/clock.ts";
import type { Log } from "../../../runtime/log.ts";
import type { Random } from "../../../runtime/random.ts";
import { createCarrierClient } from "../sources/carrier-client.ts";
import type { Carrier } from "../sources/carriers.ts";
import { askingOf } from "../sources/dcsa/question.ts";
import type { KnownReferences } from "../sources/known-references.ts";
import { pollCarriers, type CarrierReply } from "../sources/poll-carriers.ts";
import { adviceOn } from "./advice.ts";
import { checkName, checkTls } from "./connection.ts";
import { answerText, watchHttp, type Exchange, type WatchedHttp } from "./exchanges.ts";
import { outcomeOf, type Outcome } from "./outcome.ts";
import { recordAnswers } from "./recording.ts";
import { createMask, type Mask } from "./secrets.ts";
import { failed, passed, skipped, type CheckStep, type StepEnd, type StepName } from "./step.ts";

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

export type CheckPorts = {
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly random: Pick<Random, "fraction">;
  readonly log: Pick<Log, "error">;
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
  const mask = createMask(carrier);
  const oauth =
    (asked.account === null ? undefined : carrier.accounts?.[asked.account]?.oauth) ?? carrier.oauth;
  const signIns = [oauth, carrier.oauth].filter((one) => one !== undefined);
  const watched = watchHttp(ports.http, signIns, mask);
  const steps: CheckStep[] = [];
  const run = async (step: StepName, of: string, work: () => Promise<StepEnd>): Promise<boolean> => {
    const fromMs = ports.clock.monotonicMs();
    const end = await work();
    steps.push({ step, of, ...end, tookMs: Math.round(ports.clock.monotonicMs() - fromMs) });
    return end.result !== "failed";
  };
  const unreachable = new Set<string>();
  for (const url of serversOf(carrier, oauth)) {
    const isNamed = await run("name", url.hostname, () => checkName(url, ports.clock));
    const isSafe = isNamed && (await run("tls", url.host, () => checkTls(url, ports.clock)));
    if (!isSafe) unreachable.add(url.origin);
  }
  // Port calls are beside the question: their server may be down.
  const isReachable = ![carrier.baseUrl, oauth?.tokenUrl].some(
    (url) => url !== undefined && unreachable.has(new URL(url).origin),
  );
  const isSignedIn =
    oauth === undefined ||
    (isReachable &&
      (await run("token", new URL(oauth.tokenUrl).host, () => token(ports, oauth, watched, mask))));
  const reference = asked.reference ?? nobodysOf(carrier, asked.account);
  const from = watched.exchanges.length;
  let reply: CarrierReply | null = null;
  await run("question", reference.text, async () => {
    if (!isReachable || !isSignedIn) return skipped("not asked: a step before it failed");
    const others = asked.reference === null ? NOBODYS_OTHERS : asked.others;
    reply = await ask(ports, carrier, watched, { ...reference, account: asked.account, others });
    return questionEnd(reply, watched.exchanges.slice(from), asked.reference !== null, mask);
  });
  const kept =
    asked.record === null
      ? null
      : await recordAnswers(asked.record, carrier, reference.text, watched.exchanges.slice(from), mask);
  return {
    scac: carrier.scac,
    name: carrier.name,
    passed: steps.every(({ result }) => result !== "failed"),
    steps,
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

/** Each once, the API's first. */
function serversOf({ baseUrl, portCalls }: Carrier, oauth: OAuthSettings | undefined): readonly URL[] {
  const urls = [baseUrl, oauth?.tokenUrl, portCalls?.baseUrl].flatMap((url) =>
    url === undefined ? [] : [new URL(url)],
  );
  return urls.filter((url, index) => urls.findIndex(({ origin }) => origin === url.origin) === index);
}

async function token(
  ports: CheckPorts,
  oauth: OAuthSettings,
  { http, exchanges }: WatchedHttp,
  mask: Mask,
): Promise<StepEnd> {
  const answer = await createOAuth(oauth, { ...ports, http }).token();
  const last = exchanges.at(-1);
  const came = last === undefined ? "nothing was sent" : answerText(last.answer, mask);
  if (answer.kind === "token") return passed(`a token of ${answer.value.length} characters`);
  if (answer.kind === "failed") {
    return failed(`${answer.reason}: ${came}`, adviceOn({ ...answer, kind: "unavailable" }));
  }
  return failed(
    came,
    "The token endpoint refuses the id or the secret: check both, and that they have not expired.",
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

function questionEnd(
  reply: CarrierReply | null,
  exchanges: readonly Exchange[],
  isKnown: boolean,
  mask: Mask,
): StepEnd {
  const asked = exchanges.filter(({ isToken }) => !isToken);
  const last = asked.at(-1);
  const came = last === undefined ? "nothing was sent" : answerText(last.answer, mask);
  if (reply === null)
    return failed(
      "no answer in time",
      adviceOn({ kind: "unavailable", reason: "timeout", retryAfterMs: null }),
    );
  const { answer } = reply;
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
      if (isKnown) return failed(`${came}: not found`, adviceOn(answer));
      return passed(
        `${came}: nobody has this number, so that no answer is as it should be`,
        "Ask about a real one with --reference: a wrong path may look the same.",
      );
    case "lacking":
      return failed("not asked", adviceOn(answer));
    case "not_permitted":
      return failed(came, adviceOn(answer));
    case "unavailable":
      return failed(`${answer.reason}: ${came}`, adviceOn(answer));
  }
}

const CUT =
  "The answer is cut: what it leaves out stays unknown. Say in `question.split` how the carrier can be asked for parts.";

const NOT_ASKABLE =
  "This carrier is not asked for this kind of reference, or for accounts alone: see `question.references`, and --account.";

function pagesText(asked: readonly Exchange[]): string {
  const pages = asked.filter(({ answer }) => answer.kind === "answered" && answer.status === 200).length;
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
