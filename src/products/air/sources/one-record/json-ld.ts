/**
 * JSON-LD as ONE Record servers write it → nodes with plain names. Compact and expanded forms read alike,
 * since a name is what stands behind the last `#`, `/` or `:` of it: `cargo:eventCode`, `eventCode` under a
 * `@vocab` and `https://onerecord.iata.org/ns/cargo#eventCode` are one. No context is fetched.
 */

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
  /** All nodes, each before those inside it. */
  readonly nodes: readonly LinkedNode[];
  /** The node that is told of where this one may be but a link to it. */
  readonly resolve: (node: LinkedNode) => LinkedNode;
};

/** Beyond these what is left is not read. */
const NODES_MAX = 20_000;
const DEPTH_MAX = 32;

/** Null: neither an object nor a list of them. */
export function readJsonLd(value: unknown): LinkedDocument | null {
  if (typeof value !== "object" || value === null) return null;
  const nodes: LinkedNode[] = [];

  const node = (raw: object, depth: number): LinkedNode => {
    const fields = new Map<string, LinkedValue[]>();
    const made = { id: textOf(raw, "@id", "id"), types: typesOf(raw), fields };
    nodes.push(made);
    for (const [key, inside] of Object.entries(raw)) {
      if (KEYWORDS.has(key)) continue;
      const name = plainName(key);
      const known = fields.get(name);
      const found = values(inside, depth + 1);
      if (known === undefined) fields.set(name, found);
      else for (const one of found) known.push(one);
    }
    return made;
  };

  const values = (raw: unknown, depth: number): LinkedValue[] => {
    if (typeof raw === "string" || typeof raw === "number" || typeof raw === "boolean") return [raw];
    if (typeof raw !== "object" || raw === null) return [];
    if (depth > DEPTH_MAX || nodes.length >= NODES_MAX) return [];
    if (Array.isArray(raw)) return raw.flatMap((one: unknown) => values(one, depth + 1));
    const wrapped = WRAPPERS.find((keyword) => Object.hasOwn(raw, keyword));
    return wrapped === undefined ? [node(raw, depth)] : values(Reflect.get(raw, wrapped), depth + 1);
  };

  values(value, 0);
  const told = new Map<string, LinkedNode>();
  for (const one of nodes) {
    if (one.id !== null && one.fields.size > (told.get(one.id)?.fields.size ?? 0)) told.set(one.id, one);
  }
  return { nodes, resolve: (one) => (one.id === null ? one : (told.get(one.id) ?? one)) };
}

const KEYWORDS = new Set(["@context", "@id", "@type", "id", "type"]);
/** What only stands around values. */
const WRAPPERS = ["@value", "@list", "@set"];

/** What stands behind the last `#`, `/` or `:`. */
export function plainName(name: string): string {
  return name.slice(Math.max(name.lastIndexOf("#"), name.lastIndexOf("/"), name.lastIndexOf(":")) + 1);
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

/** Values of one field, but where all count: a node may be linked to by thousands, which read it each. */
const VALUES_MAX = 10;

/** The first of the fields that is there, the first few of its values. */
export function valuesOf(node: LinkedNode, ...names: readonly string[]): readonly LinkedValue[] {
  const values = allValuesOf(node, ...names);
  return values.length > VALUES_MAX ? values.slice(0, VALUES_MAX) : values;
}

/** The first of the fields that is there, all of its values. */
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

/** The nodes among values, each as it is told of. */
export function resolveNodes(
  document: LinkedDocument,
  values: readonly LinkedValue[],
): readonly LinkedNode[] {
  return values.flatMap((value) => (typeof value === "object" ? [document.resolve(value)] : []));
}

/** The first value that is text or a number, as text. */
export function firstTextOf(node: LinkedNode, ...names: readonly string[]): string | null {
  for (const value of valuesOf(node, ...names)) {
    if (typeof value === "string" || typeof value === "number") {
      const word = String(value).trim();
      if (word !== "") return word;
    }
  }
  return null;
}

export function numberOf(node: LinkedNode, ...names: readonly string[]): number | null {
  const word = firstTextOf(node, ...names);
  const number = word === null ? Number.NaN : Number(word);
  return Number.isFinite(number) ? number : null;
}

export function booleanOf(node: LinkedNode, name: string): boolean | null {
  const [value] = valuesOf(node, name);
  if (value === true || value === "true") return true;
  return value === false || value === "false" ? false : null;
}

/**
 * The codes that a field names, in capitals: as text, as the IRI of a code list's entry, or as an entry
 * with its `code`.
 */
export function codesOf(
  document: LinkedDocument,
  node: LinkedNode,
  ...names: readonly string[]
): readonly string[] {
  return valuesOf(node, ...names).flatMap((value) => {
    if (typeof value !== "object") return [plainName(String(value)).trim().toUpperCase()];
    const entry = document.resolve(value);
    const code = firstTextOf(entry, "code") ?? entry.id;
    return code === null ? [] : [plainName(code).trim().toUpperCase()];
  });
}
