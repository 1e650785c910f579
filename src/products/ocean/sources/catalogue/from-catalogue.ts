/**
 * Entries of a carriers file that name a carrier of the catalogue, written out in full:
 *
 *     {"carrier": "MAEU", "clientId": …, "clientSecret": …, "timeoutMs": 20000}
 *       └─ the catalogue's entry   └─ fills its {clientId}   └─ overrides a field
 *
 * Problems name places and rules, never values: those are secrets.
 */
import { isObject, parseJson, type JsonObject } from "../../../../model/json.ts";
import { entryOf, type Catalogue, type CatalogueEntry, type SignIn } from "./catalogue.ts";

export type WrittenOut =
  | { readonly kind: "written"; readonly text: string }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** Other text does not change: its reader says what is wrong. */
export function writtenOut(text: string, catalogue: () => Catalogue): WrittenOut {
  const entries = parseJson(text);
  if (!Array.isArray(entries) || !entries.some(isNamed)) return { kind: "written", text };
  const problems: string[] = [];
  const written = entries.map((entry: unknown, index) => {
    if (!isNamed(entry)) return entry;
    const filled = filledEntry(entry, catalogue());
    if (!("problems" in filled)) return filled.entry;
    problems.push(...filled.problems.map((problem) => `/${index}/${problem}`));
    return entry;
  });
  return problems.length > 0
    ? { kind: "invalid", problems }
    : { kind: "written", text: JSON.stringify(written) };
}

function isNamed(entry: unknown): entry is JsonObject {
  return isObject(entry) && Object.hasOwn(entry, "carrier");
}

type Filled = { readonly entry: object } | { readonly problems: readonly string[] };

function filledEntry({ carrier, ...given }: JsonObject, catalogue: Catalogue): Filled {
  const known = typeof carrier === "string" ? entryOf(catalogue, carrier) : null;
  if (known === null) {
    return { problems: ["carrier must be a SCAC that `boathook carriers catalogue` lists"] };
  }
  if (known.unsupported !== undefined) {
    return { problems: [`carrier cannot be polled: ${known.unsupported}`] };
  }
  const signIn = chosenSignIn(known, given);
  const needs = Object.keys(signIn.needs);
  const problems = needs.flatMap((name) => problemOf(name, given[name], known));
  if (problems.length > 0) return { problems };
  const values = new Map(needs.map((name) => [name, given[name] as string]));
  const overrides = Object.fromEntries(Object.entries(given).filter(([name]) => !values.has(name)));
  const { scac, name, entry = {} } = known;
  const whole = filledIn(merged(entry, signIn.entry), values) as JsonObject;
  return { entry: merged({ scac, name, ...whole }, overrides) };
}

/** The one that uses most of what is given, and lacks least; of two alike the first. */
function chosenSignIn({ name, signIn }: CatalogueEntry, given: JsonObject): SignIn {
  const used = ({ needs }: SignIn): number =>
    Object.keys(needs).filter((need) => given[need] !== undefined).length;
  const lacking = (one: SignIn): number => Object.keys(one.needs).length - used(one);
  const [first] = signIn.toSorted((one, other) => used(other) - used(one) || lacking(one) - lacking(other));
  if (first === undefined) throw new Error(`${name} has no way to sign in`);
  return first;
}

/** What may stand in a header, a form and an address. */
const GIVEN = /^[\x21-\x7e](?:[\x20-\x7e]{0,4094}[\x21-\x7e])?$/;

function problemOf(name: string, value: unknown, known: CatalogueEntry): readonly string[] {
  if (value === undefined) return [`${name} is missing: ${signsInWith(known)}`];
  const isGiven = typeof value === "string" && GIVEN.test(value);
  return isGiven ? [] : [`${name} must be a text of printable ASCII without spaces around it`];
}

/** `Maersk signs in with clientId and clientSecret`. */
export function signsInWith({ name, signIn }: CatalogueEntry): string {
  const ways = signIn.map(({ needs }) => {
    const names = Object.keys(needs);
    return [names.slice(0, -1).join(", "), names.at(-1)].filter((part) => part !== "").join(" and ");
  });
  return `${name} signs in with ${ways.join(", or with ")}`;
}

const PLACEHOLDER = /\{([a-z][A-Za-z]*)\}/g;

/** Placeholders of other names stay: a carrier's own text may have braces. */
function filledIn(value: unknown, values: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") {
    return value.replaceAll(PLACEHOLDER, (written, name: string) => values.get(name) ?? written);
  }
  if (Array.isArray(value)) return value.map((one) => filledIn(one, values));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filledIn(one, values)]));
}

/** Of two, the second wins; objects are merged but for a quota, whose limits belong together. */
function merged(base: JsonObject, over: JsonObject): JsonObject {
  const result: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const below = Object.hasOwn(base, name) ? base[name] : undefined;
    result[name] = name !== "quota" && isObject(below) && isObject(value) ? merged(below, value) : value;
  }
  return result;
}
