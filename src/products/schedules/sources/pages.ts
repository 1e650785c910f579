/** All pages of one question's answer, each read as it comes. */
import { sleep } from "../../../runtime/sleep.ts";
import { isObject } from "../../../model/json.ts";
import type { Clock } from "../../../runtime/clock.ts";
import { nextPageUrl } from "../../../freight/dcsa/next-page.ts";
import { readRetryAfter } from "../../../freight/upstream/retry-after.ts";
import type { UpstreamAnswer, UpstreamGet } from "../../../freight/upstream/upstream.ts";
import type { FeedFailure } from "./feed-answer.ts";
import type { FeedKind } from "./feed-schema.ts";
import { quoted } from "./read-context.ts";
import { readText } from "./spelling.ts";

export type PagesRequest = {
  readonly kind: FeedKind;
  readonly first: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** For each page. */
  readonly timeoutMs: number;
  /** By the monotonic clock: no page is asked for after it. */
  readonly deadlineMs: number;
};

/** All pages of one answer together. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
const PAGES_MAX = 200;

/**
 * Gives each page's JSON to `take`, which says what is wrong with it, or null. Resolves with null when there is no
 * further page, and else with why it ended before: what was taken until then stands.
 */
export async function readPages(
  get: UpstreamGet,
  wanted: PagesRequest,
  clock: Clock,
  take: (page: unknown) => string | null,
): Promise<FeedFailure | null> {
  const asked = new Set<string>();
  let bytesLeft = ANSWER_BYTES_MAX;
  for (let url = wanted.first; ;) {
    const answer = await fetchPage(get, url, { ...wanted, bytesLeft, isFirst: asked.size === 0 }, clock);
    if (answer.kind === "not_permitted") return answer;
    if (answer.kind !== "answered") return unavailable(answer.reason, answer.retryAfterMs ?? null);
    const isEmpty = asked.size === 0 ? EMPTY_STATUSES.has(answer.status) : answer.status === 204;
    const refused = isEmpty ? null : failureIn(answer, clock.nowMs());
    if (refused !== null) return refused;
    const wrong = isEmpty ? null : readBody(answer.body, take);
    if (wrong !== null) return { kind: "wrong", problems: [{ path: "$", message: wrong }] };
    bytesLeft -= Buffer.byteLength(answer.body);
    asked.add(url.href);
    const next = nextPageUrl(CURSOR_ALONE[wanted.kind] ? withoutQuery(url) : url, answer.header);
    if (next === null) return null;
    if (next === "elsewhere") return unavailable("next_page_elsewhere");
    if (asked.has(next.href)) return unavailable("next_page_repeats");
    if (asked.size === PAGES_MAX) return unavailable("too_many_pages");
    url = next;
  }
}

/**
 * CS 1.0: the cursor is sent with all of the first request's parameters, unchanged. OVS 3.0: it is sent alone, and any
 * other parameter beside it may be answered with 400.
 */
const CURSOR_ALONE: { readonly [kind in FeedKind]: boolean } = {
  "cs-vessel-schedules": false,
  "cs-port-schedules": false,
  "cs-point-to-point": false,
  "ovs-service-schedules": true,
};

function withoutQuery(url: URL): URL {
  return new URL(url.pathname, url.origin);
}

type PageRequest = PagesRequest & { readonly bytesLeft: number; readonly isFirst: boolean };

/** An answer that was begun waits for the quota as long as there is time: broken off, it would cost as much again. */
async function fetchPage(
  get: UpstreamGet,
  url: URL,
  asked: PageRequest,
  clock: Clock,
): Promise<UpstreamAnswer> {
  for (;;) {
    const leftMs = asked.deadlineMs - clock.monotonicMs();
    if (leftMs <= 0) return { kind: "failed", reason: "timeout" };
    const timeoutMs = Math.min(asked.timeoutMs, leftMs);
    const options = { headers: asked.headers, timeoutMs, bodyBytesMax: asked.bytesLeft };
    const answer = await get(url, options);
    const mayWait = answer.kind === "refused" && answer.reason === "quota" && !asked.isFirst;
    if (!mayWait || answer.retryAfterMs >= asked.deadlineMs - clock.monotonicMs()) return answer;
    await sleep(clock, answer.retryAfterMs);
  }
}

type Answered = Extract<UpstreamAnswer, { kind: "answered" }>;

function failureIn(answer: Answered, nowMs: number): FeedFailure | null {
  const { status } = answer;
  if (status === 200) return null;
  if (status === 401 || status === 403) return { kind: "not_permitted", status };
  if (status === 400 || status === 422) {
    const why = errorDetailIn(answer.body);
    const message = `is answered with ${status}${why === null ? "" : `: ${why}`}`;
    return { kind: "wrong", problems: [{ path: "$", message }] };
  }
  return unavailable(`http_${status}`, readRetryAfter(answer.header("retry-after"), nowMs));
}

/** Where no schedule fits, some carriers answer so instead of with an empty list. */
const EMPTY_STATUSES: ReadonlySet<number> = new Set([204, 404]);

function readBody(body: string, take: (page: unknown) => string | null): string | null {
  const page = json(body);
  return page === undefined ? "is no JSON" : take(page);
}

/** What the feed says is wrong with the question (ErrorResponse of both standards). */
function errorDetailIn(body: string): string | null {
  const told = json(body);
  if (!isObject(told)) return null;
  const [first] = Array.isArray(told["errors"]) ? (told["errors"] as readonly unknown[]) : [];
  const detail = isObject(first)
    ? // OVS 3.0 spells it with one r less.
      (readText(first, "errorCodeMessage") ??
      readText(first, "erorCodeMessage") ??
      readText(first, "errorCodeText"))
    : null;
  const said = detail ?? readText(told, "statusCodeMessage") ?? readText(told, "statusCodeText");
  return said === null ? null : quoted(said);
}

/** Undefined: it is no JSON. */
function json(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function unavailable(reason: string, retryAfterMs: number | null = null): FeedFailure {
  return { kind: "unavailable", reason, retryAfterMs };
}
