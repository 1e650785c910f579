/**
 * OAuth 2.0 client credentials (RFC 6749, 4.4): one token for all requests to an upstream.
 *
 *     none ─(asked for)─▶ fetching, shared by all ─▶ held ─(soon to expire, or a 401)─▶ fetching ─▶ …
 *                             └─ refused or unavailable: the answer of all who wait, kept for a while
 *
 * While a token is renewed because it is about to expire, the old one still serves if that fails.
 */
import { createHash } from "node:crypto";

import type { Clock } from "../../runtime/clock.ts";
import { MINUTE_MS } from "../../runtime/durations.ts";
import type { Random } from "../../runtime/random.ts";
import { readRetryAfter } from "./headers.ts";
import type { HttpAnswer, HttpPort } from "./http.ts";
import { expiryOf, readSigningKey } from "./signing-key.ts";
import type { OAuthSettings, AssertionSettings } from "./upstream-schema.ts";

export type TokenAnswer =
  | { readonly kind: "token"; readonly value: string }
  /** The token endpoint does not accept who we are. */
  | { readonly kind: "not_permitted"; readonly status: number }
  /** `reason` as that of an answer: `oauth_timeout`, `oauth_http_503`, `oauth_not_json` … */
  | { readonly kind: "failed"; readonly reason: string; readonly retryAfterMs: number | null };

/** What the reasons of failures begin with. */
export const OAUTH_REASON = "oauth_";

export type OAuth = {
  token(): Promise<TokenAnswer>;
  /** The API refused this token: another one, unless the last one was fetched for the same reason just now. */
  renew(refused: string): Promise<TokenAnswer>;
};

const TOKEN_TIMEOUT_MS = 10_000;
const TOKEN_ANSWER_BYTES_MAX = 64 * 1024;
const TOKEN_LENGTH_MAX = 8_192;
/** Where the answer names no lifetime. */
const LIFETIME_DEFAULT_S = 300;
/** A token is renewed when this part of its life is left, and this long before at most. */
const RENEW_SHARE = 1 / 10;
const RENEW_AHEAD_MS_MAX = MINUTE_MS;
/** Credentials that were refused are not tried again for so long: accounts are locked for less. */
const REFUSAL_CACHE_MS = MINUTE_MS;
const FAILURE_CACHE_MS = 1_000;

type HeldToken = { readonly value: string; readonly renewAtMs: number; readonly expiresAtMs: number };
type CachedFailure = { readonly answer: Exclude<TokenAnswer, { kind: "token" }>; readonly untilMs: number };

/** The header that carries a token to the API. */
export function tokenHeaders(
  { tokenHeader, tokenPrefix }: Pick<OAuthSettings, "tokenHeader" | "tokenPrefix">,
  token: string,
): Readonly<Record<string, string>> {
  const name = tokenHeader?.toLowerCase() ?? "authorization";
  return { [name]: `${tokenPrefix ?? (name === "authorization" ? "Bearer " : "")}${token}` };
}

export type OAuthPorts = AssertionPorts & { readonly http: HttpPort };

export function createOAuth(settings: OAuthSettings, ports: OAuthPorts): OAuth {
  const { clock } = ports;
  let held: HeldToken | null = null;
  let kept: CachedFailure | null = null;
  let fetching: Promise<TokenAnswer> | null = null;
  let lastRenewalMs = Number.NEGATIVE_INFINITY;

  async function fetched(): Promise<TokenAnswer> {
    const answer = await fetchToken(settings, ports);
    const nowMs = clock.monotonicMs();
    if ("expiresInMs" in answer) {
      const aheadMs = Math.min(answer.expiresInMs * RENEW_SHARE, RENEW_AHEAD_MS_MAX);
      const expiresAtMs = nowMs + answer.expiresInMs;
      held = { value: answer.value, renewAtMs: expiresAtMs - aheadMs, expiresAtMs };
      return { kind: "token", value: answer.value };
    }
    const keptMs = answer.kind === "not_permitted" ? REFUSAL_CACHE_MS : FAILURE_CACHE_MS;
    kept = { answer, untilMs: nowMs + keptMs };
    return heldOr(answer, nowMs);
  }

  /** A token that is about to expire still serves. */
  function heldOr(failure: TokenAnswer, nowMs: number): TokenAnswer {
    return held !== null && nowMs < held.expiresAtMs ? { kind: "token", value: held.value } : failure;
  }

  async function token(): Promise<TokenAnswer> {
    const nowMs = clock.monotonicMs();
    if (held !== null && nowMs < held.renewAtMs) return { kind: "token", value: held.value };
    if (kept !== null && nowMs < kept.untilMs) return heldOr(kept.answer, nowMs);
    fetching ??= fetched().finally(() => {
      fetching = null;
    });
    return fetching;
  }

  return {
    token,
    async renew(refused) {
      if (held?.value === refused && fetching === null) {
        const nowMs = clock.monotonicMs();
        if (nowMs - lastRenewalMs < REFUSAL_CACHE_MS) return { kind: "not_permitted", status: 401 };
        lastRenewalMs = nowMs;
        held = null;
      }
      return token();
    },
  };
}

