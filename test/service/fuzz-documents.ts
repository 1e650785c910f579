/** Sends what `documented.ts` makes of a product's document, and checks each answer by it. */
import assert from "node:assert/strict";

import fc from "fast-check";
import { Compile } from "typebox/schema";

import { products } from "../../src/products/index.ts";
import { ask } from "./boathook.ts";
import { openPlace, run, TOKEN, type Owner, type Running } from "./running.ts";

type Schema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly $ref?: string;
};

type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: "path" | "query" | "header";
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
};

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

type Call = {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly sentAs: "json" | "text" | "cut";
  /** What is wrong with it by the document; null: nothing. */
  readonly wrong: string | null;
};

/** `likely`: values of parameters by name, such as ids of what there is. */
function callsOf(
  document: Document,
  operation: Operation,
  likely: Readonly<Record<string, readonly string[]>>,
): fc.Arbitrary<Call> {
  const schema = operation.requestBody?.content["application/json"]?.schema;
  const body = schema === undefined ? fc.constant(undefined) : valueOf(document, schema);
  const right = fc.record({
    path: parametersOf(document, operation, "path", likely),
    query: parametersOf(document, operation, "query", likely),
    body,
    sentAs: fc.constant("json" as const),
    wrong: fc.constant(null),
  });
  const unknown = fc
    .tuple(right, fc.stringMatching(/^[a-z]{3,8}_no$/))
    .map(([call, name]) => ({ ...call, query: { ...call.query, [name]: "1" }, wrong: "query" }));
  const isClosed = !TAKING_ANY_PARAMETER.has(operation.operationId);
  const calls: fc.WeightedArbitrary<Call>[] = [
    { weight: 4, arbitrary: right },
    ...(isClosed ? [{ weight: 1, arbitrary: unknown }] : []),
  ];
  if (schema !== undefined) {
    const other = fc
      .tuple(body, fc.nat(), fc.jsonValue({ maxDepth: 2 }))
      .map(([value, at, instead]) => spoiled(value, at, instead));
    const isRight = checkOf(document, schema);
    const otherBody = fc
      .tuple(right, fc.oneof(other, fc.jsonValue({ maxDepth: 3 })))
      .map(([call, sent]) => ({ ...call, body: sent, wrong: isRight(sent) ? null : "body" }));
    const otherwise = fc
      .tuple(right, fc.constantFrom("text" as const, "cut" as const))
      .map(([call, sentAs]) => ({ ...call, sentAs, wrong: sentAs }));
    calls.push({ weight: 4, arbitrary: otherBody }, { weight: 1, arbitrary: otherwise });
  }
  return fc.oneof(...calls);
}

function parametersOf(
  document: Document,
  { parameters = [] }: Operation,
  place: "path" | "query",
  likely: Readonly<Record<string, readonly string[]>>,
): fc.Arbitrary<Readonly<Record<string, string>>> {
  const own = parameters.filter((one) => one.in === place);
  const values = own.map(({ name, schema }) => {
    // A URL has no part of its path that is "." or "..": a client that sends one sends another path.
    const made = valueOf(document, schema)
      .map(String)
      .filter((text) => place === "query" || !/^\.{1,2}$/.test(text));
    const known = likely[name] ?? [];
    if (known.length === 0) return [name, made] as const;
    return [name, fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, made)] as const;
  });
  const required = own.filter((one) => place === "path" || one.required === true);
  return fc.record(Object.fromEntries(values), {
    requiredKeys: required.map(({ name }) => name),
  });
}

/** Documents, which clients read past caches with a parameter of their own. */
const TAKING_ANY_PARAMETER = new Set(["readDeliverySchema", "readChangelog", "readVersions"]);

/** One place of a value is another value, or gone. */
function spoiled(value: unknown, at: number, other: unknown): unknown {
  if (typeof value !== "object" || value === null) return other;
  const entries = Object.entries(value);
  if (entries.length === 0) return other;
  const [name, member] = entries[at % entries.length]!;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
  const rest = Math.floor(at / entries.length);
  if (rest % 3 === 0 && !Array.isArray(value)) delete copy[name];
  else copy[name] = rest % 3 === 1 ? other : spoiled(member, Math.floor(rest / 3), other);
  return copy;
}

