/** The connector: a carrier, a reference → what the carrier answers, all pages of it. */
import { createHash } from "node:crypto";

import type { Clock } from "../../../runtime/clock.ts";
import { readRetryAfter } from "../../upstream/retry-after.ts";
import type { UpstreamAnswer, UpstreamGet } from "../../upstream/upstream.ts";
import type { CarrierAnswer } from "../carrier-answer.ts";
import type { Carrier } from "../carriers.ts";
import type { IdentifierType } from "../reference.ts";
import { parsePages } from "./parse.ts";
import { firstPage, headersOf, nextPage } from "./request.ts";
import { spellingWith } from "./spelling.ts";

export type { CarrierAnswer };

/** All pages of one answer together. */
const TIMEOUT_MS = 15_000;
/** All pages of one answer together. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
const PAGES_MAX = 50;

/**
 * Asks for all events of a reference. Never rejects: whatever goes wrong outside is an answer. `known`
 * is the digest of an answer that has been read before.
 */
export async function fetchEvents(
  get: UpstreamGet,
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
  const values = bodies.map(json);
  const parsed = parsePages(values, spellingWith(carrier.spelling));
  if (parsed === null) return unavailable(values.includes(undefined) ? "not_json" : "not_events");
  return parsed.events.length === 0 ? { kind: "not_found" } : { kind: "events", ...parsed, dateMs, digest };
}

type Pages = { readonly kind: "pages"; readonly bodies: readonly string[]; readonly dateMs: number | null };
type Refusal = Exclude<CarrierAnswer, { kind: "events" | "same" }>;

async function fetchPages(
  get: UpstreamGet,
  carrier: Carrier,
  first: URL,
  clock: Clock,
): Promise<Pages | Refusal> {
  const deadlineMs = clock.monotonicMs() + (carrier.timeoutMs ?? TIMEOUT_MS);
  const headers = headersOf(carrier);
  const asked = new Set<string>();
  const bodies: string[] = [];
  let bytesLeft = ANSWER_BYTES_MAX;
  let dateMs: number | null = null;
  for (let url = first; ;) {
    const timeoutMs = deadlineMs - clock.monotonicMs();
    if (timeoutMs <= 0) return unavailable("timeout");
    // What has been begun waits for the quota as long as it can: broken off, it would cost as much again.
    const waiting = asked.size === 0 ? {} : { quotaWaitMsMax: timeoutMs };
    const answer = await get(url, { headers, timeoutMs, bodyBytesMax: bytesLeft, ...waiting });
    if (answer.kind !== "answered") return unanswered(answer);
    const refused = refusal(answer, clock.nowMs());
    if (refused !== null) return refused;
    if (answer.status !== 204) bodies.push(answer.body);
    bytesLeft -= Buffer.byteLength(answer.body);
    dateMs ??= readDate(answer.header("date"));
    asked.add(url.href);
    const next = nextPage(url, answer.header);
    if (next === null) return { kind: "pages", bodies, dateMs };
    // Half an answer is none: what it lacks would count as taken back.
    if (next === "elsewhere") return unavailable("next_page_elsewhere");
    if (asked.has(next.href)) return unavailable("next_page_repeats");
    if (asked.size === PAGES_MAX) return unavailable("too_many_pages");
    url = next;
  }
}

/** To be counted up when answers are read in another way, so that all are read again. */
const READING = 1;

function digestOf({ api, spelling }: Carrier, bodies: readonly string[]): Buffer {
  const hash = createHash("sha256").update(JSON.stringify([READING, api, spelling, bodies.length]));
  for (const body of bodies) hash.update(`\n${Buffer.byteLength(body)}\n`).update(body);
  return hash.digest();
}

function unanswered(answer: Exclude<UpstreamAnswer, { kind: "answered" }>): Refusal {
  if (answer.kind === "not_permitted") return answer;
  return unavailable(answer.reason, answer.retryAfterMs);
}

function refusal(answer: UpstreamAnswer & { kind: "answered" }, nowMs: number): Refusal | null {
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
