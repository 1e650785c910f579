/** The first page of a carrier's answer: address and headers, by DCSA's version and by what the carrier's entry says. */
import { withoutTrailingSlashes } from "../../../../runtime/trailing-slashes.ts";
import { mergeHeaders } from "../../../../freight/upstream/headers.ts";
import type { IdentifierType } from "../../../../freight/references/reference.ts";
import type { Carrier } from "../carriers.ts";
import type { KnownReferences } from "../known-references.ts";
import { KINDS, placeholderOf, type Template } from "../question-schema.ts";

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

export type Asking =
  /** Tried in order until the carrier knows one; the questions of each make one answer together. */
  | { readonly kind: "questions"; readonly ways: readonly Way[] }
  /** Nothing is asked: the carrier wants other references beside this one, and they are not known. */
  | { readonly kind: "lacking"; readonly needs: IdentifierType };

export type Way = {
  readonly questions: readonly Question[];
  /** More containers are known than are asked for. */
  readonly isPart: boolean;
};

/** Null: this carrier cannot be asked for it. */
export function askingOf(carrier: Carrier, asked: Asked, known: KnownReferences): Asking | null {
  const { question = {}, accounts = {}, accountsOnly = false } = carrier;
  const own = asked.account === undefined ? undefined : accounts[asked.account];
  if (accountsOnly && own === undefined) return null;
  const templates = templatesOf(carrier, asked.type);
  if (templates === null) return null;
  const lacking: IdentifierType[] = [];
  for (const template of templates) {
    const needs = needsOf(template, question.path, asked.type);
    const missing = needs.find((need) => known[need].length === 0);
    if (missing === undefined) {
      const combined = combinationsOf(needs, known);
      const ways = combined.map(({ others, isPart }) => ({
        questions: others.map((some) => questionOf(carrier, asked, template, some)),
        isPart,
      }));
      return { kind: "questions", ways };
    }
    lacking.push(missing);
  }
  return { kind: "lacking", needs: lacking[0]! };
}

/** Whether a question for this kind of reference may want others beside it. */
export function wantsOthers(carrier: Carrier, type: IdentifierType): boolean {
  const templates = templatesOf(carrier, type) ?? [];
  return templates.some((template) => needsOf(template, carrier.question?.path, type).length > 0);
}

/** Null: the carrier does not know the kind. */
function templatesOf({ question }: Carrier, type: IdentifierType): readonly Template[] | null {
  const written = question?.references?.[type];
  if (written === null) return null;
  return Array.isArray(written) ? written : [written ?? {}];
}

function needsOf(
  { path, parameters = {} }: Template,
  ownPath: string | undefined,
  type: IdentifierType,
): readonly IdentifierType[] {
  const written = [path ?? ownPath ?? "", ...Object.values(parameters)].join(" ");
  return KINDS.filter((kind) => kind !== type && written.includes(placeholderOf(kind)));
}

/** Documents that are known of a container may be of an earlier trip: the first are tried. */
const WAYS_MAX = 3;
/** Requests of one way, apart from further pages and parts. */
export const CONTAINERS_MAX = 20;

type Filled = Readonly<Partial<Record<IdentifierType, string>>>;

/** One way for each document; in each, a question for each container. */
function combinationsOf(
  needs: readonly IdentifierType[],
  known: KnownReferences,
): readonly { readonly others: readonly Filled[]; readonly isPart: boolean }[] {
  const documents = needs.filter((need) => need !== "container_id");
  const ways = documents.reduce<readonly Filled[]>(
    (some, need) => some.flatMap((one) => known[need].map((value) => ({ ...one, [need]: value }))),
    [{}],
  );
  const containers = needs.includes("container_id") ? known.container_id : [null];
  return ways.slice(0, WAYS_MAX).map((way) => ({
    others: containers
      .slice(0, CONTAINERS_MAX)
      .map((container) => (container === null ? way : { ...way, container_id: container })),
    isPart: containers.length > CONTAINERS_MAX,
  }));
}

function questionOf(
  carrier: Carrier,
  { type, reference, account }: Asked,
  template: Template,
  others: Filled,
): Question {
  const { question = {}, accounts = {} } = carrier;
  const own = account === undefined ? undefined : accounts[account];
  const api = API_QUESTIONS[carrier.api];
  const path = template.path ?? question.path ?? PATH_DEFAULT;
  const named = path.includes(PLACEHOLDER) ? {} : { [api.references[type]]: PLACEHOLDER };
  const values = new Map<string, string>([
    [PLACEHOLDER, reference],
    ...KINDS.map((kind) => [placeholderOf(kind), others[kind] ?? reference] as const),
  ]);
  const url = new URL(withoutTrailingSlashes(carrier.baseUrl) + filledIn(path, values, encodeURIComponent));
  const parameters = {
    ...filled(template.parameters ?? named, values),
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

/** Stands for the tracked reference in a path or a parameter. */
const PLACEHOLDER = "{reference}";

function filled(parameters: Parameters, values: ReadonlyMap<string, string>): Parameters {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, filledIn(value, values)]),
  );
}

/** In one go: what a reference holds is no placeholder. */
function filledIn(
  template: string,
  values: ReadonlyMap<string, string>,
  written: (value: string) => string = (value) => value,
): string {
  return template.replaceAll(/\{[a-z_]+\}/g, (placeholder) => {
    const value = values.get(placeholder);
    return value === undefined ? placeholder : written(value);
  });
}

function limitParameter(limit: NonNullable<Carrier["question"]>["limit"]): Parameters {
  return limit?.parameter === undefined ? {} : { [limit.parameter]: String(limit.max) };
}

function firstPage(paging: Carrier["paging"]): Parameters {
  if (paging?.by === "page") return { [paging.parameter]: String(paging.first ?? PAGE_DEFAULT) };
  return paging?.by === "offset" ? { [paging.parameter]: "0" } : {};
}
