/** All pages of the answer to one request, each read as it comes. */
import { sleep } from "../../../runtime/sleep.ts";
import type { Clock } from "../../../runtime/clock.ts";
import { runInSlices, type SlicedWork } from "../../../runtime/time-slices.ts";
import { nextPageUrl } from "../../../freight/dcsa/pages.ts";
import { isObject, parseJson, parseJsonSteps } from "../../../model/json.ts";
import { noAnswerOf, unavailable, type NoAnswer } from "../../../freight/upstream/no-answer.ts";
import type { UpstreamAnswer, UpstreamGet } from "../../../freight/upstream/upstream.ts";
import type { FeedKind } from "./feed-schema.ts";
import { quoted, type FeedProblem } from "./read-context.ts";
import { readText } from "./spelling.ts";

export type PagesRequest = {
  readonly kind: FeedKind;
  readonly first: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** For each page. */
  readonly timeoutMs: number;
  /** By the monotonic clock: no page is requested after it. */
  readonly deadlineMs: number;
};

/** No request was answered. `quota` and `breaker_open` mean that none was sent. */
export type FeedFailure =
  | Exclude<NoAnswer, { readonly kind: "not_found" }>
  /** The feed refuses the request, or its answer is not of its kind. */
  | { readonly kind: "wrong"; readonly problems: readonly FeedProblem[] };

/** All pages of one answer together. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
/** To decode a larger one takes long. */
const PAGE_BYTES_MAX = 16 * 1024 * 1024;
const PAGES_MAX = 200;

/**
 * Gives each page's JSON to `readPage`, which returns what is wrong with it, or null. Returns null after the last
 * page, else why the answer ended early: the pages read by then still count.
 */
export async function fetchPages(
  get: UpstreamGet,
  request: PagesRequest,
  clock: Clock,
  readPage: (page: unknown) => SlicedWork<string | null>,
): Promise<FeedFailure | null> {
  const fetched = new Set<string>();
  let bytesLeft = ANSWER_BYTES_MAX;
  for (let url = request.first; ;) {
    const isFirst = fetched.size === 0;
    const answer = await fetchPage(get, url, { ...request, bytesLeft, isFirst }, clock);
    // Some carriers answer with 404 instead of with an empty list.
    const isMissing = isFirst && answer.kind === "answered" && answer.status === 404;
    const failure = isMissing ? null : failureOf(answer, clock.nowMs());
    if (failure !== null || answer.kind !== "answered") return failure;
    const isEmpty = isMissing || answer.status === 204;
    const error = isEmpty ? null : await runInSlices(readBody(answer.body, readPage), clock);
    if (error !== null) return { kind: "wrong", problems: [{ path: "$", message: error }] };
    bytesLeft -= Buffer.byteLength(answer.body);
    fetched.add(url.href);
    // CS 1.0 wants the cursor with the first request's parameters. OVS 3.0 may answer 400 unless it is alone.
    const base = request.kind === "ovs-service-schedules" ? new URL(url.pathname, url.origin) : url;
    const next = nextPageUrl(base, answer.header);
    if (next === null) return null;
    if (next === "elsewhere") return unavailable("next_page_elsewhere");
    if (fetched.has(next.href)) return unavailable("next_page_repeats");
    if (fetched.size === PAGES_MAX) return unavailable("too_many_pages");
    url = next;
  }
}

type PageRequest = PagesRequest & { readonly bytesLeft: number; readonly isFirst: boolean };

/** Further pages wait for the quota while there is time: to start over would cost as much again. */
async function fetchPage(
  get: UpstreamGet,
  url: URL,
  request: PageRequest,
  clock: Clock,
): Promise<UpstreamAnswer> {
  for (;;) {
    const leftMs = request.deadlineMs - clock.monotonicMs();
    if (leftMs <= 0) return { kind: "failed", reason: "timeout" };
    const timeoutMs = Math.min(request.timeoutMs, leftMs);
    const bodyBytesMax = Math.min(request.bytesLeft, PAGE_BYTES_MAX);
    const options = { headers: request.headers, timeoutMs, bodyBytesMax };
    const answer = await get(url, options);
    const mayWait = answer.kind === "refused" && answer.reason === "quota" && !request.isFirst;
    if (!mayWait || answer.retryAfterMs >= request.deadlineMs - clock.monotonicMs()) return answer;
    await sleep(clock, answer.retryAfterMs);
  }
}

function failureOf(answer: UpstreamAnswer, nowMs: number): FeedFailure | null {
  if (answer.kind === "answered" && (answer.status === 400 || answer.status === 422)) {
    const detail = errorDetailIn(answer.body);
    const message = `is answered with ${answer.status}${detail === null ? "" : `: ${quoted(detail)}`}`;
    return { kind: "wrong", problems: [{ path: "$", message }] };
  }
  const failure = noAnswerOf(answer, nowMs);
  return failure?.kind === "not_found" ? unavailable("http_404") : failure;
}

function* readBody(
  body: string,
  readPage: (page: unknown) => SlicedWork<string | null>,
): SlicedWork<string | null> {
  const page = yield* parseJsonSteps(body);
  return page === undefined ? "is no JSON" : yield* readPage(page);
}

/** Characters. */
const ERROR_LENGTH_MAX = 64 * 1024;

/** Why the feed refuses the request (ErrorResponse of both standards). */
function errorDetailIn(body: string): string | null {
  const response = body.length > ERROR_LENGTH_MAX ? undefined : parseJson(body);
  if (!isObject(response)) return null;
  const [first] = Array.isArray(response["errors"]) ? (response["errors"] as readonly unknown[]) : [];
  const detail = isObject(first)
    ? // OVS 3.0 spells it with one r less.
      (readText(first, "errorCodeMessage") ??
      readText(first, "erorCodeMessage") ??
      readText(first, "errorCodeText"))
    : null;
  return detail ?? readText(response, "statusCodeMessage") ?? readText(response, "statusCodeText");
}
