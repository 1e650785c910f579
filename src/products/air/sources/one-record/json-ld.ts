/**
 * JSON-LD as ONE Record servers write it → nodes with plain names. A plain name is what follows the last `#`, `/` or
 * `:`, so compact and expanded forms read alike: `cargo:eventCode`, `eventCode` under a `@vocab` and
 * `https://onerecord.iata.org/ns/cargo#eventCode`. No context is fetched.
 */

import type { SlicedWork } from "../../../../runtime/time-slices.ts";

export type LinkedNode = {
  /** The object's IRI. */
  readonly id: string | null;
  /** Plain: `LogisticsEvent`. */
  readonly types: readonly string[];
  /** By plain name. */
  readonly fields: ReadonlyMap<string, readonly LinkedValue[]>;
};

export type LinkedValue = string | number | boolean | LinkedNode;

export type LinkedDocument = {
  /** All nodes, each before its inner nodes. */
  readonly nodes: readonly LinkedNode[];
  /** The node with the fields, if the given one is only a link to it. */
  readonly resolve: (node: LinkedNode) => LinkedNode;
};

/** The rest is not read. */
const NODES_MAX = 20_000;
const DEPTH_MAX = 32;

/** Null: neither an object nor an array. */
export function* readJsonLd(value: unknown): SlicedWork<LinkedDocument | null> {
  if (typeof value !== "object" || value === null) return null;
  const nodes: LinkedNode[] = [];

  function* node(raw: object, depth: number): SlicedWork<LinkedNode> {
    yield;
    const fields = new Map<string, LinkedValue[]>();
    const made = { id: textOf(raw, "@id", "id"), types: typesOf(raw), fields };
    nodes.push(made);
    for (const [key, inside] of Object.entries(raw)) {
      if (KEYWORDS.has(key)) continue;
      const name = fieldName(key);
      const known = fields.get(name);
      const found = known ?? [];
      yield* addValues(found, inside, depth + 1);
      if (known === undefined) fields.set(name, found);
    }
    return made;
  }

  function* addValues(found: LinkedValue[], raw: unknown, depth: number): SlicedWork<void> {
    if (isPlain(raw)) found.push(raw);
    if (typeof raw !== "object" || raw === null) return;
    if (depth > DEPTH_MAX || nodes.length >= NODES_MAX) return;
    if (Array.isArray(raw)) {
      for (const [index, one] of raw.entries()) {
        if (index % VALUES_PER_STEP === 0) yield;
        if (isPlain(one)) found.push(one);
        else yield* addValues(found, one, depth + 1);
      }
      return;
    }
    const wrapped = WRAPPERS.find((keyword) => Object.hasOwn(raw, keyword));
    if (wrapped === undefined) found.push(yield* node(raw, depth));
    else yield* addValues(found, Reflect.get(raw, wrapped), depth + 1);
  }

  yield* addValues([], value, 0);
  const fullNodes = new Map<string, LinkedNode>();
  for (const [index, one] of nodes.entries()) {
    if (index % VALUES_PER_STEP === 0) yield;
    if (one.id !== null && one.fields.size > (fullNodes.get(one.id)?.fields.size ?? 0))
      fullNodes.set(one.id, one);
  }
  return { nodes, resolve: (link) => (link.id === null ? link : (fullNodes.get(link.id) ?? link)) };
}

const VALUES_PER_STEP = 1_000;

function isPlain(raw: unknown): raw is string | number | boolean {
  return typeof raw === "string" || typeof raw === "number" || typeof raw === "boolean";
}

const KEYWORDS = new Set(["@context", "@id", "@type", "id", "type"]);
/** Objects that only wrap values. */
const WRAPPERS = ["@value", "@list", "@set"];

/** What follows the last `#`, `/` or `:`. */
export function plainName(name: string): string {
  return name.slice(Math.max(name.lastIndexOf("#"), name.lastIndexOf("/"), name.lastIndexOf(":")) + 1);
}

/** Some servers begin names of fields with a capital: `Code`. */
function fieldName(key: string): string {
  const name = plainName(key);
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function typesOf(raw: object): readonly string[] {
  const types: unknown = Reflect.get(raw, "@type") ?? Reflect.get(raw, "type");
  if (typeof types === "string") return [plainName(types)];
  return [types].flat().flatMap((type) => (typeof type === "string" ? [plainName(type)] : []));
}

function textOf(raw: object, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value: unknown = Object.hasOwn(raw, name) ? Reflect.get(raw, name) : undefined;
    if (typeof value === "string" && value !== "") return value;
  }
  return null;
}

/** Values read of one field: thousands of links may each read the same node. */
const VALUES_MAX = 10;

/** The first values of the first field present. */
export function valuesOf(node: LinkedNode, ...names: readonly string[]): readonly LinkedValue[] {
  const values = allValuesOf(node, ...names);
  return values.length > VALUES_MAX ? values.slice(0, VALUES_MAX) : values;
}

/** All values of the first field present. */
export function allValuesOf(node: LinkedNode, ...names: readonly string[]): readonly LinkedValue[] {
  for (const name of names) {
    const values = node.fields.get(name);
    if (values !== undefined && values.length > 0) return values;
  }
  return [];
}

export function nodesOf(
  document: LinkedDocument,
  node: LinkedNode,
  ...names: readonly string[]
): readonly LinkedNode[] {
  return resolveNodes(document, valuesOf(node, ...names));
}

/** The nodes among the values, links resolved. */
export function resolveNodes(
  document: LinkedDocument,
  values: readonly LinkedValue[],
): readonly LinkedNode[] {
  return values.flatMap((value) => (typeof value === "object" ? [document.resolve(value)] : []));
}

/** The first text or number, as text. */
export function firstTextOf(node: LinkedNode, ...names: readonly string[]): string | null {
  for (const value of valuesOf(node, ...names)) {
    if (typeof value === "string" || typeof value === "number") {
      const text = String(value).trim();
      if (text !== "") return text;
    }
  }
  return null;
}

export function numberOf(node: LinkedNode, ...names: readonly string[]): number | null {
  const text = firstTextOf(node, ...names);
  const number = text === null ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}

export function booleanOf(node: LinkedNode, name: string): boolean | null {
  const [value] = valuesOf(node, name);
  if (value === true || value === "true") return true;
  return value === false || value === "false" ? false : null;
}

/** Codes in capitals: from a text, the IRI of an entry in a code list, or an entry with its `code`. */
export function codesOf(
  document: LinkedDocument,
  node: LinkedNode,
  ...names: readonly string[]
): readonly string[] {
  return valuesOf(node, ...names).flatMap((value) => {
    if (typeof value !== "object") return [plainCode(String(value))];
    const entry = document.resolve(value);
    const code = firstTextOf(entry, "code") ?? entry.id;
    return code === null ? [] : [plainCode(code)];
  });
}

/** The core code lists put the list's name before the code: `StatusCode_DIS_FDCA`. */
function plainCode(written: string): string {
  return plainName(written)
    .trim()
    .replace(/^(?:[A-Z][a-z]+){2,}_/, "")
    .toUpperCase();
}
