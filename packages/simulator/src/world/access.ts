/** Whom a simulated API lets in: everybody, who has its key, or who has a token of OAuth 2.0. */
import { json, problem, type Answer, type RequestHeaders } from "./answer.ts";

export type Access =
  | { readonly kind: "open" }
  | { readonly kind: "key"; readonly header: string; readonly value: string }
  | { readonly kind: "oauth"; readonly clientId: string; readonly clientSecret: string };

/** An API, and the code it goes by. */
export type GuardedApi = { readonly code: string; readonly access: Access };

const TOKEN_MS = 3_600_000;

/**
 * A token that is its own proof: whose it is and until when it holds, by the world's clock. `speed`: milliseconds of
 * the world for each of the asker's.
 */
export function issueToken(
  { code, access }: GuardedApi,
  form: URLSearchParams,
  atMs: number,
  speed: number,
): Answer {
  const granted =
    access.kind === "oauth" &&
    form.get("client_id") === access.clientId &&
    form.get("client_secret") === access.clientSecret;
  if (!granted) return json(401, { error: "invalid_client" }, atMs);
  const token = { access_token: `${code}.${Math.ceil(atMs + TOKEN_MS * speed)}`, token_type: "Bearer" };
  return json(200, { ...token, expires_in: TOKEN_MS / 1_000 }, atMs);
}

/** Null: come in. */
export function refusalOf(
  { code, access }: GuardedApi,
  headers: RequestHeaders,
  atMs: number,
): Answer | null {
  if (access.kind === "open") return null;
  if (access.kind === "key") {
    return headers[access.header.toLowerCase()] === access.value ? null : problem(401, "unknown key", atMs);
  }
  const [whose, untilMs] = (headers["authorization"] ?? "").replace(/^Bearer /, "").split(".");
  return whose === code && Number(untilMs) > atMs ? null : problem(401, "unknown or expired token", atMs);
}

/** As the service's files say it. */
export function credentialsFor(access: Access, tokenUrl: string): Credentials {
  if (access.kind === "open") return {};
  if (access.kind === "key") return { headers: { [access.header]: access.value } };
  return { oauth: { tokenUrl, clientId: access.clientId, clientSecret: access.clientSecret } };
}

export type Credentials = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly oauth?: { readonly tokenUrl: string; readonly clientId: string; readonly clientSecret: string };
};