/** Values that the schema takes. */
function valueOf(document: Document, schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return valueOf(document, resolved(document, schema.$ref), depth);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const several = schema.anyOf ?? schema.oneOf;
  if (several !== undefined) return fc.oneof(...several.map((one) => valueOf(document, one, depth)));
  const [type, ...others] = [schema.type ?? "object"].flat();
  if (others.length > 0) {
    return fc.oneof(...[type!, ...others].map((one) => valueOf(document, { ...schema, type: one }, depth)));
  }
  const { minimum = schema.exclusiveMinimum ?? -1_000, maximum = 1_000_000 } = schema;
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, maximum));
    case "number":
      return fc.double({
        min: minimum,
        max: maximum,
        noNaN: true,
        minExcluded: schema.exclusiveMinimum !== undefined,
      });
    case "string":
      return textOf(schema);
    case "array":
      return fc.array(valueOf(document, schema.items ?? { type: "string" }, depth + 1), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, (schema.minItems ?? 0) + 2),
      });
    default:
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, member]) => [
            name,
            valueOf(document, member, depth + 1),
          ]),
        ),
        { requiredKeys: [...(schema.required ?? [])] },
      );
  }
}

function textOf({ pattern, format, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<string> {
  if (format === "uri") return fc.webUrl({ validSchemes: ["https"], withQueryParameters: true });
  if (format === "uuid") return fc.uuid();
  if (format === "date-time") return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  const text =
    pattern === undefined ? fc.string({ unit: "grapheme" }) : fc.stringMatching(new RegExp(pattern));
  const fits = (one: string) => one.length >= minLength && one.length <= maxLength && !one.includes("\0");
  return minLength > 0 && pattern === undefined
    ? fc.string({ minLength, maxLength: Math.min(maxLength, 60) }).filter(fits)
    : text.filter(fits);
}

function resolved(document: Document, reference: string): Schema {
  const schema = document.components.schemas[reference.replace("#/components/schemas/", "")];
  assert.ok(schema, reference);
  return schema;
}

const CHECKS = new WeakMap<Schema, (value: unknown) => boolean>();

/** With the components that it refers to. */
function checkOf({ components }: Document, schema: Schema): (value: unknown) => boolean {
  const known = CHECKS.get(schema);
  if (known !== undefined) return known;
  const $defs = JSON.parse(
    JSON.stringify(components.schemas).replaceAll("#/components/schemas/", "#/$defs/"),
  ) as object;
  const own = JSON.parse(JSON.stringify(schema).replaceAll("#/components/schemas/", "#/$defs/")) as object;
  const compiled = Compile({ ...own, $defs });
  const check = (value: unknown): boolean => compiled.Check(value);
  CHECKS.set(schema, check);
  return check;
}

/** What the document does not say of an answer; null: it says all. */
function undocumented(
  document: Document,
  operation: Operation,
  { status, type, text }: { readonly status: number; readonly type: string; readonly text: string },
): string | null {
  const response = operation.responses[status];
  if (response === undefined) return `${status} is not documented`;
  if (response.content === undefined) return text === "" ? null : `${status} has a body`;
  const media = type.split(";")[0]!;
  const schema = response.content[media]?.schema;
  if (schema === undefined) return `${status} is ${media}`;
  return checkOf(document, schema)(JSON.parse(text)) ? null : `${status} has another shape`;
}

export type Scene = { readonly service: Running; readonly keys: ReadonlyMap<string, string> };

export async function startScene(t: Owner): Promise<Scene> {
  const { settings } = await openPlace(t);
  const limits = { BOATHOOK_RATE_LIMIT_PER_KEY: "1000000", BOATHOOK_RATE_LIMIT_PER_ADDRESS: "1000000" };
  const service = await run(t, { ...settings, ...limits });
  const entitlements = products.flatMap(({ entitlement }) => entitlement ?? []);
  const account = await ask("POST", `${service.opsUrl}/v1/accounts`, TOKEN, { name: "Acme", entitlements });
  const keys = new Map<string, string>();
  for (const { tag, keyPrefixes } of products) {
    const body = { prefix: keyPrefixes[0]! };
    const made = await ask("POST", `${service.opsUrl}/v1/accounts/${account.body.id}/keys`, TOKEN, body);
    keys.set(tag, made.body.key);
  }
  return { service, keys };
}

/** Statuses of the answers, by operation. */
export type Seen = Map<string, Set<number>>;

/** `seed`: without it, other requests each time. */
export async function fuzzDocument(
  { service, keys }: Scene,
  tag: string,
  { numRuns, seed }: { readonly numRuns: number; readonly seed?: number },
): Promise<Seen> {
  const base = `${service.publicUrl}/${tag}`;
  const key = keys.get(tag)!;
  const document = (await (await fetch(`${base}/openapi.json`)).json()) as Document;
  const ids: string[] = [];
  const seen: Seen = new Map();
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  // What makes something goes first, so that there are ids.
  operations.sort((one, other) => Number(other.method === "POST") - Number(one.method === "POST"));
  for (const { path, method, operation } of operations) {
    await fc.assert(
      fc.asyncProperty(
        fc.nat().chain(() => callsOf(document, operation, { ...LIKELY, id: ids, delivery_id: ids })),
        async (call) => {
          const answer = await send(`${base}${path}`, method, key, call);
          const statuses = seen.get(operation.operationId) ?? new Set();
          seen.set(operation.operationId, statuses.add(answer.status));
          remember(ids, answer.text);
          assert.equal(
            problemOf(document, operation, call, answer),
            null,
            `${method} ${path} ${answer.text}`,
          );
        },
      ),
      { numRuns, endOnFailure: true, ...(seed !== undefined && { seed }) },
    );
  }
  return seen;
}

type Answered = { readonly status: number; readonly type: string; readonly text: string };

function problemOf(
  document: Document,
  operation: Operation,
  { wrong }: Call,
  answer: Answered,
): string | null {
  const { status, text } = answer;
  const isFault = status >= 500 && !text.toLowerCase().includes("airline_unavailable");
  if (isFault) return `${status} is a fault`;
  if (wrong !== null && status < 400) return `${status} for a wrong ${wrong}`;
  return undocumented(document, operation, answer);
}

async function send(url: string, method: string, key: string, call: Call): Promise<Answered> {
  const path = url.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(call.path[name]!));
  const query = new URLSearchParams(call.query).toString();
  const { sentAs } = call;
  const json = call.body === undefined ? undefined : JSON.stringify(call.body);
  const body = sentAs === "cut" ? `${json?.slice(0, -1)}~` : json;
  const answer = await fetch(query === "" ? path : `${path}?${query}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { "content-type": sentAs === "text" ? "text/plain" : "application/json" }),
    },
    ...(body !== undefined && { body }),
  });
  const type = answer.headers.get("content-type") ?? "";
  if (!type.startsWith("text/event-stream")) {
    return { status: answer.status, type, text: await answer.text() };
  }
  // It would not end.
  await answer.body?.cancel();
  return { status: answer.status, type, text: JSON.stringify("") };
}

/** So that not every request is refused: check digits and calendars are in no schema. */
const LIKELY: Readonly<Record<string, readonly string[]>> = {
  reference: ["MSCU1234566", "MSCU 123456-6", "B/L no. MAEU123456789"],
  awb: ["176-12345675", "02012345675"],
  prefix: ["176", "020"],
  imo: ["9321483"],
  vessel: ["9321483"],
  port: ["NLRTM"],
  origin: ["CNSHA"],
  destination: ["NLRTM"],
  carrier: ["HRNL"],
  equipment: ["40HC"],
  from: [""],
  to: [""],
  day: [""],
  on: ["2026-11-01"],
};

const IDS_MAX = 20;

function remember(ids: string[], text: string): void {
  for (const [, id = ""] of text.matchAll(/"id":"([0-9a-f-]{36})"/g)) {
    if (ids.length < IDS_MAX && !ids.includes(id)) ids.push(id);
  }
}
