/** A request → what the line's API answers at a moment: access, spells, filters and pages. */
import type { Line } from "./lines.ts";
import type { Spell } from "./spells.ts";
import type { WrittenEvent } from "./writing.ts";

export type HarbourAnswer = {
  /** 0: the line keeps the request and never answers. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Headers by their lower-case names. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;

const TOKEN_MS = 3_600_000;

/** A token that is its own proof: whose it is and until when it holds, by the harbour's clock. */
export function issueToken(line: Line, form: URLSearchParams, atMs: number, speed: number): HarbourAnswer {
  const { access } = line;
  const granted =
    access.kind === "oauth" &&
    form.get("client_id") === access.clientId &&
    form.get("client_secret") === access.clientSecret;
  if (!granted) return json(401, { error: "invalid_client" }, atMs);
  const token = { access_token: `${line.scac}.${Math.ceil(atMs + TOKEN_MS * speed)}`, token_type: "Bearer" };
  return json(200, { ...token, expires_in: TOKEN_MS / 1_000 }, atMs);
}

/** Null: come in. */
export function refusalOf(
  { access, scac }: Line,
  headers: RequestHeaders,
  atMs: number,
): HarbourAnswer | null {
  if (access.kind === "open") return null;
  if (access.kind === "key") {
    return headers[access.header.toLowerCase()] === access.value ? null : problem(401, "unknown key", atMs);
  }
  const [whose, untilMs] = (headers["authorization"] ?? "").replace(/^Bearer /, "").split(".");
  return whose === scac && Number(untilMs) > atMs ? null : problem(401, "unknown or expired token", atMs);
}

export function answerInSpell({ kind, untilMs }: Spell, atMs: number): HarbourAnswer {
  if (kind === "silent") return { status: 0, headers: {}, body: "" };
  if (kind === "failing") return problem(503, "out of service", atMs);
  const seconds = Math.ceil((untilMs - atMs) / 1_000);
  const { headers, ...rest } = problem(429, "too many requests", atMs);
  return { ...rest, headers: { ...headers, "retry-after": String(seconds) } };
}

/** 2.2 answers 404 for what it does not know, 3.0 an empty list. */
export function unknownTo(line: Line, atMs: number): HarbourAnswer {
  if (line.version === "2.2") return problem(404, "no events are known for this reference", atMs);
  return json(200, { events: [] }, atMs, line);
}

export function pageOf(line: Line, events: readonly WrittenEvent[], url: URL, atMs: number): HarbourAnswer {
  const limit = Math.min(wholeOf(url, "limit") || Infinity, line.paging?.events ?? Infinity);
  const from = wholeOf(url, "cursor");
  const shown = limit === Infinity && from === 0 ? events : events.slice(from, from + limit);
  const answer = json(200, line.envelope === null ? shown : { [line.envelope]: shown }, atMs, line);
  const next = from + limit;
  if (next >= events.length) return answer;
  return { ...answer, headers: { ...answer.headers, ...linkTo(line, url, String(next)) } };
}

function linkTo(line: Line, url: URL, cursor: string): Readonly<Record<string, string>> {
  if (line.version === "3.0") return { "next-page-cursor": cursor };
  if (line.paging?.by === "cursor") return { "next-page": cursor };
  const next = new URL(url.href);
  next.searchParams.set("cursor", cursor);
  return { "next-page": next.pathname + next.search };
}

function wholeOf(url: URL, name: string): number {
  const number = Number(url.searchParams.get(name) ?? 0);
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}

export function problem(status: number, message: string, atMs: number): HarbourAnswer {
  return json(status, { errors: [{ reason: message, message }] }, atMs);
}

function json(status: number, value: unknown, atMs: number, line?: Line): HarbourAnswer {
  return {
    status,
    headers: {
      "content-type": "application/json",
      // Of this world's time, so that who asks can judge the estimates by it.
      date: new Date(atMs).toUTCString(),
      ...(line === undefined ? {} : { "api-version": line.version === "3.0" ? "3.0.0" : "2.2.0" }),
    },
    body: JSON.stringify(value),
  };
}
