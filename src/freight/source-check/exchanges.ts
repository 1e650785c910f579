/** An HTTP port that remembers what came back, to be shown and kept. */
import type { HttpAnswer, HttpOptions, HttpPort } from "../upstream/http.ts";
import { parseJson } from "../../model/json.ts";
import { connectionCode } from "./connection.ts";
import { tokensIn, withoutKeys, type Mask } from "./secrets.ts";
import type { OAuthSettings } from "../upstream/upstream-schema.ts";

/** One request and what came back. */
export type Exchange = {
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly isToken: boolean;
  readonly answer: HttpAnswer;
};

export type WatchedHttp = { readonly http: HttpPort; readonly exchanges: readonly Exchange[] };

/** `signIns`: all that the entry may ask for tokens. */
export function watchHttp(http: HttpPort, signIns: readonly OAuthSettings[], mask: Mask): WatchedHttp {
  const exchanges: Exchange[] = [];
  return {
    exchanges,
    async http(url, options) {
      // A server may repeat what it was shown.
      shownIn(options).forEach(mask.add);
      const answer = await http(url, options);
      const asked = signIns.filter(({ tokenUrl }) => new URL(tokenUrl).href === url.href);
      if (answer.kind === "answered")
        asked.forEach(({ tokenField }) => tokensIn(answer.body, tokenField).forEach(mask.add));
      exchanges.push({ url, method: methodOf(options), isToken: asked.length > 0, answer });
      if (asked.length > 0 || answer.kind === "failed") return answer;
      // A client quotes what it cannot read, and cuts the quotation: half a secret is one.
      const hide = answer.status === 200 ? mask.hideLong : mask.hide;
      return { ...answer, body: hide(answer.body) };
    },
  };
}

/** Of a request: the credentials of an `Authorization` header, and a signed assertion. */
function shownIn({ headers, form }: HttpOptions): readonly string[] {
  const credentials = headers["authorization"]?.replace(/^\S+ /, "");
  return [credentials, form?.["client_assertion"]].filter((one) => one !== undefined);
}

const methodOf = ({ form, body }: HttpOptions): Exchange["method"] =>
  form === undefined && body === undefined ? "GET" : "POST";

/** What was asked, as a person types it. */
export function requestsOf(exchanges: readonly Exchange[], { hide }: Mask): readonly string[] {
  return exchanges.map(({ method, url }) => `${method} ${withoutKeys(hide(url.href))}`);
}

/** Characters that are shown of a body, and of the name of its type. */
const SHOWN_MAX = 200;
const TYPE_MAX = 60;

/**
 * What came back last, without secrets: `HTTP 401 {"error":"invalid_client"}`. Of an answer with a status of 200 only the
 * size is shown, unless it could not be used and is no JSON: then its type, and how it begins.
 */
export function answerText(last: Exchange | undefined, mask: Mask, isUsed = false): string {
  if (last === undefined) return "nothing was sent";
  const { answer, isToken } = last;
  if (answer.kind === "failed") {
    if (answer.reason !== "connection") return answer.reason;
    const code = connectionCode(answer.cause);
    return code === null ? "no connection" : `no connection: ${code}`;
  }
  const { status, body } = answer;
  if (status !== 200) return `HTTP ${status} ${bodyText(answer, mask)}`.trim();
  const came = `HTTP 200, ${Buffer.byteLength(body)} bytes`;
  if (isUsed || isJson(body)) return came;
  // Of a token endpoint, anything but a page may be a token in a form of its own.
  const mayShow = !isToken || /^\s{0,100}<(?:!doctype html|html)/i.test(body);
  return `${came} ${mayShow ? bodyText(answer, mask) : typeText(answer, mask)}`.trim();
}

type Answered = Extract<HttpAnswer, { kind: "answered" }>;

const isJson = (text: string): boolean => parseJson(text) !== undefined;

function bodyText(answer: Answered, mask: Mask): string {
  // Hidden before it is cut: half a secret is one.
  const shown = oneLine(withoutKeys(mask.hide(answer.body)), SHOWN_MAX);
  return isJson(answer.body) ? shown : `${typeText(answer, mask)} ${shown}`.trim();
}

function typeText({ header }: Answered, { hide }: Mask): string {
  const type = header("content-type");
  return type === null ? "" : `(${oneLine(hide(type), TYPE_MAX)})`;
}

/** What others wrote moves no cursor, changes no colour and turns no line around. */
function oneLine(text: string, lengthMax: number): string {
  const line = text
    .replaceAll(/\s+/g, " ")
    .trim()
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, "\ufffd");
  return line.length > lengthMax ? `${line.slice(0, lengthMax).toWellFormed()}…` : line;
}
