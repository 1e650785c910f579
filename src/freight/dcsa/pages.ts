/** All pages of one answer of a DCSA API, as bytes of text that nobody has read yet. */
import type { Clock } from "../../runtime/clock.ts";
import { readRetryAfter } from "../upstream/retry-after.ts";
import type { UpstreamAnswer, UpstreamGet } from "../upstream/upstream.ts";
import { nextPageUrl } from "./next-page.ts";

export type PagesRequest = {
  readonly first: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** For all pages together. */
  readonly timeoutMs: number;
};

export type Pages = {
  readonly kind: "pages";
  readonly bodies: readonly string[];
  /** The `Date` of the first, milliseconds since the epoch. */
  readonly dateMs: number | null;
};

/** Why a carrier gives no answer. */
export type Refusal =
  /** The carrier does not know the reference: not yet, or it is another carrier's. */
  | { readonly kind: "not_found" }
  /** Our credentials do not do. `status` is the API's, or the token endpoint's. */
  | { readonly kind: "not_permitted"; readonly status: number }
  | {
      readonly kind: "unavailable";
      /**
       * A short stable code: `http_503`, `timeout`, `connection`, `too_large`, `not_json` … `quota` and
       * `breaker_open` mean that nothing was asked: they say nothing of this reference, and no failure
       * of it should be counted.
       */
      readonly reason: string;
      /** How long to wait: as the carrier asks, or until the quota or the breaker lets the next one pass. */
      readonly retryAfterMs: number | null;
    };

/** All pages of one answer together. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
const PAGES_MAX = 50;

export async function fetchPages(
  get: UpstreamGet,
  wanted: PagesRequest,
  clock: Clock,
): Promise<Pages | Refusal> {
  const { first, headers } = wanted;
  const deadlineMs = clock.monotonicMs() + wanted.timeoutMs;
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
    const refused = refusalOf(answer, clock.nowMs());
    if (refused !== null) return refused;
    if (answer.status !== 204) bodies.push(answer.body);
    bytesLeft -= Buffer.byteLength(answer.body);
    dateMs ??= readDate(answer.header("date"));
    asked.add(url.href);
    const next = nextPageUrl(url, answer.header);
    if (next === null) return { kind: "pages", bodies, dateMs };
    // Half an answer is none: what it lacks would count as taken back.
    if (next === "elsewhere") return unavailable("next_page_elsewhere");
    if (asked.has(next.href)) return unavailable("next_page_repeats");
    if (asked.size === PAGES_MAX) return unavailable("too_many_pages");
    url = next;
  }
}

export function unavailable(reason: string, retryAfterMs: number | null = null): Refusal {
  return { kind: "unavailable", reason, retryAfterMs };
}

/** Undefined: it is no JSON. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function unanswered(answer: Exclude<UpstreamAnswer, { kind: "answered" }>): Refusal {
  if (answer.kind === "not_permitted") return answer;
  return unavailable(answer.reason, answer.retryAfterMs);
}

function refusalOf(answer: UpstreamAnswer & { kind: "answered" }, nowMs: number): Refusal | null {
  const { status } = answer;
  if (status === 200 || status === 204) return null;
  if (status === 401 || status === 403) return { kind: "not_permitted", status };
  // A carrier that cannot read the reference does not have it either.
  if (status === 404 || status === 400 || status === 422) return { kind: "not_found" };
  return unavailable(`http_${status}`, readRetryAfter(answer.header("retry-after"), nowMs));
}

function readDate(written: string | null): number | null {
  const ms = written === null ? Number.NaN : Date.parse(written);
  return Number.isNaN(ms) ? null : ms;
}
