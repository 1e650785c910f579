/**
 * Whose quota a request counts against. An upstream counts by who signs in: an account that does so with credentials
 * of its own alone has a quota of its own, and accounts that have one of them in common share it. Beside a key, a sign-in or
 * a signature that all accounts show, it is the upstream's:
 *
 *     account ─▶ all that it shows is its own ─▶ the quota of these credentials
 *        └─────▶ something is shared, or nothing is its own ─▶ the upstream's quota
 */
import type { CredentialSettings } from "./credentials.ts";
import { mergeHeaders } from "./headers.ts";
import type { OAuthSettings } from "./upstream-schema.ts";

export type SignInSettings = CredentialSettings & {
  /** Of every request. */
  readonly headers?: Texts | undefined;
  readonly parameters?: Texts | undefined;
  /** Signs every request with the upstream's own secret. */
  readonly signature?: object | undefined;
};

type Texts = Readonly<Record<string, string>>;

/** Accounts with credentials of their own, each with the first account that shares its quota: it names the quota. */
export type OwnQuotas = ReadonlyMap<string, string>;

export function ownQuotas(settings: SignInSettings): OwnQuotas {
  const { accounts = {}, signature } = settings;
  if (signature !== undefined) return new Map();
  const shared = credentialsOf(settings);
  let groups: readonly Group[] = [];
  // In one order on every node.
  for (const account of Object.keys(accounts).toSorted()) {
    const { oauth = settings.oauth, headers, parameters } = accounts[account]!;
    const shown = credentialsOf({
      ...settings,
      oauth,
      headers: mergeHeaders(settings.headers ?? {}, headers),
      parameters: { ...settings.parameters, ...parameters },
    });
    if (shown.size > 0 && shown.isDisjointFrom(shared))
      groups = joined(groups, { members: [account], shown });
  }
  return new Map(groups.flatMap(({ members }) => members.map((account) => [account, members[0]!])));
}

type Group = { readonly members: readonly string[]; readonly shown: ReadonlySet<string> };

/** One account may bring two groups together. */
function joined(groups: readonly Group[], added: Group): readonly Group[] {
  const isApart = ({ shown }: Group): boolean => shown.isDisjointFrom(added.shown);
  const all = [...groups.filter((group) => !isApart(group)), added];
  const shown = new Set(all.flatMap((one) => [...one.shown]));
  return [...groups.filter(isApart), { members: all.flatMap(({ members }) => members).toSorted(), shown }];
}

/** Each credential as one text; empty where nobody signs in. */
export function credentialsOf({
  oauth,
  apiKeys,
  headers,
  parameters = {},
}: SignInSettings): ReadonlySet<string> {
  const named = mergeHeaders({}, headers);
  const keyHeader = apiKeys?.header.toLowerCase();
  const keys = keyHeader === undefined || keyHeader in named ? [] : (apiKeys?.values ?? []);
  return new Set([
    ...(oauth === undefined ? [] : [clientOf(oauth)]),
    // A header of the same name takes the place of the keys.
    ...keys.map((key) => JSON.stringify([keyHeader, key])),
    ...Object.entries(named)
      .filter(([name]) => name === keyHeader || NAMES_CREDENTIAL.test(name))
      .map((header) => JSON.stringify(header)),
    ...Object.entries(parameters)
      .filter(([name, value]) => value !== "" && NAMES_KEY.test(name))
      .map(([name, value]) => JSON.stringify(["parameter", name, value])),
  ]);
}

/** The client, whatever it asks the token for. */
const clientOf = ({ tokenUrl, clientId }: OAuthSettings): string => JSON.stringify([tokenUrl, clientId]);

/** `X-Api-Key`, `X-IBM-Client-Id`, `Authorization` … Other headers say nothing of who asks. */
const NAMES_CREDENTIAL = /key|secret|token|passw|auth|cred|client|consumer|cookie|subscription|app-?id/i;

/** Some take a key in the question; a client there may be an end customer. */
const NAMES_KEY = /key|secret|token|passw|auth|cred/i;
