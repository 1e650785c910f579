/** How carriers are tried: `boathook carriers check`. */
import { CommandError } from "../../../cli/command.ts";
import { uuid } from "../../../cli/options.ts";
import type { Column } from "../../../cli/print.ts";
import { spellingWith } from "../../../freight/dcsa/spelling.ts";
import { readReference, type IdentifierType, type Reference } from "../../../freight/references/reference.ts";
import type { Came, CheckedKind, Secrets } from "../../../freight/source-check/check.ts";
import { checkCommand } from "../../../freight/source-check/check-command.ts";
import type { Exchange } from "../../../freight/source-check/exchanges.ts";
import type { Kept } from "../../../freight/source-check/kept-answers.ts";
import { lifeText } from "../../../freight/source-check/report.ts";
import { secretsAmong, withoutSecrets } from "../../../freight/source-check/secrets.ts";
import { failed, passed, type CheckPorts, type StepEnd } from "../../../freight/source-check/step.ts";
import { parseJson } from "../../../model/json.ts";
import { withoutTrailingSlashes } from "../../../runtime/trailing-slashes.ts";
import { OCEAN_SETTINGS } from "../settings.ts";
import { createCarrierClient } from "../sources/carrier-client.ts";
import { billPrefixes, carrierNamed, readCarriers, type Carrier } from "../sources/carriers.ts";
import { eventList } from "../sources/dcsa/parse.ts";
import { askingOf } from "../sources/dcsa/question.ts";
import { NOTHING_KNOWN, type KnownReferences } from "../sources/known-references.ts";
import { pollCarriers, type CarrierReply } from "../sources/poll-carriers.ts";
import type { EventView } from "../tracking/container-schema.ts";
import { outcomeOf, type Outcome } from "./outcome.ts";

export type AskedCarrier = {
  /** Null: a number that no carrier knows, to see whether the credentials are accepted. */
  readonly reference: Reference | null;
  /** Its other references, for carriers that want two. */
  readonly others: KnownReferences;
  /** The id of the account to ask for; null: none. */
  readonly account: string | null;
};

type Who = Pick<Carrier, "scac" | "name">;

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

/** Null: no answer in time. */
type Reply = CarrierReply | null;

export const CARRIER_CHECK: CheckedKind<Carrier, AskedCarrier, Reply, Outcome, Who> = {
  words: { whom: "carrier", file: "carriers file", subject: "reference", address: "baseUrl" },
  advice: [
    [
      /^(?:not_json|not_events)$/,
      "The answer holds no list of events: check baseUrl, or name the list in `spelling.envelopes`.",
    ],
    [/^unreadable$/, "No event could be read: describe the carrier's fields in `spelling`."],
    [
      /^next_page|^too_many/,
      "The answer is not whole, and half an answer counts as none: ask by container, or set `limit`.",
    ],
    [
      /^answer_cut$/,
      "The answer is cut, and the part that came is of others: ask by container, or say in `question.split` how the carrier can be asked for parts.",
    ],
    [/^too_large$/, "The answer is larger than Boathook reads: ask by container."],
  ],
  whoOf: ({ scac, name }) => ({ scac, name }),
  apisOf(carrier, asked) {
    const { baseUrl, portCalls, accounts = {} } = carrier;
    const oauth = (asked.account === null ? undefined : accounts[asked.account]?.oauth) ?? carrier.oauth;
    const reference = referenceOf(carrier, asked);
    return [
      {
        of: reference.text,
        secrets: secretsOf(carrier),
        servers: [baseUrl],
        ...(portCalls === undefined ? {} : { besides: [portCalls.baseUrl] }),
        oauth,
        signIns: carrier.oauth === undefined ? [] : [carrier.oauth],
        isOfQuestion: (exchange) => isOfQuestion(carrier, exchange),
        isNobodys: asked.reference === null ? "--reference" : null,
        ask: (ports) => ask(ports, carrier, reference, asked),
        endOf,
        entry: carrier,
      },
    ];
  },
  async outcomeOf([reply = null], { ports, entry, about }) {
    if (reply?.kind !== "found" || reply.answer.kind !== "events") return null;
    return outcomeOf(ports, { ...reply, answer: reply.answer }, referenceOf(entry, about).text);
  },
  file: {
    nameOf: (carrier, about) => `${carrier.scac}-${referenceOf(carrier, about).text}`,
    keep: eventsOf,
    read: null,
  },
};