type Fetched =
  | { readonly value: string; readonly expiresInMs: number }
  | Exclude<TokenAnswer, { kind: "token" }>;

async function fetchToken(settings: OAuthSettings, ports: OAuthPorts): Promise<Fetched> {
  const { tokenUrl, clientId, clientSecret = "", assertion, scope, audience, parameters } = settings;
  const basic = settings.clientAuthentication === "basic";
  const shown = assertion === undefined ? null : await signAssertion(assertion, settings, ports);
  if (shown?.kind === "unsigned") return failed(shown.reason);
  const secret = basic ? {} : { client_id: clientId, client_secret: clientSecret };
  const answer = await ports.http(new URL(tokenUrl), {
    headers: { ...settings.headers, ...(basic ? { authorization: basicOf(clientId, clientSecret) } : {}) },
    form: {
      grant_type: "client_credentials",
      ...(shown?.form ?? secret),
      ...(scope === undefined ? {} : { scope }),
      ...(audience === undefined ? {} : { audience }),
      ...parameters,
    },
    timeoutMs: TOKEN_TIMEOUT_MS,
    bodyBytesMax: TOKEN_ANSWER_BYTES_MAX,
  });
  if (answer.kind === "failed") return failed(answer.reason);
  if (answer.status !== 200) return refusal(answer, ports.clock.nowMs());
  return readToken(answer.body, settings.tokenField ?? "access_token");
}

/** RFC 6749, 2.3.1: both parts are encoded as forms are. */
function basicOf(clientId: string, clientSecret: string): string {
  const encoded = (text: string): string => new URLSearchParams({ "": text }).toString().slice(1);
  return `Basic ${Buffer.from(`${encoded(clientId)}:${encoded(clientSecret)}`).toString("base64")}`;
}

function refusal({ status, header }: HttpAnswer & { kind: "answered" }, nowMs: number): Fetched {
  // A wrong secret is 400 `invalid_client` to some and 401 to others (RFC 6749, 5.2).
  if (status === 400 || status === 401 || status === 403) return { kind: "not_permitted", status };
  return failed(`http_${status}`, readRetryAfter(header("retry-after"), nowMs));
}

function readToken(body: string, field: string): Fetched {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return failed("not_json");
  }
  const { [field]: token, expires_in: lifetime } = Object(value) as Record<string, unknown>;
  // Anything else could not stand in a header.
  if (typeof token !== "string" || token.length > TOKEN_LENGTH_MAX || !/^[\x21-\x7e]+$/.test(token)) {
    return failed("no_token");
  }
  const seconds = lifetime === undefined || lifetime === null ? LIFETIME_DEFAULT_S : Number(lifetime);
  return { value: token, expiresInMs: Number.isFinite(seconds) ? Math.max(0, seconds) * 1000 : 0 };
}

function failed(reason: string, retryAfterMs: number | null = null): Fetched {
  return { kind: "failed", reason: `${OAUTH_REASON}${reason}`, retryAfterMs };
}

type AssertionPorts = { readonly clock: Clock; readonly random: Pick<Random, "fraction"> };

type Assertion =
  | { readonly kind: "signed"; readonly form: Readonly<Record<string, string>> }
  /** A short stable code. */
  | { readonly kind: "unsigned"; readonly reason: string };

const LIFETIME_S_DEFAULT = 300;
/** What the endpoint's clock may be behind. */
const CLOCK_SKEW_S = 30;
const TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

let signed = 0;

/** Shows a token endpoint who the client is (`private_key_jwt`, RFC 7523). */
async function signAssertion(
  settings: AssertionSettings,
  { clientId, tokenUrl }: { readonly clientId: string; readonly tokenUrl: string },
  { clock, random }: AssertionPorts,
): Promise<Assertion> {
  const read = readSigningKey(settings);
  if (read.kind === "unusable") return { kind: "unsigned", reason: "key_unusable" };
  const nowMs = clock.nowMs();
  const expiry = expiryOf(read, nowMs);
  if (expiry !== null) return { kind: "unsigned", reason: `certificate_${expiry}` };
  const { key, algorithm, thumbprint } = read;
  const { keyId, audience = tokenUrl, lifetimeSeconds = LIFETIME_S_DEFAULT } = settings;
  const nowS = Math.floor(nowMs / 1000);
  signed += 1;
  // Never used twice, by no node (RFC 7523, 3); it need not be secret.
  const id = createHash("sha256").update(`${clientId} ${nowMs} ${random.fraction()} ${signed}`);
  // Loaded by those alone that sign.
  const { SignJWT } = await import("jose");
  const assertion = await new SignJWT({})
    .setProtectedHeader({
      alg: algorithm,
      typ: "JWT",
      ...(keyId === undefined ? {} : { kid: keyId }),
      ...thumbprint,
    })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(audience)
    .setJti(id.digest("base64url"))
    .setIssuedAt(nowS)
    .setNotBefore(nowS - CLOCK_SKEW_S)
    .setExpirationTime(nowS + lifetimeSeconds)
    .sign(key);
  return {
    kind: "signed",
    form: { client_id: clientId, client_assertion_type: TYPE, client_assertion: assertion },
  };
}
