/** The connector: a carrier, a reference → what the carrier answers, all pages of it. */
import type { Clock } from "../../../runtime/clock.ts";
import type { CarrierEvent } from "../carrier-event.ts";
import type { Carrier } from "../carriers.ts";
import type { IdentifierType } from "../reference.ts";
import type { HttpAnswer, HttpGet } from "./http.ts";
import { parseAnswer, type SkippedEvent } from "./parse.ts";
import { spellingWith } from "./spelling.ts";

export type CarrierAnswer =
  | {
      readonly kind: "events";
      readonly events: readonly CarrierEvent[];
      readonly skipped: readonly SkippedEvent[];
      /** The `Date` of the answer, milliseconds since the epoch; null where it has none. */
      readonly dateMs: number | null;
    }
  /** The carrier does not know the reference: not yet, or it is another carrier's. */
  | { readonly kind: "not_found" }
  /** Our credentials do not do. */
  | { readonly kind: "not_permitted"; readonly status: number }
  | {
      readonly kind: "unavailable";
      /** A short stable code: `http_503`, `timeout`, `connection`, `too_large`, `not_json` … */
      readonly reason: string;
      /** How long the carrier asks us to wait. */
      readonly retryAfterMs: number | null;
    };

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

/** Asks for all events of a reference. Never rejects: whatever goes wrong outside is an answer. */
export async function fetchEvents(
  get: HttpGet,
  carrier: Carrier,
  type: IdentifierType,
  reference: string,
  clock: Clock,
): Promise<CarrierAnswer> {
  const deadlineMs = clock.monotonicMs() + (carrier.timeoutMs ?? TIMEOUT_MS);
  const spelling = spellingWith(carrier.spelling);
  const events: CarrierEvent[] = [];
  const skipped: SkippedEvent[] = [];
  let bytesLeft = ANSWER_BYTES_MAX;
  let dateMs: number | null = null;
  let url = firstPage(carrier, type, reference);
  for (let page = 0; ; page += 1) {
    const timeoutMs = deadlineMs - clock.monotonicMs();
    if (timeoutMs <= 0) return unavailable("timeout");
    const answer = await get(url, {
      headers: carrier.headers ?? {},
      timeoutMs,
      bodyBytesMax: bytesLeft,
    });
    if (answer.kind === "failed") return unavailable(answer.reason);
    const refused = refusal(answer, clock.nowMs());
    if (refused !== null) return refused;
    const value = json(answer.body);
    const parsed = answer.status === 204 ? { events: [], skipped: [] } : parseAnswer(value, spelling);
    if (parsed === null) return unavailable(value === undefined ? "not_json" : "not_events");
    events.push(...parsed.events);
    skipped.push(...parsed.skipped);
    bytesLeft -= Buffer.byteLength(answer.body);
    dateMs ??= readDate(answer.header("date"));
    const next = nextPage(url, answer.header("next-page"));
    if (next === null) break;
    // Half an answer is none: what it lacks would count as taken back.
    if (next === "elsewhere") return unavailable("next_page_elsewhere");
    if (page + 1 === PAGES_MAX) return unavailable("too_many_pages");
    url = next;
  }
  return events.length === 0 ? { kind: "not_found" } : { kind: "events", events, skipped, dateMs };
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

function refusal(answer: HttpAnswer & { kind: "answered" }, nowMs: number): CarrierAnswer | null {
  const { status } = answer;
  if (status === 200 || status === 204) return null;
  if (status === 401 || status === 403) return { kind: "not_permitted", status };
  // A carrier that cannot read the reference does not have it either.
  if (status === 404 || status === 400 || status === 422) return { kind: "not_found" };
  return unavailable(`http_${status}`, readRetryAfter(answer.header("retry-after"), nowMs));
}

function unavailable(reason: string, retryAfterMs: number | null = null): CarrierAnswer {
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
