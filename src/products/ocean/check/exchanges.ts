/** An HTTP port that remembers what came back, to be shown and kept. */
import type { HttpAnswer, HttpPort } from "../../../freight/upstream/http.ts";
import type { OAuthSettings } from "../../../freight/upstream/oauth.ts";
import { tokensIn, type Mask } from "./secrets.ts";

/** One request and what came back. */
export type Exchange = { readonly url: URL; readonly isToken: boolean; readonly answer: HttpAnswer };

export type WatchedHttp = { readonly http: HttpPort; readonly exchanges: readonly Exchange[] };

export function watchHttp(http: HttpPort, oauth: OAuthSettings | undefined, mask: Mask): WatchedHttp {
  const tokenUrl = oauth === undefined ? null : new URL(oauth.tokenUrl).href;
  const exchanges: Exchange[] = [];
  return {
    exchanges,
    async http(url, options) {
      const answer = await http(url, options);
      const isToken = url.href === tokenUrl;
      if (isToken && answer.kind === "answered") tokensIn(answer.body, oauth?.tokenField).forEach(mask.add);
      exchanges.push({ url, isToken, answer });
      return answer;
    },
  };
}

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
