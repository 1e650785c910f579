/** Takes a carrier's credentials out of whatever is shown or kept. */
import { isObject, parseJson } from "../../../model/json.ts";
import type { Carrier } from "../sources/carriers.ts";

/** What hides a secret. */
export const HIDDEN = "[hidden]";

export type Mask = {
  /** The text without the secrets known so far. */
  readonly hide: (text: string) => string;
  /** A token that a server gave. */
  readonly add: (secret: string) => void;
};

/** Shorter ones would be found in any text. */
const SECRET_LENGTH_MIN = 4;
/** Headers and fields that say nothing secret; any other text of the credentials counts as one. */
const PUBLIC = new Set([
  ...["accept", "api-version", "content-type", "user-agent"],
  ...["header", "tokenurl", "scope", "audience", "clientauthentication"],
  ...["thumbprint", "algorithm", "tokenfield", "tokenheader", "tokenprefix"],
]);

export function createMask(carrier: Carrier): Mask {
  const {
    headers,
    apiKeys,
    oauth,
    parameters = {},
    accounts = {},
    callbackSecrets = [],
    portCalls,
  } = carrier;
  const ofAccounts = Object.values(accounts);
  // Some carriers take keys as parameters of the question.
  const ofQuestion = [parameters, ...ofAccounts.map((account) => account.parameters ?? {})]
    .flatMap((one) => Object.entries(one))
    .flatMap(([name, value]) => (/key|secret|token/i.test(name) ? [value] : []));
  const ofSignIn = [headers, portCalls?.headers, apiKeys, oauth]
    .concat(ofAccounts.flatMap((account) => [account.headers, account.oauth]))
    .flatMap(textsIn);
  const secrets = new Set<string>();
  const add = (secret: string): void => {
    if (secret.length < SECRET_LENGTH_MIN) return;
    for (const written of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
      secrets.add(written);
  };
  [...ofSignIn, ...ofQuestion, ...callbackSecrets].forEach(add);
  return {
    add,
    // The longest first: one may be a part of another.
    hide: (text) =>
      [...secrets]
        .toSorted((one, other) => other.length - one.length)
        .reduce((left, secret) => left.replaceAll(secret, HIDDEN), text),
  };
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => (PUBLIC.has(name.toLowerCase()) ? [] : textsIn(one)));
}

/** The tokens in the answer of a token endpoint. */
export function tokensIn(body: string, field = "access_token"): readonly string[] {
  const answer = parseJson(body);
  const texts = isObject(answer) ? Object.entries(answer) : [];
  return texts.flatMap(([name, value]) =>
    (name === field || name.endsWith("token")) && typeof value === "string" ? [value] : [],
  );
}