function referenceOf(carrier: Carrier, { reference, account }: AskedCarrier): Reference {
  const isAskable = ({ text, type }: (typeof NOBODYS)[number]): boolean => {
    const asked = { reference: text, type, ...(account === null ? {} : { account }) };
    return askingOf(carrier, asked, NOBODYS_OTHERS) !== null;
  };
  return reference ?? NOBODYS.find(isAskable) ?? NOBODYS[0]!;
}

export function secretsOf({
  headers,
  apiKeys,
  oauth,
  parameters = {},
  accounts = {},
  callbackSecrets = [],
  portCalls,
  signature,
}: Carrier): Secrets {
  const ofAccounts = Object.values(accounts);
  const signIns = ofAccounts.flatMap((account) => [account.headers, account.oauth]);
  const ofQuestion = [parameters, ...ofAccounts.map((account) => account.parameters ?? {})];
  const ofSignature = signature === undefined ? [] : [signature.secret, ...keysIn(signature.headers)];
  return {
    credentials: [headers, portCalls?.headers, apiKeys, oauth, ...signIns],
    others: [
      ...secretsAmong(ofQuestion.flatMap((one) => Object.entries(one))),
      ...ofSignature,
      ...callbackSecrets,
    ],
  };
}

/** What stands between quotation marks in a header of a signature without a placeholder: the name that signs. */
function keysIn(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.values(headers).flatMap((value) =>
    [...value.matchAll(/(?:username|keyId)="([^"{}]+)"/gi)].flatMap(([, key]) => key ?? []),
  );
}

