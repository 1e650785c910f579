/** The connector: a carrier, a reference → what the carrier answers, all pages of it. */
import { createHash } from "node:crypto";

import type { Clock } from "../../../runtime/clock.ts";
import type { CarrierAnswer, SkippedEvent } from "../carrier-answer.ts";
import type { CarrierEvent } from "../carrier-event.ts";
import type { Carrier } from "../carriers.ts";
import type { IdentifierType } from "../reference.ts";
import type { HttpAnswer, HttpPort } from "../../upstream/http.ts";
import { parseAnswer } from "./parse.ts";
import { spellingWith } from "./spelling.ts";

export type { CarrierAnswer };

const PARAMETERS: { readonly [type in IdentifierType]: string } = {
  container_id: "equipmentReference",
  bill_of_lading: "transportDocumentReference",
  booking: "carrierBookingReference",
};

/** All pages of one answer together. */
const TIMEOUT_MS = 15_000;
/** All pages of one answer together. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
const PAGES_MAX = 50;
/** The longest wait that a carrier can ask for. */
const RETRY_AFTER_MS_MAX = 6 * 3_600_000;

/**
 * Asks for all events of a reference. Never rejects: whatever goes wrong outside is an answer. `known`
 * is the digest of an answer that has been read before.
 */
export async function fetchEvents(
  get: HttpPort,
  carrier: Carrier,
  type: IdentifierType,
  reference: string,
  clock: Clock,
  known: Buffer | null = null,
): Promise<CarrierAnswer> {
  const pages = await fetchPages(get, carrier, firstPage(carrier, type, reference), clock);
  if (pages.kind !== "pages") return pages;
  const { bodies, dateMs } = pages;
  const digest = digestOf(carrier, bodies);
  if (known !== null && digest.equals(known)) return { kind: "same", digest, dateMs };
  const spelling = spellingWith(carrier.spelling);
  const events: CarrierEvent[] = [];
  const skipped: SkippedEvent[] = [];
  for (const body of bodies) {
    const value = json(body);
    const parsed = parseAnswer(value, spelling);
    if (parsed === null) return unavailable(value === undefined ? "not_json" : "not_events");
    events.push(...parsed.events);
    skipped.push(...parsed.skipped);
  }
  if (events.length === 0) return { kind: "not_found" };
  return { kind: "events", events, freeDays: [], skipped, dateMs, digest };
}

type Pages = { readonly kind: "pages"; readonly bodies: readonly string[]; readonly dateMs: number | null };
type Refusal = Exclude<CarrierAnswer, { kind: "events" | "same" }>;

async function fetchPages(
  get: HttpPort,
  carrier: Carrier,
  first: URL,
  clock: Clock,
): Promise<Pages | Refusal> {
  const deadlineMs = clock.monotonicMs() + (carrier.timeoutMs ?? TIMEOUT_MS);
  const bodies: string[] = [];
  let bytesLeft = ANSWER_BYTES_MAX;
  let dateMs: number | null = null;
  let url = first;
  for (let page = 1; ; page += 1) {
    const timeoutMs = deadlineMs - clock.monotonicMs();
    if (timeoutMs <= 0) return unavailable("timeout");
    const headers = carrier.headers ?? {};
    const answer = await get(url, { headers, timeoutMs, bodyBytesMax: bytesLeft });
    if (answer.kind === "failed") return unavailable(answer.reason);
    const refused = refusal(answer, clock.nowMs());
    if (refused !== null) return refused;
    if (answer.status !== 204) bodies.push(answer.body);
    bytesLeft -= Buffer.byteLength(answer.body);
    dateMs ??= readDate(answer.header("date"));
    const next = nextPage(url, answer.header("next-page"));
    if (next === null) return { kind: "pages", bodies, dateMs };
    // Half an answer is none: what it lacks would count as taken back.
    if (next === "elsewhere") return unavailable("next_page_elsewhere");
    if (page === PAGES_MAX) return unavailable("too_many_pages");
    url = next;
  }
}

/** Counts up when answers are read in another way, so that none passes for one that has been read. */
const READING = 1;

function digestOf({ api, spelling }: Carrier, bodies: readonly string[]): Buffer {
  const hash = createHash("sha256").update(JSON.stringify([READING, api, spelling, bodies.length]));
  for (const body of bodies) hash.update(`\n${Buffer.byteLength(body)}\n`).update(body);
  return hash.digest();
}

function firstPage(carrier: Carrier, type: IdentifierType, reference: string): URL {
  const url = new URL(`${carrier.baseUrl.replace(/\/+$/, "")}/events`);
  url.searchParams.set(PARAMETERS[type], reference);
  return url;
}

/**
 * The standard calls `Next-Page` a link and shows a cursor, and carriers send either. A link to
 * another host is not followed: the carrier's key must not leave it.
 */
function nextPage(current: URL, written: string | null): URL | "elsewhere" | null {
  const link = written?.trim().replace(/^<([^>]*)>.*$/, "$1") ?? "";
  if (link === "") return null;
  if (!/^(https?:\/\/|\/|\?)/.test(link)) {
    const next = new URL(current.href);
    next.searchParams.set("cursor", link);
    return next;
  }
  if (!URL.canParse(link, current.href)) return "elsewhere";
  const next = new URL(link, current.href);
  return next.origin === current.origin ? next : "elsewhere";
}

function refusal(answer: HttpAnswer & { kind: "answered" }, nowMs: number): Refusal | null {
  const { status } = answer;
  if (status === 200 || status === 204) return null;
  if (status === 401 || status === 403) return { kind: "not_permitted", status };
  // A carrier that cannot read the reference does not have it either.
  if (status === 404 || status === 400 || status === 422) return { kind: "not_found" };
  return unavailable(`http_${status}`, readRetryAfter(answer.header("retry-after"), nowMs));
}

function unavailable(reason: string, retryAfterMs: number | null = null): Refusal {
  return { kind: "unavailable", reason, retryAfterMs };
}

/** Undefined: it is no JSON. */
function json(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function readDate(written: string | null): number | null {
  const ms = written === null ? Number.NaN : Date.parse(written);
  return Number.isNaN(ms) ? null : ms;
}

/** Seconds or a date (RFC 9110, 10.2.3). */
function readRetryAfter(written: string | null, nowMs: number): number | null {
  if (written === null) return null;
  const ms = /^\d+$/.test(written) ? Number(written) * 1000 : (readDate(written) ?? nowMs) - nowMs;
  return Math.min(Math.max(ms, 0), RETRY_AFTER_MS_MAX);
}
