/** Fetches all pages of one answer of a DCSA API, unparsed. */
import type { Clock } from "../../runtime/clock.ts";
import { answerDateMs } from "../upstream/headers.ts";
import { noAnswerOf, NOT_KNOWN, unavailable, type NoAnswer } from "../upstream/no-answer.ts";
import type { UpstreamAnswer, UpstreamGet } from "../upstream/upstream.ts";

export type PagesRequest = {
  readonly first: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** For all pages together. */
  readonly timeoutMs: number;
  /** Bytes of the same answer that came before: then the first page waits for the quota as long as it can, too. */
  readonly bytesBefore?: number;
  /** Default: by the standard's headers. */
  readonly nextPage?: NextPage;
  /** The next page is counted, not named by the answer: the one behind the last may be a 404. */
  readonly isCounted?: boolean;
};

export type Page = {
  readonly url: URL;
  readonly body: string;
  /** By its lower-case name. */
  readonly header: (name: string) => string | null;
};

/** Null after the last page; `elsewhere`: on another host, where the carrier's key must not go. */
export type NextPage = (page: Page) => Promise<URL | "elsewhere" | null>;

export type Pages = {
  readonly kind: "pages";
  readonly bodies: readonly string[];
  /** The `Date` of the first, milliseconds since the epoch. */
  readonly dateMs: number | null;
};

/** All pages of one answer together. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
const PAGES_MAX = 50;

export async function fetchPages(
  get: UpstreamGet,
  wanted: PagesRequest,
  clock: Clock,
): Promise<Pages | NoAnswer> {
  const {
    first,
    headers,
    bytesBefore = 0,
    isCounted = false,
    nextPage = async ({ url, header }) => nextPageUrl(url, header),
  } = wanted;
  const deadlineMs = clock.monotonicMs() + wanted.timeoutMs;
  const asked = new Set<string>();
  const bodies: string[] = [];
  let bytesLeft = ANSWER_BYTES_MAX - bytesBefore;
  let dateMs: number | null = null;
  for (let url = first; ;) {
    const timeoutMs = deadlineMs - clock.monotonicMs();
    if (timeoutMs <= 0) return unavailable("timeout");
    // A later page waits for the quota as long as it can: to begin again would cost as much.
    const waiting = asked.size === 0 && bytesBefore === 0 ? {} : { quotaWaitMsMax: timeoutMs };
    const sent = await get(url, { headers, timeoutMs, bodyBytesMax: bytesLeft, ...waiting });
    const answer = asked.size === 0 ? sent : laterPage(sent, isCounted);
    const noAnswer = noAnswerOf(answer, clock.nowMs());
    if (noAnswer !== null || answer.kind !== "answered") return noAnswer ?? unavailable("connection");
    const { body, header } = answer;
    const isRepeated = isCounted && body !== "" && body === bodies.at(-1);
    if (answer.status !== 204) bodies.push(body);
    bytesLeft -= Buffer.byteLength(body);
    dateMs ??= answerDateMs(header);
    asked.add(url.href);
    const next = await nextPage({ url, body, header });
    if (next === null) return { kind: "pages", bodies, dateMs };
    // Half an answer is none: what it lacks would count as taken back.
    if (next === "elsewhere") return unavailable("next_page_elsewhere");
    // Who ignores the count sends one page for ever.
    if (isRepeated || asked.has(next.href)) return unavailable("next_page_repeats");
    if (asked.size === PAGES_MAX) return unavailable("too_many_pages");
    url = next;
  }
}

/** The page before it is of the reference, so the upstream knows that, whatever it says of a later page. */
function laterPage(answer: UpstreamAnswer, isCounted: boolean): UpstreamAnswer {
  if (answer.kind !== "answered" || !NOT_KNOWN.has(answer.status)) return answer;
  if (isCounted && answer.status === 404) return { ...answer, status: 204, body: "" };
  return { kind: "failed", reason: `http_${answer.status}` };
}

/**
 * The page after `current`, null when it was the last. 3.0 has `Next-Page-Cursor`, to be sent with the
 * first page's parameters. 2.2 calls `Next-Page` a link and shows a cursor, and carriers send either, or
 * a `Link` (RFC 8288). A link to another host is not followed: the carrier's key must not leave it.
 */
export function nextPageUrl(current: URL, header: (name: string) => string | null): URL | "elsewhere" | null {
  const cursor = header("next-page-cursor")?.trim();
  if (cursor !== undefined && cursor !== "") return withCursor(current, "cursor", cursor);
  const linked = nextLink(header("link") ?? "");
  return pageWritten(current, linked === null ? header("next-page") : `<${linked}>`);
}

/** The page that a link or a cursor names; the cursor goes into the query parameter. */
export function pageWritten(
  current: URL,
  link: string | null,
  parameter = "cursor",
): URL | "elsewhere" | null {
  const written = link?.trim() ?? "";
  if (written === "") return null;
  const bracketed = /^<([^>]*)>/.exec(written)?.[1];
  if (bracketed === undefined && !LOOKS_LIKE_A_LINK.test(written)) {
    return withCursor(current, parameter, written);
  }
  const address = bracketed ?? written;
  if (!URL.canParse(address, current.href)) return "elsewhere";
  const next = new URL(address, current.href);
  return next.origin === current.origin ? next : "elsewhere";
}

/** By hand: a pattern for it starts again at each `<`. */
function nextLink(written: string): string | null {
  for (let start = written.indexOf("<"); start !== -1;) {
    const end = written.indexOf(">", start);
    if (end === -1) return null;
    const comma = written.indexOf(",", end);
    const parameters = written.slice(end + 1, comma === -1 ? undefined : comma);
    if (/^\s*;/.test(parameters) && /\brel="?next\b/.test(parameters)) return written.slice(start + 1, end);
    start = comma === -1 ? -1 : written.indexOf("<", comma);
  }
  return null;
}

/** A cursor is often base64, which may begin with a slash and has no question mark. */
const LOOKS_LIKE_A_LINK = /^(https?:\/\/|\?|\/.*\?)/;

function withCursor(current: URL, parameter: string, cursor: string): URL {
  const next = new URL(current.href);
  next.searchParams.set(parameter, cursor);
  return next;
}
