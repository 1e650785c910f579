/** Takes a source's credentials out of whatever is shown or kept. */
import { isObject, parseJson } from "../../model/json.ts";

/** What hides a secret. */
export const HIDDEN = "[hidden]";

export type Mask = {
  /** The text without the secrets known so far. */
  readonly hide: (text: string) => string;
  /** Takes out long secrets alone, which nothing else is spelled as: the text is read on. */
  readonly hideLong: (text: string) => string;
  /** A token that a server gave. */
  readonly add: (secret: string) => void;
};

/** Shorter ones would be found in any text. */
const SECRET_LENGTH_MIN = 4;
const LONG_LENGTH_MIN = 16;
/** Headers and fields that say nothing secret; any other text of the credentials counts as one. */
const PUBLIC = new Set([
  ...["accept", "api-version", "content-type", "user-agent"],
  ...["header", "tokenurl", "scope", "audience", "clientauthentication"],
  ...["thumbprint", "algorithm", "tokenfield", "tokenheader", "tokenprefix"],
]);

/**
 * @param credentials - headers, keys, sign-ins: every text in them counts but those known to say nothing secret.
 * @param more - secrets that stand elsewhere.
 */
export function createMask(credentials: readonly unknown[], more: readonly string[] = []): Mask {
  const secrets = new Set<string>();
  const add = (secret: string): void => {
    if (secret.length < SECRET_LENGTH_MIN) return;
    for (const written of spellingsOf(secret)) secrets.add(written);
    const [, pair] = /^Basic +(\S+)$/i.exec(secret) ?? [];
    if (pair !== undefined) userAndPassword(pair).forEach(add);
  };
  [...credentials.flatMap(textsIn), ...more].forEach(add);
  const hideFrom = (text: string, lengthMin: number): string =>
    [...secrets]
      .filter(({ length }) => length >= lengthMin)
      // The longest first: one may be a part of another.
      .toSorted((one, other) => other.length - one.length)
      .reduce((left, secret) => left.replaceAll(secret, HIDDEN), text);
  return {
    add,
    hide: (text) => hideFrom(text, SECRET_LENGTH_MIN),
    hideLong: (text) => hideFrom(text, LONG_LENGTH_MIN),
  };
}

/** RFC 7617: as they are sent, and what they say. */
function userAndPassword(pair: string): readonly string[] {
  const decoded = Buffer.from(pair, "base64").toString();
  return [pair, decoded, decoded.slice(decoded.indexOf(":") + 1)];
}

/** As it is, in a path, in a query or a form, in JSON. */
const spellingsOf = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams([["", secret]]).toString().slice(1),
  JSON.stringify(secret).slice(1, -1),
];

/** Whether a parameter or a field of this name is a credential: some sources take keys in the question. */
export const namesSecret = (name: string): boolean => /key|secret|token|password|sig|auth|cred/i.test(name);

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

/** Each text by itself: the whole stays JSON, whatever a secret looks like. */
export function withoutSecrets(value: unknown, hide: Mask["hide"]): unknown {
  if (typeof value === "string") return hide(value);
  if (typeof value === "number") return hide(String(value)) === String(value) ? value : HIDDEN;
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, hide));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [hide(name), withoutSecrets(one, hide)]),
  );
}
