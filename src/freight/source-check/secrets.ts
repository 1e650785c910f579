/** Takes a source's credentials out of whatever is shown or kept. */
import { isObject, parseJson } from "../../model/json.ts";
import { spellingsOf, wholeSpellingsOf } from "./spellings.ts";

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

/**
 * Shorter ones are hidden as whole words only, for they are a part of many others. Keeping nothing would be safer still,
 * but most of them are no keys: a user whose header says `X-Sandbox: 1` could never send us a case.
 */
const ANYWHERE_LENGTH_MIN = 4;
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
  const anywhere = new Set<string>();
  const words = new Set<string>();
  const add = (secret: string): void => {
    if (secret === "") return;
    if (secret.length < ANYWHERE_LENGTH_MIN) wholeSpellingsOf(secret).forEach((one) => words.add(one));
    else spellingsOf(secret).forEach((one) => one.length >= ANYWHERE_LENGTH_MIN && anywhere.add(one));
    const [, pair] = /^Basic +(\S+)$/i.exec(secret) ?? [];
    if (pair !== undefined) userAndPassword(pair).forEach(add);
  };
  [...credentials.flatMap(textsIn), ...more].forEach(add);
  return {
    add,
    hide(text) {
      const ofWords = [...words].flatMap((one) => placesOf(one, text, isWord));
      return withoutPlaces(text, [...[...anywhere].flatMap((one) => placesOf(one, text)), ...ofWords]);
    },
    hideLong(text) {
      const long = [...anywhere].filter(({ length }) => length >= LONG_LENGTH_MIN);
      return withoutPlaces(
        text,
        long.flatMap((one) => placesOf(one, text)),
      );
    },
  };
}

/** From a character to the one after the last. */
type Place = readonly [from: number, to: number];

/**
 * In any case of its letters: servers repeat what they refuse as they have it. Overlapping places are one: a secret may
 * begin inside itself. `counts`: which of them are taken.
 */
function placesOf(
  written: string,
  read: string,
  counts: (text: string, place: Place) => boolean = () => true,
): readonly Place[] {
  const [secret, text] = [inSmallLetters(written), inSmallLetters(read)];
  const places: Place[] = [];
  let [first, end] = [0, 0];
  for (let from = text.indexOf(secret); from !== -1; from = text.indexOf(secret, from + 1)) {
    const to = from + secret.length;
    if (!counts(text, [from, to])) continue;
    if (from > end) {
      if (end > 0) places.push([first, end]);
      first = from;
    }
    end = to;
  }
  return end === 0 ? places : [...places, [first, end]];
}

/** Only A to Z: places stay. */
function inSmallLetters(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function isWord(text: string, [from, to]: Place): boolean {
  return !LETTER_OR_DIGIT.test(text.charAt(from - 1)) && !LETTER_OR_DIGIT.test(text.charAt(to));
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Of secrets that overlap in a text, each is hidden whole. */
function withoutPlaces(text: string, places: readonly Place[]): string {
  if (places.length === 0) return text;
  const kept: string[] = [];
  let end = 0;
  for (const [from, to] of places.toSorted(([one], [other]) => one - other)) {
    if (from >= end) kept.push(text.slice(end, from), HIDDEN);
    end = Math.max(end, to);
  }
  return [...kept, text.slice(end)].join("");
}

/** RFC 7617: as they are sent, and what they say. */
function userAndPassword(pair: string): readonly string[] {
  const decoded = Buffer.from(pair, "base64").toString();
  return [pair, decoded, decoded.slice(decoded.indexOf(":") + 1)];
}

/** Whether a parameter or a field of this name is a credential. */
const namesSecret = (name: string): boolean => /key|secret|token|password|sig|auth|cred/i.test(name);

/** Addresses in an answer may repeat the question's keys, or be signed. */
export function withoutKeys(text: string): string {
  return text.replaceAll(
    /([?&]|&amp;|\\u0026)([\w.~-]{1,100})=([^&\s"'<>\\]{1,4096})/g,
    (whole, mark: string, name: string, value: string) =>
      namesSecret(name) || value.length > PARAMETER_CHARS_MAX ? `${mark}${name}=${HIDDEN}` : whole,
  );
}

/** A page, a date, a number. */
const PARAMETER_CHARS_MAX = 40;

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

/** Values whose names say that they are credentials: some sources take keys in the question. */
export const secretsAmong = (named: Iterable<readonly [name: string, value: string]>): readonly string[] =>
  [...named].flatMap(([name, value]) => (namesSecret(name) ? [value] : []));
