/** The carriers file: which APIs are polled, and how. The only place where carriers differ. */
import { asOfField } from "../../../freight/sources/as-of.ts";
import { type Static, Type } from "typebox";
import { signatureProblems, SignatureSchema } from "../../../freight/upstream/signature.ts";
import {
  HeadersSchema,
  ParametersSchema,
  QuotaSchema,
  upstreamFields,
} from "../../../freight/upstream/upstream-schema.ts";
import {
  AccountsSchema,
  KINDS,
  type Paging,
  PagingSchema,
  placeholderOf,
  type Question,
  QuestionSchema,
} from "./question-schema.ts";
import { entryOf, shippedCatalogue, type Catalogue } from "../../../freight/source-catalogue/carriers.ts";
import { filledEntry, type Filled } from "../../../freight/source-catalogue/fill-entry.ts";
import { createFileReader } from "../../../freight/source-catalogue/source-file.ts";
import type { JsonObject } from "../../../model/json.ts";
import { BILL_PREFIXES, sameLineAs } from "../../../freight/references/owner-codes.ts";

const Address = Type.String({
  pattern: "^https?://[^\\s?#@]+$",
  form: "a URL that begins with https:// or http://, without user, query and fragment",
  maxLength: 1024,
});

const Spellings = <const Value extends string>(...values: readonly Value[]) =>
  Type.Optional(Type.Record(Type.String(), Type.Union(values.map((value) => Type.Literal(value)))));

const SpellingSchema = Type.Object(
  {
    envelopes: Type.Optional(Type.Array(Type.String(), { maxItems: 20 })),
    fields: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String(), { maxItems: 20 }))),
    classifiers: Spellings("actual", "estimated", "planned"),
    modes: Spellings("vessel", "rail", "truck", "barge"),
    emptiness: Spellings("laden", "empty"),
  },
  { additionalProperties: false, description: "How the carrier's spelling differs; see `dcsa/spelling.ts`." },
);

const CarrierSchema = Type.Object(
  {
    scac: Type.String({
      pattern: "^[A-Z]{2,4}$",
      form: "two to four capital letters",
      description: "Standard Carrier Alpha Code",
    }),
    name: Type.String({ minLength: 1, maxLength: 100 }),
    api: Type.Union([
      Type.Literal("dcsa-tnt-1.1"),
      Type.Literal("dcsa-tnt-2.2"),
      Type.Literal("dcsa-tnt-3.0"),
    ]),
    baseUrl: Type.Unsafe<string>({ ...Address, description: "The URL before the question's path." }),
    ...upstreamFields,
    signature: Type.Optional(SignatureSchema),
    question: Type.Optional(QuestionSchema),
    paging: Type.Optional(PagingSchema),
    accounts: Type.Optional(AccountsSchema),
    accountsOnly: Type.Optional(
      Type.Boolean({ description: "Polled for shipments of the accounts in `accounts` only." }),
    ),
    parameters: Type.Optional(
      Type.Unsafe<Static<typeof ParametersSchema>>({
        ...ParametersSchema,
        description: "Further query parameters of every request; an empty one removes a default.",
      }),
    ),
    requestsMax: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: "Open requests a node." }),
    ),
    callbackSecrets: Type.Optional(
      Type.Array(
        Type.String({ pattern: "^[A-Za-z0-9+/]{22,1366}={0,2}$", form: "base64 of 16 bytes or more" }),
        {
          minItems: 1,
          maxItems: 4,
          description:
            "Base64, 16 bytes or more: the secrets that sign its callbacks. Several during a rotation.",
        },
      ),
    ),
    portCalls: Type.Optional(
      Type.Object(
        {
          baseUrl: Address,
          headers: Type.Optional(HeadersSchema),
          quota: Type.Optional(QuotaSchema),
        },
        { additionalProperties: false, description: "Its Port Call 2.0 API." },
      ),
    ),
    billPrefixes: Type.Optional(
      Type.Array(Type.String({ pattern: "^[A-Z]{4}$", form: "four capital letters" }), {
        description: "Prefixes of its bills of lading besides its SCAC.",
      }),
    ),
    ownerCodes: Type.Optional(
      Type.Array(Type.String({ pattern: "^[A-Z]{3}[UJZ]$", form: "three capital letters and U, J or Z" }), {
        description: "Owner codes of its own containers.",
      }),
    ),
    asOf: asOfField("Which clock estimates are compared with: `answer-date` for a replayed carrier."),
    spelling: Type.Optional(SpellingSchema),
  },
  { additionalProperties: false },
);

export type Carrier = Static<typeof CarrierSchema>;

export const readCarriers = createFileReader<Carrier, Catalogue>({
  name: "carriers",
  entry: CarrierSchema,
  entriesMax: 200,
  shipped: shippedCatalogue,
  namedBy: "carrier",
  fill: filledFrom,
  problemsOf: (carrier, place) => [
    ...unusableUrls(carrier, place),
    ...questionProblems(carrier, place),
    ...signatureProblems(carrier.signature, place),
  ],
  keysOf: ({ scac }) => [scac],
  twice: (scac) => `carrier ${scac} is listed twice`,
});

