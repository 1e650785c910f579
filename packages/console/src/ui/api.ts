/** Requests of a page to the service that serves it. */

import { answered, createClient, type Answered as AnsweredBy, type Api, type Client } from "@boathook/client";

/** `againMs`: it passes, and a page asks again after so long. */
export type Failure = { readonly status: number; readonly message: string; readonly againMs: number | null };
export type Answered<T> = AnsweredBy<T, Failure>;

/** A page waits no longer: the service answers within seconds or is not there. */
const ANSWER_MS_MAX = 20_000;

const UNREACHABLE = "The service does not answer. It may be restarting.";
const UNREACHABLE_AGAIN_MS = 2_000;

/** Statuses of a refusal that passes, of the service or of a proxy before it; not all say when. */
const PASSING = [429, 502, 503, 504];
const PASSING_AGAIN_MS = 5_000;
const PASSING_AGAIN_MS_MAX = 60_000;

let onSignedOut: () => void = () => undefined;

/** Calls `listener` when an answer says that the session is over. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

type HeadersFor = (path: string) => Promise<Readonly<Record<string, string>>>;

let headersOf: HeadersFor = async () => ({});
let onAnswer: (headers: Headers | null) => void = () => undefined;

/** Sends these headers with each request. */
export function sendWith(headers: HeadersFor): void {
  headersOf = headers;
}

export const headersFor: HeadersFor = (path) => headersOf(path);

/** Calls `listener` with each answer's headers; null: there was no answer. */
export function whenAnswered(listener: (headers: Headers | null) => void): void {
  onAnswer = listener;
}

/** Filters come from the address of a page as text: the service judges what they say. */
export function clientOf<One extends Api>(base: string): Client<One, Failure, string> {
  return createClient(base, send);
}

export async function send<T>(
  method: string,
  path: string,
  body?: unknown,
  answerMsMax = ANSWER_MS_MAX,
): Promise<Answered<T>> {
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { ...type, ...(await headersFor(path)) };
  try {
    const signal = AbortSignal.timeout(answerMsMax);
    const response = await fetch(path, { method, ...sent, headers, signal });
    onAnswer(response.headers);
    const answer = answered<T>(response.status, await response.text());
    if (answer.ok) return answer;
    const { status, message } = answer.failure;
    if (status === 401 && !path.endsWith("/session")) onSignedOut();
    const againMs = againMsOf(status, response.headers.get("retry-after"));
    return { ok: false, failure: { status, message: shownOf(message), againMs } };
  } catch {
    onAnswer(null);
    return { ok: false, failure: { status: 0, message: UNREACHABLE, againMs: UNREACHABLE_AGAIN_MS } };
  }
}

/** `after`: RFC 9110, 10.2.3, of which a date is not read. */
function againMsOf(status: number, after: string | null): number | null {
  if (!PASSING.includes(status)) return null;
  return Number(after) > 0 ? Math.min(Number(after) * 1_000, PASSING_AGAIN_MS_MAX) : PASSING_AGAIN_MS;
}

function shownOf(message: string | null): string {
  if (message === null) return "The service answered with an error that it does not explain.";
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

/** A path with the parts of its query that have a value. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, value] as [string, string]],
  );
  return parts.length === 0 ? path : `${path}?${new URLSearchParams(parts).toString()}`;
}
