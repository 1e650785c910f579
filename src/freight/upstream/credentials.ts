/**
 * What shows an upstream who asks: a subscription key, a token, or both; a token by account where the account has
 * credentials of its own.
 *
 *     request ─▶ token ─▶ key ─▶ sent ─▶ answered
 *                          ▲      └─ 401 ─▶ the next key; all refused: once more with a new token
 *                          └──────────────────┘
 */
import { MINUTE_MS } from "../../runtime/durations.ts";
import { createOAuth, tokenHeaders, type OAuth, type OAuthPorts, type TokenAnswer } from "./oauth.ts";
import type { ApiKeySettings, OAuthSettings } from "./upstream-schema.ts";

export type CredentialSettings = {
  readonly oauth?: OAuthSettings | undefined;
  readonly apiKeys?: ApiKeySettings | undefined;
  /** By account. */
  readonly accounts?: Readonly<Record<string, AccountCredentials>> | undefined;
};

type AccountCredentials = {
  readonly oauth?: OAuthSettings | undefined;
  readonly headers?: Headers | undefined;
  readonly parameters?: Readonly<Record<string, string>> | undefined;
};

type Headers = Readonly<Record<string, string>>;
/** `token` overrides the request's headers, `key` does not. */
type Shown = { readonly token: Headers; readonly key: Headers };
type Answered = { readonly kind: string; readonly status?: number };
type Send<Answer extends Answered> = (shown: Shown) => Promise<Answer>;
type NoToken = Exclude<TokenAnswer, { kind: "token" }>;

/** Sends with the credentials of an account, or with the upstream's own. */
type SendAs<Answer extends Answered> = (
  account: string | undefined,
  send: Send<Answer>,
) => Promise<Answer | NoToken>;

export function createCredentials<Answer extends Answered>(
  settings: CredentialSettings,
  ports: OAuthPorts,
): SendAs<Answer> {
  const sendKeyed = createKeys<Answer>(settings, ports);
  const tokensOf = createTokens(ports);
  return async (account, send) => {
    const own = account === undefined ? undefined : settings.accounts?.[account]?.oauth;
    const oauth = own ?? settings.oauth;
    if (oauth === undefined) return sendKeyed({}, send);
    const tokens = tokensOf(oauth);
    const token = await tokens.token();
    if (token.kind !== "token") return token;
    const answer = await sendKeyed(tokenHeaders(oauth, token.value), send);
    if (!isUnauthorized(answer)) return answer;
    const renewed = await tokens.renew(token.value);
    if (renewed.kind !== "token") return renewed;
    return renewed.value === token.value ? answer : sendKeyed(tokenHeaders(oauth, renewed.value), send);
  };
}

function isUnauthorized({ kind, status }: Answered): boolean {
  return kind === "answered" && status === 401;
}

function createTokens(ports: OAuthPorts): (oauth: OAuthSettings) => OAuth {
  const created = new Map<OAuthSettings, OAuth>();
  return (oauth) => created.getOrInsertComputed(oauth, () => createOAuth(oauth, ports));
}

/** After all keys were refused, one alone is tried for so long. */
const ALL_REFUSED_MS = MINUTE_MS;

function createKeys<Answer extends Answered>({ apiKeys }: CredentialSettings, { clock }: OAuthPorts) {
  let current = 0;
  let allRefusedUntilMs = Number.NEGATIVE_INFINITY;
  return async (token: Headers, send: Send<Answer>): Promise<Answer> => {
    if (apiKeys === undefined) return send({ token, key: {} });
    const { header, values } = apiKeys;
    const sendWith = (index: number): Promise<Answer> =>
      send({ token, key: { [header.toLowerCase()]: values[index]! } });
    const first = current;
    let answer = await sendWith(first);
    if (!isUnauthorized(answer) || clock.monotonicMs() < allRefusedUntilMs) return answer;
    for (let step = 1; step < values.length; step += 1) {
      const index = (first + step) % values.length;
      answer = await sendWith(index);
      if (isUnauthorized(answer)) continue;
      if (answer.kind === "answered") current = index;
      return answer;
    }
    allRefusedUntilMs = clock.monotonicMs() + ALL_REFUSED_MS;
    return answer;
  };
}
