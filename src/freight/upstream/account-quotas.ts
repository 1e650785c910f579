/**
 * Whose quota a request counts against. An upstream counts by who signs in: an account that does so with credentials
 * of its own alone has a quota of its own, and accounts with the same credentials share it. Beside a key, a sign-in or a
 * signature that all accounts show, it is the upstream's:
 *
 *     account ─▶ all that it shows is its own ─▶ the quota of these credentials
 *        └─────▶ something is shared, or nothing is its own ─▶ the upstream's quota
 */
import type { CredentialSettings } from "./credentials.ts";
import { mergeHeaders } from "./headers.ts";
import type { OAuthSettings } from "./oauth.ts";

export type SignInSettings = CredentialSettings & {
  /** Of every request. */
  readonly headers?: Headers | undefined;
  /** Signs every request with the upstream's own secret. */
  readonly signature?: object | undefined;
};

type Headers = Readonly<Record<string, string>>;

/** Accounts with credentials of their own, and the first account that has the same ones: it names their quota. */
export type OwnQuotas = ReadonlyMap<string, string>;

export function ownQuotas(settings: SignInSettings): OwnQuotas {
  const { accounts = {}, signature } = settings;
  if (signature !== undefined) return new Map();
  const shared = credentialsOf(settings);
  const firsts = new Map<string, string>();
  const own = new Map<string, string>();
  // In one order on every node.
  for (const account of Object.keys(accounts).toSorted()) {
    const { oauth = settings.oauth, headers } = accounts[account]!;
    const shown = credentialsOf({
      ...settings,
      oauth,
      headers: mergeHeaders(settings.headers ?? {}, headers),
    });
    if (shown.size === 0 || !shown.isDisjointFrom(shared)) continue;
    const key = [...shown].toSorted().join("\n");
    own.set(account, firsts.getOrInsert(key, account));
  }
  return own;
}

/** Each credential as one text. */
function credentialsOf({ oauth, apiKeys, headers }: SignInSettings): ReadonlySet<string> {
  const named = mergeHeaders({}, headers);
  const keyHeader = apiKeys?.header.toLowerCase();
  return new Set([
    ...(oauth === undefined ? [] : [clientOf(oauth)]),
    // A header of the same name takes the place of the keys.
    ...(keyHeader === undefined || keyHeader in named ? [] : [JSON.stringify([keyHeader])]),
    ...Object.entries(named)
      .filter(([name]) => name === keyHeader || NAMES_CREDENTIAL.test(name))
      .map((header) => JSON.stringify(header)),
  ]);
}

/** The client, whatever it asks the token for. */
const clientOf = ({ tokenUrl, clientId }: OAuthSettings): string => JSON.stringify([tokenUrl, clientId]);

/** `X-Api-Key`, `X-IBM-Client-Id`, `Authorization` … Other headers say nothing of who asks. */
const NAMES_CREDENTIAL = /key|secret|token|passw|auth|cred|client|consumer|cookie|subscription|app-?id/i;
