/** The first page of a carrier's answer: address and headers, by DCSA's version and by what the carrier's entry says. */
import { withoutTrailingSlashes } from "../../../../runtime/trailing-slashes.ts";
import { mergeHeaders } from "../../../../freight/upstream/headers.ts";
import type { IdentifierType } from "../../../../freight/references/reference.ts";
import type { Carrier } from "../carriers.ts";

export type Question = { readonly url: URL; readonly headers: Readonly<Record<string, string>> };

export type Asked = {
  readonly type: IdentifierType;
  readonly reference: string;
  /** The id of the account whose shipment it is. */
  readonly account?: string | undefined;
};

type Parameters = Readonly<Record<string, string>>;
type ReferenceNames = { readonly [type in IdentifierType]: string };

type ApiQuestion = {
  readonly references: ReferenceNames;
  readonly parameters: Parameters;
  readonly headers: Readonly<Record<string, string>>;
};

const REFERENCE_NAMES: ReferenceNames = {
  container_id: "equipmentReference",
  bill_of_lading: "transportDocumentReference",
  booking: "carrierBookingReference",
};

const API_QUESTIONS: { readonly [api in Carrier["api"]]: ApiQuestion } = {
  "dcsa-tnt-1.1": {
    references: { ...REFERENCE_NAMES, bill_of_lading: "billOfLadingNumber", booking: "bookingReference" },
    parameters: {},
    headers: {},
  },
  // `API-Version` is optional, and carriers disagree on its meaning.
  "dcsa-tnt-2.2": { references: REFERENCE_NAMES, parameters: {}, headers: {} },
  // Without this list, 3.0 also answers with all sensor readings of a box.
  "dcsa-tnt-3.0": {
    references: REFERENCE_NAMES,
    parameters: { eventTypes: "SHIPMENT,TRANSPORT,EQUIPMENT" },
    headers: { "api-version": "3.0.0" },
  },
};

const PATH_DEFAULT = "/events";
const PAGE_DEFAULT = 1;

/** Null: this carrier cannot be asked for it. */
export function questionOf(carrier: Carrier, { type, reference, account }: Asked): Question | null {
  const { question = {}, accounts = {}, accountsOnly = false } = carrier;
  const own = account === undefined ? undefined : accounts[account];
  if (accountsOnly && own === undefined) return null;
  const asked = question.references?.[type];
  if (asked === null) return null;
  const api = API_QUESTIONS[carrier.api];
  const path = asked?.path ?? question.path ?? PATH_DEFAULT;
  const named = path.includes(PLACEHOLDER) ? {} : { [api.references[type]]: PLACEHOLDER };
  const url = new URL(
    withoutTrailingSlashes(carrier.baseUrl) +
      path.replaceAll(PLACEHOLDER, () => encodeURIComponent(reference)),
  );
  const parameters = {
    ...filled(asked?.parameters ?? named, reference),
    ...api.parameters,
    ...limitParameter(question.limit),
    ...firstPage(carrier.paging),
    ...carrier.parameters,
    ...own?.parameters,
  };
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== "") url.searchParams.set(name, value);
  }
  return { url, headers: mergeHeaders(mergeHeaders(api.headers, carrier.headers), own?.headers) };
}

/** Stands for the reference in a path or a parameter. */
const PLACEHOLDER = "{reference}";

function filled(parameters: Parameters, reference: string): Parameters {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, value.replaceAll(PLACEHOLDER, () => reference)]),
  );
}

function limitParameter(limit: NonNullable<Carrier["question"]>["limit"]): Parameters {
  return limit?.parameter === undefined ? {} : { [limit.parameter]: String(limit.max) };
}

function firstPage(paging: Carrier["paging"]): Parameters {
  if (paging?.by === "page") return { [paging.parameter]: String(paging.first ?? PAGE_DEFAULT) };
  return paging?.by === "offset" ? { [paging.parameter]: "0" } : {};
}
