/** Fetches all pages of one answer of a DCSA API, unparsed. */
import type { Clock } from "../../runtime/clock.ts";
import { answerDateMs } from "../upstream/headers.ts";
import { noAnswerOf, unavailable, type NoAnswer } from "../upstream/no-answer.ts";
import type { UpstreamGet } from "../upstream/upstream.ts";

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

/** All pages of one answer together. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
const PAGES_MAX = 50;

export async function fetchPages(
  get: UpstreamGet,
  wanted: PagesRequest,
  clock: Clock,
): Promise<Pages | NoAnswer> {
  const { first, headers } = wanted;
  const deadlineMs = clock.monotonicMs() + wanted.timeoutMs;
  const asked = new Set<string>();
  const bodies: string[] = [];
  let bytesLeft = ANSWER_BYTES_MAX;
  let dateMs: number | null = null;
  for (let url = first; ;) {
    const timeoutMs = deadlineMs - clock.monotonicMs();
    if (timeoutMs <= 0) return unavailable("timeout");
    // A later page waits for the quota as long as it can: to begin again would cost as much.
    const waiting = asked.size === 0 ? {} : { quotaWaitMsMax: timeoutMs };
    const answer = await get(url, { headers, timeoutMs, bodyBytesMax: bytesLeft, ...waiting });
    const noAnswer = noAnswerOf(answer, clock.nowMs());
    if (noAnswer !== null || answer.kind !== "answered") return noAnswer ?? unavailable("connection");
    if (answer.status !== 204) bodies.push(answer.body);
    bytesLeft -= Buffer.byteLength(answer.body);
    dateMs ??= answerDateMs(answer.header);
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

/**
 * The page after `current`, null when it was the last. 3.0 has `Next-Page-Cursor`, to be sent with the
 * first page's parameters. 2.2 calls `Next-Page` a link and shows a cursor, and carriers send either, or
 * a `Link` (RFC 8288). A link to another host is not followed: the carrier's key must not leave it.
 */
export function nextPageUrl(current: URL, header: (name: string) => string | null): URL | "elsewhere" | null {
  const cursor = header("next-page-cursor")?.trim();
  if (cursor !== undefined && cursor !== "") return withCursor(current, cursor);
  const linked = LINK.exec(header("link") ?? "")?.[1];
  const written = linked === undefined ? header("next-page")?.trim() : `<${linked}>`;
  if (written === undefined || written === "") return null;
  const bracketed = /^<([^>]*)>/.exec(written)?.[1];
  if (bracketed === undefined && !LOOKS_LIKE_A_LINK.test(written)) return withCursor(current, written);
  const link = bracketed ?? written;
  if (!URL.canParse(link, current.href)) return "elsewhere";
  const next = new URL(link, current.href);
  return next.origin === current.origin ? next : "elsewhere";
}

const LINK = /<([^>]*)>\s*;[^,]*\brel="?next\b/;
/** A cursor is often base64, which may begin with a slash and has no question mark. */
const LOOKS_LIKE_A_LINK = /^(https?:\/\/|\?|\/.*\?)/;

function withCursor(current: URL, cursor: string): URL {
  const next = new URL(current.href);
  next.searchParams.set("cursor", cursor);
  return next;
}
