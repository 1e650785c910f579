/**
 * Entries of a file that name a source of a catalogue, written out in full:
 *
 *     {"carrier": "MAEU", "clientId": …, "clientSecret": …, "timeoutMs": 20000}
 *       └─ the catalogue's entry   └─ fills its {clientId}   └─ overrides a field
 *
 * Problems name places and rules, never values: those are secrets.
 */
import { isObject, type JsonObject } from "../../model/json.ts";
import { didYouMean } from "../../runtime/did-you-mean.ts";
import type { SignIn } from "./schema.ts";

/** One entry may become several. */
export type Filled = { readonly entries: readonly JsonObject[] } | { readonly problems: readonly string[] };

type SignsIn = { readonly name: string; readonly signIn: readonly SignIn[] };

export type FilledFields =
  | {
      /** The catalogue's part, and that of the way to sign in, with what was given in it. */
      readonly filled: JsonObject;
      /** What was given beside. */
      readonly overrides: JsonObject;
    }
  | { readonly problems: readonly string[] };

/** Fills an entry's part with the credentials that were given. */
export function filledFields(
  known: SignsIn & { readonly entry?: JsonObject | undefined },
  given: JsonObject,
): FilledFields {
  const signIn = chosenSignIn(known, given);
  const needs = Object.keys(signIn.needs);
  const problems = needs.flatMap((name) => problemOf(name, given, known));
  if (problems.length > 0) return { problems };
  const values = new Map(needs.map((name) => [name, given[name] as string]));
  const overrides = Object.fromEntries(Object.entries(given).filter(([name]) => !values.has(name)));
  const filled = filledIn(merged(known.entry ?? {}, signIn.entry), values) as JsonObject;
  return { filled, overrides };
}

/** `base` with the chosen way's fields and what is given. */
export function filledEntry(known: SignsIn, base: JsonObject, given: JsonObject): Filled {
  const fields = filledFields({ ...known, entry: base }, given);
  return "problems" in fields ? fields : { entries: [merged(fields.filled, fields.overrides)] };
}

/** The one that uses most of what is given, and lacks least; of two alike the first. */
function chosenSignIn({ name, signIn }: SignsIn, given: JsonObject): SignIn {
  const used = ({ needs }: SignIn): number =>
    Object.keys(needs).filter((need) => given[need] !== undefined).length;
  const lacking = (one: SignIn): number => Object.keys(one.needs).length - used(one);
  const [first] = signIn.toSorted((one, other) => used(other) - used(one) || lacking(one) - lacking(other));
  if (first === undefined) throw new Error(`${name} has no way to sign in`);
  return first;
}

/** What may stand in a header, a form and an address. */
const GIVEN = /^[\x21-\x7e](?:[\x20-\x7e]{0,4094}[\x21-\x7e])?$/;

function problemOf(name: string, given: JsonObject, known: SignsIn): readonly string[] {
  const value = given[name];
  if (value === undefined) {
    const typed = Object.keys(given).find((other) => didYouMean(other, [name]) !== null);
    const hint = typed === undefined ? ":" : `; did you mean it by ${typed}?`;
    return [`${name} is missing${hint} ${signsInWith(known)}`];
  }
  const isGiven = typeof value === "string" && GIVEN.test(value);
  return isGiven ? [] : [`${name} must be a text of printable ASCII without spaces around it`];
}

/** `Maersk signs in with clientId and clientSecret`. */
function signsInWith({ name, signIn }: SignsIn): string {
  const ways = signIn.map(({ needs }) => {
    const names = Object.keys(needs);
    return [names.slice(0, -1).join(", "), names.at(-1)].filter((part) => part !== "").join(" and ");
  });
  return `${name} signs in with ${ways.join(", or with ")}`;
}

const PLACEHOLDER = /\{([a-z][A-Za-z]*)\}/g;

/** Placeholders of other names stay: a source's own text may have braces. */
function filledIn(value: unknown, values: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") {
    return value.replaceAll(PLACEHOLDER, (written, name: string) => values.get(name) ?? written);
  }
  if (Array.isArray(value)) return value.map((one) => filledIn(one, values));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filledIn(one, values)]));
}

/** Of two, the second wins; objects are merged but for a quota, whose limits belong together. */
export function merged(base: JsonObject, over: JsonObject): JsonObject {
  const result: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const below = Object.hasOwn(base, name) ? base[name] : undefined;
    result[name] = name !== "quota" && isObject(below) && isObject(value) ? merged(below, value) : value;
  }
  return result;
}