function filledFrom({ carrier, ...given }: JsonObject, catalogue: Catalogue): Filled {
  const known = typeof carrier === "string" ? entryOf(catalogue, carrier) : null;
  if (known === null) {
    return { problems: ["carrier must be a SCAC that `boathook carriers catalogue` lists"] };
  }
  const { scac, name, entry, unsupported } = known;
  if (unsupported !== undefined) return { problems: [`carrier cannot be polled: ${unsupported}`] };
  return filledEntry(known, { scac, name, ...entry }, given);
}

function unusableUrls({ baseUrl, portCalls }: Carrier, place: string): readonly string[] {
  return [
    { name: "baseUrl", url: baseUrl },
    { name: "portCalls/baseUrl", url: portCalls?.baseUrl },
  ].flatMap(({ name, url }) =>
    url === undefined || URL.canParse(url) ? [] : [`${place}/${name} is no URL`],
  );
}

/** The prefixes that identify a reference as a bill of lading. */
export function billPrefixes(carriers: readonly Carrier[]): readonly string[] {
  return carriers.flatMap(({ scac, billPrefixes: own = [] }) => (scac.length === 4 ? [scac, ...own] : own));
}

/** What stays of a bill of lading without its prefix. */
const BARE_LENGTH_MIN = 5;

/**
 * A bill of lading as written, and as this carrier may know it: without a prefix of its own, or with its SCAC before
 * a bare number. `prefixes` begin bills of other carriers.
 */
export function billForms(
  carrier: Carrier,
  reference: string,
  prefixes: readonly string[],
): readonly string[] {
  const { scac, billPrefixes: own } = carrier;
  const start = reference.slice(0, 4);
  if ([scac, ...(own ?? []), ...sameLineAs(scac)].includes(start)) {
    const bare = reference.slice(start.length);
    return bare.length < BARE_LENGTH_MIN ? [reference] : [reference, bare];
  }
  const isWrittenWithScac = own !== undefined || BILL_PREFIXES.includes(scac);
  const isBare = ![...BILL_PREFIXES, ...prefixes].includes(start);
  return isWrittenWithScac && isBare ? [reference, `${scac}${reference}`] : [reference];
}

/** By its SCAC, a prefix of its bills of lading, or another code of the same line (`MEDU` for `MSCU`, `HLXU` for `HLCU`). */
export function carrierNamed(carriers: readonly Carrier[], scac: string): Carrier | null {
  const line = sameLineAs(scac);
  return (
    carriers.find((carrier) => carrier.scac === scac) ??
    carriers.find((carrier) => carrier.billPrefixes?.includes(scac)) ??
    carriers.find((carrier) => line.includes(carrier.scac)) ??
    null
  );
}

/** The carriers that the first four letters point to, by the configuration first. */
export function likelyCarriers(carriers: readonly Carrier[], reference: string): readonly Carrier[] {
  const start = reference.slice(0, 4);
  const owners = sameLineAs(start);
  const configured = carriers.filter(
    (one) => one.scac === start || one.billPrefixes?.includes(start) || one.ownerCodes?.includes(start),
  );
  const known = carriers.filter((carrier) => owners.includes(carrier.scac) && !configured.includes(carrier));
  return [...configured, ...known];
}

/** `place` is a JSON Pointer. */
function questionProblems(
  {
    question = {},
    paging,
    parameters = {},
  }: {
    readonly question?: Question | undefined;
    readonly paging?: Paging | undefined;
    readonly parameters?: Readonly<Record<string, string>> | undefined;
  },
  place: string,
): readonly string[] {
  const { path = "", references = {}, limit, split } = question;
  const problems: string[] = [];
  const state = (inside: string, problem: string): number => problems.push(`${place}/${inside} ${problem}`);
  if (hasOtherPlaceholder(path)) state("question/path", NO_PLACEHOLDER);
  const kinds = Object.entries(references);
  if (KINDS.every((kind) => references[kind] === null))
    state("question/references", "leave no kind to ask for");
  for (const [kind, written] of kinds) {
    for (const one of [written].flat()) {
      if (one === null) continue;
      const templates = [one.path ?? path, ...Object.values(one.parameters ?? {})];
      if (templates.some(hasOtherPlaceholder)) state(`question/references/${kind}`, NO_PLACEHOLDER);
      const isAsked = one.parameters === undefined && one.path === undefined;
      if (!isAsked && !templates.some((template) => /[{}]/.test(template)))
        state(`question/references/${kind}`, "has no {reference}");
    }
  }
  if (split !== undefined) {
    const isLimited = limit !== undefined || /^[1-9]\d{0,5}$/.test(parameters["limit"] ?? "");
    if (!isLimited) state("question/split", "needs a limit, which shows that an answer is cut");
    if ((split.parameter === undefined) !== (split.values === undefined))
      state("question/split", "must have parameter and values together");
  }
  if (paging?.by === "cursor" && (paging.header === undefined) === (paging.body === undefined))
    state("paging", "must have either header or body");
  return problems;
}

const PLACEHOLDERS = ["{reference}", ...KINDS.map(placeholderOf)];

const NO_PLACEHOLDER = `may have no placeholder but ${PLACEHOLDERS.join(", ")}`;

function hasOtherPlaceholder(template: string): boolean {
  return /[{}]/.test(PLACEHOLDERS.reduce((rest, name) => rest.replaceAll(name, ""), template));
}
