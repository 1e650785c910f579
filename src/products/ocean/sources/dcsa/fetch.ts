/** Fetches and parses all pages of a carrier's answer for a reference. */
import { hash } from "node:crypto";

import type { Clock } from "../../../../runtime/clock.ts";
import { runInSlices, type SlicedWork } from "../../../../runtime/time-slices.ts";
import type { UpstreamGet } from "../../../../freight/upstream/upstream.ts";
import type { CarrierAnswer, CarrierEvent } from "../carrier-event.ts";
import type { Carrier } from "../carriers.ts";
import type { IdentifierType } from "../../../../freight/references/reference.ts";
import { NOT_AN_EVENT } from "./event.ts";
import { fetchPages } from "../../../../freight/dcsa/pages.ts";
import { parseJson } from "../../../../model/json.ts";
import { unavailable, type NoAnswer } from "../../../../freight/upstream/no-answer.ts";
import { parsePagesSteps, type ParsedAnswer } from "./parse.ts";
import { spellingWith, type Spelling } from "../../../../freight/dcsa/spelling.ts";

const TIMEOUT_MS = 15_000;

/** Never rejects: outside failures are answers. `known` is the digest of an answer that was read before. */
export async function fetchEvents(
  get: UpstreamGet,
  carrier: Carrier,
  type: IdentifierType,
  reference: string,
  clock: Clock,
  known: Buffer | null = null,
): Promise<CarrierAnswer> {
  const wanted = {
    first: firstPageUrl(carrier, type, reference),
    headers: headersOf(carrier),
    timeoutMs: carrier.timeoutMs ?? TIMEOUT_MS,
  };
  const pages = await fetchPages(get, wanted, clock);
  if (pages.kind !== "pages") return pages;
  const { bodies, dateMs } = pages;
  const digest = digestOf(carrier, bodies);
  if (known !== null && digest.equals(known)) return { kind: "unchanged", digest, dateMs };
  const values: unknown[] = [];
  const parsed = await runInSlices(parseBodies(bodies, values, spellingWith(carrier.spelling)), clock);
  if (parsed === null) return unavailable(values.includes(undefined) ? "not_json" : "not_events");
  return refusalIn(parsed, type, reference) ?? { kind: "events", ...parsed, dateMs, digest };
}

/** Fills `values` with the pages as JSON. */
function* parseBodies(
  bodies: readonly string[],
  values: unknown[],
  spelling: Spelling,
): SlicedWork<ParsedAnswer | null> {
  for (const body of bodies) {
    values.push(parseJson(body));
    yield;
  }
  return yield* parsePagesSteps(values, spelling);
}

function refusalIn(
  { events, skipped }: ParsedAnswer,
  type: IdentifierType,
  reference: string,
): NoAnswer | null {
  if (countStatements(events) > STATEMENTS_MAX) return unavailable("too_many_events");
  if (events.length > 0) {
    return type === "container_id" && isOtherContainers(events, reference) ? { kind: "not_found" } : null;
  }
  // The carrier knows the reference: the operator must configure its spelling.
  const isUnread = skipped.some(({ reason }) => !NOT_AN_EVENT.has(reason));
  return isUnread ? unavailable("unreadable") : { kind: "not_found" };
}

/** For example five hundred boxes with a hundred statements each. */
const STATEMENTS_MAX = 50_000;

/** A statement that names no box counts for each box. */
function countStatements(events: readonly CarrierEvent[]): number {
  const boxes = new Set(events.map(({ equipment }) => equipment));
  boxes.delete(null);
  const common = events.filter(({ equipment }) => equipment === null).length;
  return events.length - common + common * Math.max(1, boxes.size);
}

/** Some sandboxes always answer with the same containers. The check digit may be wrong. */
function isOtherContainers(events: readonly CarrierEvent[], reference: string): boolean {
  const named = events.flatMap(({ equipment }) => equipment ?? []);
  const number = reference.slice(0, -1);
  return named.length > 0 && !named.some((equipment) => equipment.startsWith(number));
}

/** Increment it when the parser changes, so that known answers are read again. */
const PARSER_VERSION = 7;

function digestOf({ api, spelling }: Carrier, bodies: readonly string[]): Buffer {
  const head = JSON.stringify([PARSER_VERSION, api, spelling, bodies.length]);
  const texts = bodies.map((body) => `\n${Buffer.byteLength(body)}\n${body}`);
  return hash("sha256", head + texts.join(""), "buffer");
}

const PARAMETERS: { readonly [type in IdentifierType]: string } = {
  container_id: "equipmentReference",
  bill_of_lading: "transportDocumentReference",
  booking: "carrierBookingReference",
};

type ApiRequest = {
  readonly parameters: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
};

const API_REQUESTS: { readonly [api in Carrier["api"]]: ApiRequest } = {
  // `API-Version` is optional, and carriers disagree on its meaning.
  "dcsa-tnt-2.2": { parameters: {}, headers: {} },
  // Without this list, 3.0 also answers with all sensor readings of a box.
  "dcsa-tnt-3.0": {
    parameters: { eventTypes: "SHIPMENT,TRANSPORT,EQUIPMENT" },
    headers: { "api-version": "3.0.0" },
  },
};

function headersOf({ api, headers }: Carrier): Readonly<Record<string, string>> {
  return { ...API_REQUESTS[api].headers, ...headers };
}

function firstPageUrl(carrier: Carrier, type: IdentifierType, reference: string): URL {
  const url = new URL(`${carrier.baseUrl.replace(/\/+$/, "")}/events`);
  url.searchParams.set(PARAMETERS[type], reference);
  for (const [name, value] of Object.entries({
    ...API_REQUESTS[carrier.api].parameters,
    ...carrier.parameters,
  })) {
    if (value !== "") url.searchParams.set(name, value);
  }
  return url;
}
