/** An HTTP port that remembers what came back, to be shown and kept. */
import type { HttpAnswer, HttpOptions, HttpPort } from "../upstream/http.ts";
import type { OAuthSettings } from "../upstream/oauth.ts";
import { tokensIn, type Mask } from "./secrets.ts";

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

/** Characters of a body that are shown. */
const SHOWN_MAX = 200;

/** `HTTP 401 {"error":"invalid_client"}`, without secrets; the body of a right answer is not shown. */
export function answerText(answer: HttpAnswer, { hide }: Mask): string {
  if (answer.kind === "failed")
    return answer.reason === "connection" ? causeText(answer.cause) : answer.reason;
  const { status, body } = answer;
  if (status === 200) return `HTTP 200, ${Buffer.byteLength(body)} bytes`;
  // Hidden before it is cut: half a secret is one.
  const shown = hide(body).replaceAll(/\s+/g, " ").trim();
  return `HTTP ${status} ${shown.length > SHOWN_MAX ? `${shown.slice(0, SHOWN_MAX)}…` : shown}`.trim();
}

function causeText(cause: unknown): string {
  const { code } = Object(cause) as { code?: unknown };
  return typeof code === "string" ? `no connection: ${code}` : "no connection";
}