async function ask(
  { log: _, ...ports }: CheckPorts,
  carrier: Carrier,
  { text, type }: Reference,
  { reference, account, others }: AskedCarrier,
): Promise<Reply> {
  const { clock } = ports;
  const client = createCarrierClient({ ...ports, carriers: [carrier] });
  const sought = {
    reference: text,
    identifierType: type,
    carrier: null,
    readOthers: async () => (reference === null ? NOBODYS_OTHERS : others),
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

/** Not a port call, which is asked for beside it. */
function isOfQuestion({ baseUrl, portCalls }: Carrier, { url }: Exchange): boolean {
  if (portCalls === undefined) return true;
  const [question, calls] = [baseUrl, portCalls.baseUrl].map(
    (base) => new URL(`${withoutTrailingSlashes(base)}/`).href,
  ) as [string, string];
  if (!url.href.startsWith(calls)) return true;
  const isBelowCalls = !url.href.startsWith(question) || calls.length > question.length;
  return !isBelowCalls && !url.searchParams.has("vesselIMONumber");
}

function endOf(reply: Reply, came: Came): StepEnd {
  if (reply === null)
    return failed(
      "no answer in time",
      came.advice({ kind: "unavailable", reason: "timeout", retryAfterMs: null }),
    );
  if (reply.kind === "found") {
    if (reply.answer.kind === "unchanged") return passed(came.text(true));
    const { events, incomplete } = reply.answer;
    const read = `${events.length} events on ${pagesText(came.questions)} by ${reply.type}`;
    return passed(`${came.text(true)}, ${read}`, incomplete === true ? CUT : null);
  }
  const { answer } = reply;
  if (answer.kind === "lacking")
    return failed(
      "not asked",
      `The carrier can only be asked with a second reference of kind ${answer.needs}: give it with --with, or ask about another kind.`,
    );
  const isUnasked = answer.kind === "not_found" && came.last === undefined;
  return isUnasked ? failed(came.text(), NOT_ASKABLE) : came.noAnswer(answer);
}

const CUT =
  "The answer is cut: what it leaves out stays unknown. Say in `question.split` how the carrier can be asked for parts.";

const NOT_ASKABLE =
  "This carrier is not asked for this kind of reference, or for accounts alone: see `question.references`, and --account.";

function pagesText(exchanges: readonly Exchange[]): string {
  const pages = exchanges.filter(({ answer }) => answer.kind === "answered" && answer.status === 200).length;
  return pages === 1 ? "one page" : `${pages} pages`;
}

/** As `boathook replay` takes them: the events alone. */
function eventsOf({ entry, asked }: Pick<Kept<Carrier, AskedCarrier>, "entry" | "asked">): unknown {
  const spelling = spellingWith(entry.spelling);
  const events = asked.flatMap(({ exchanges, mask }) =>
    exchanges.flatMap(({ isToken, answer }) => {
      const isRead = !isToken && answer.kind === "answered" && answer.status === 200;
      const list = isRead ? (eventList(parseJson(answer.body), spelling) ?? []) : [];
      return withoutSecrets(list, (text) => withoutQueries(mask.hide(text)));
    }),
  );
  return events.length === 0 ? null : events;
}

/** Addresses in an answer may repeat the question's keys. */
function withoutQueries(text: string): string {
  return text.replaceAll(/(https?:\/\/[^\s"?\\]{1,1000})\?[^\s"\\]{0,4000}/g, "$1");
}

const EVENTS: readonly Column<EventView>[] = [
  ["TIME", ({ event_date_time }) => event_date_time],
  ["", ({ classifier }) => classifier],
  ["BOX", ({ equipment_reference }) => equipment_reference],
  ["EVENT", ({ name }) => name],
  ["PLACE", ({ place }) => place?.unlocode ?? place?.name ?? null],
  ["VESSEL", ({ vessel }) => vessel?.name ?? null],
];

type Typed = { readonly reference?: string; readonly with?: string; readonly account?: string };

export const carriersCheck = checkCommand<Carrier, AskedCarrier, Reply, Outcome, Who, Typed>(CARRIER_CHECK, {
  one: "carrier",
  many: "carriers",
  setting: OCEAN_SETTINGS.carriersFile,
  guide: "docs/carriers.md",
  readEntries: readCarriers,
  question: "one question",
  without: "Without a SCAC, all carriers; without --reference, about a number that nobody has.",
  examples: [
    "boathook carriers check",
    "boathook carriers check MAEU --reference MSKU1234565 --record answers",
  ],
  argument: ["[scac]"],
  options: [
    ["--reference <text>", "a container, bill of lading or booking that you may track"],
    ["--with <text>", "another reference of it, for a carrier that can only be asked with two"],
    ["--account <id>", "ask with what the file says of an account", uuid],
  ],
  recordFor: ", for boathook replay",
  key: "SCAC",
  keyOf: ({ scac }) => scac,
  named: (carriers, scac) => [carrierNamed(carriers, scac.toUpperCase())].filter((one) => one !== null),
  aboutOf: ({ reference, with: other, account = null }, carriers) => ({
    reference: reference === undefined ? null : typedReference("--reference", reference, carriers),
    others: other === undefined ? NOTHING_KNOWN : othersOf(typedReference("--with", other, carriers)),
    account,
  }),
  refuse(chosen, { account }) {
    if (account !== null && !chosen.some(({ accounts = {} }) => Object.hasOwn(accounts, account)))
      throw new CommandError(
        "--account: no entry has this id in `accounts`; without the option, you ask as accounts that have none.",
      );
  },
  nameOf: ({ scac }) => scac,
  titleOf: ({ scac, name }) => `${scac} ${name}`,
  printed({ shipment, raised, skipped, events }) {
    const reasons = Map.groupBy(skipped, ({ reason }) => reason);
    const known = [
      ["Reference", `${shipment.reference} (${shipment.identifier_type ?? "type not known"})`],
      ["Status", shipment.status],
      ["ETA", shipment.eta],
      ["Boxes", shipment.boxes.length],
      ["Read", `${events} events, ${skipped.length} skipped`],
      ...[...reasons].map(
        ([reason, those]) => ["Skipped", `${reason}: ${those.map(({ index }) => index).join(", ")}`] as const,
      ),
    ] as const;
    return lifeText(known, shipment.events, EVENTS, raised);
  },
});

function typedReference(option: string, text: string, carriers: readonly Carrier[]): Reference {
  const read = readReference(text, billPrefixes(carriers));
  if (read.kind === "invalid") throw new CommandError(`${option}: ${read.message}.`);
  return read;
}

/** A document may be of either kind. */
function othersOf({ type, text }: Reference): KnownReferences {
  if (type === "container_id") return { ...NOTHING_KNOWN, container_id: [text] };
  return { ...NOTHING_KNOWN, bill_of_lading: [text], booking: [text] };
}
