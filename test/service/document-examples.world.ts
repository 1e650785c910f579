/**
 * The examples of the OpenAPI documents are true: on the world of `boathook try` each request succeeds as it is shown,
 * nothing is answered that its example lacks, and what is refused is refused in these words.
 */
import assert from "node:assert/strict";
import { before, test } from "node:test";

import { refusalOf } from "../../src/http/refusal.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import { products } from "../../src/products/index.ts";
import { differenceOf } from "../docs/shown-json.ts";
import { ask } from "./boathook.ts";
import { ownerOfSuite } from "./running.ts";
import { startTryWorld } from "./try-world.ts";

type Media = {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
};
type Content = { readonly content?: Readonly<Record<string, Media>> };
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly example?: unknown;
};
type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
};
type Listed = { readonly method: string; readonly path: string; readonly operation: Operation };

const owner = ownerOfSuite();
let world: Readonly<Record<string, string>> = {};
/** Of an account without an entitlement. */
const poorKeys = new Map<string, string>();

before(async () => {
  world = (await startTryWorld(owner)).variables;
  const account = await ask("POST", `${world["OPS"]}/v1/accounts`, world["TOKEN"]!, { name: "Poor" });
  for (const { tag, keyPrefixes } of products) {
    const keys = `${world["OPS"]}/v1/accounts/${account.body.id}/keys`;
    const made = await ask("POST", keys, world["TOKEN"]!, { prefix: keyPrefixes[0]! });
    poorKeys.set(tag, made.body.key);
  }
});

function keyOf(tag: string): string {
  if (tag === "loading") return world["LOADING_KEY"]!;
  return (tag === "schedules" ? world["SCHEDULES_KEY"] : world["KEY"])!;
}

/** Read once: an address may read 60 a minute. */
const documents = new Map<string, Promise<unknown>>();

async function operationsOf(tag: string): Promise<readonly Listed[]> {
  const url = `${world["API"]}/${tag}/openapi.json`;
  const reading = documents.get(tag) ?? fetch(url).then((answer) => answer.json());
  documents.set(tag, reading);
  const document = (await reading) as { readonly paths: Record<string, Record<string, Operation>> };
  const paths = Object.entries(document.paths);
  return paths.flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
}

type Answer = { readonly status: number; readonly text: string };

type Sending = {
  readonly key?: string | null;
  readonly ids?: Ids;
  readonly query?: readonly Parameter[];
  readonly body?: unknown;
  readonly type?: string;
};

async function sendAsShown(
  tag: string,
  { method, path, operation }: Listed,
  sending: Sending = {},
): Promise<Answer> {
  const { parameters = [], requestBody } = operation;
  const { ids = {}, key = keyOf(tag), query = parameters.filter(({ required }) => required) } = sending;
  const where = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    return String(ids[name] ?? parameters.find((one) => one.name === name && one.in === "path")!.example);
  });
  const asked = query.filter((one) => one.in === "query").map(({ name, example }) => [name, String(example)]);
  const shown = requestBody?.content?.["application/json"]?.example;
  const body = sending.body ?? shown;
  const response = await fetch(`${world["API"]}/${tag}${where}?${new URLSearchParams(asked).toString()}`, {
    method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { "content-type": sending.type ?? "application/json" }),
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  if (operation.operationId === "streamEvents" && response.ok) {
    await response.body?.cancel();
    return { status: response.status, text: "" };
  }
  return { status: response.status, text: await response.text() };
}

/** Ids of what is there, by the parameter's name: no example can know them. */
type Ids = Readonly<Record<string, string>>;

/** What makes the thing whose id a path holds. */
const MAKERS: readonly (readonly [path: RegExp, list: string])[] = [
  [/^\/v1\/webhooks\//, "/v1/webhooks"],
  [/^\/v1\/containers\//, "/v1/containers"],
  [/^\/v1\/lanes\//, "/v1/lanes"],
  [/^\/v1\/plans\//, "/v1/plans"],
  [/^\/public\/port-calls\//, "/public/port-calls?port=CNSHA"],
];

async function idsFor(tag: string, { path }: Listed): Promise<Ids> {
  const list = MAKERS.find(([of]) => of.test(path))?.[1];
  if (list === undefined) return {};
  const base = `${world["API"]}/${tag}`;
  const { data } = (await ask("GET", base + list, keyOf(tag))).body;
  if (!path.includes("{delivery_id}")) return { id: data[0].id };
  for (const { id } of data) {
    await ask("POST", `${base}/v1/webhooks/${id}/test`, keyOf(tag));
    const found = await ask("GET", `${base}/v1/webhooks/${id}/deliveries`, keyOf(tag));
    if (found.body.data.length > 0) return { id, delivery_id: found.body.data[0].id };
  }
  throw new Error("no delivery");
}

/** What makes goes first, what removes last. */
const ORDER = ["POST", "PUT", "PATCH", "GET", "DELETE"];

for (const { tag } of products) {
  test(`${tag}: each request succeeds as it is shown, and its example has all that is answered`, async () => {
    const listed = await operationsOf(tag);
    const ordered = listed.toSorted((one, other) => ORDER.indexOf(one.method) - ORDER.indexOf(other.method));
    for (const one of ordered) {
      const { operation } = one;
      const ids = await idsFor(tag, one);
      const optional = (operation.parameters ?? []).filter(
        (parameter) => parameter.in === "query" && !parameter.required && parameter.example !== undefined,
      );
      const required = (operation.parameters ?? []).filter(({ required: is }) => is);
      const queries =
        one.method === "GET"
          ? optional.map((parameter) => [...required, ...pairOf(parameter, optional)])
          : [];
      for (const query of [required, ...queries]) {
        // No example can know a key that is good.
        const body = operation.operationId === "openPortalSession" ? { key: keyOf(tag) } : undefined;
        const { status, text } = await sendAsShown(tag, one, { ids, query, body });
        const place = `${one.method} ${one.path} ${query.map(({ name }) => name).join(" ")} ${status}`;
        assert.ok(status >= 200 && status < 300, `${place} ${text}`);
        // A schema is too long for an example.
        if (text === "" || operation.operationId === "readDeliverySchema") continue;
        const media = Object.values(operation.responses[status]!.content!)[0]!;
        assert.equal(differenceOf(withoutOpen(text), media.example), null, `${place} ${text}`);
      }
    }
  });

  test(`${tag}: what is refused is refused as its example says`, async () => {
    const listed = await operationsOf(tag);
    for (const one of listed) {
      for (const [code, shown] of refusalsOf(one)) {
        const provoked = await provoke(tag, one, code.toUpperCase());
        if (provoked !== null) assert.deepEqual(JSON.parse(provoked.text), shown, `${one.path} ${code}`);
      }
    }
  });
}

/** The last day of a period counts from its first. */
function pairOf(parameter: Parameter, all: readonly Parameter[]): readonly Parameter[] {
  return parameter.name === "to" ? [parameter, ...all.filter(({ name }) => name === "from")] : [parameter];
}

/** Without what is another object in each event, which the examples of events show. */
function withoutOpen(text: string): unknown {
  return JSON.parse(text, function (this: object, name, value: unknown) {
    const isOpen = "subscribable" in this || "occurred_at" in this;
    return isOpen && ["data", "schema", "example"].includes(name) ? {} : value;
  });
}

function refusalsOf({ operation }: Listed): readonly (readonly [code: string, shown: unknown])[] {
  return Object.values(operation.responses).flatMap(({ content = {} }) =>
    Object.values(content).flatMap(({ examples = {} }) =>
      Object.entries(examples).map(([code, { value }]) => [code, value] as const),
    ),
  );
}

const NOWHERE = "01900000-0000-7000-8000-00000000dead";

/** Values that are wrong in the way of the examples. */
const WRONG: Readonly<Record<string, Ids>> = {
  INVALID_AWB: { awb: "941-10003034" },
  UNKNOWN_AIRLINE: { awb: "000-10003033" },
  AIRLINE_NOT_CONFIGURED: { awb: "176-12345675" },
  WAYBILL_NOT_FOUND: { awb: "941-10003044" },
  NOT_FOUND: { id: NOWHERE, delivery_id: NOWHERE, reference: "LESU0001007", prefix: "000", imo: "9321483" },
};

/** The answer to a request that a code refuses; null: none is made here. */
async function provoke(tag: string, one: Listed, code: string): Promise<Answer | null> {
  const { operationId } = one.operation;
  switch (code) {
    case "UNAUTHORIZED":
      // All routes share what refuses, and an address 60 refusals a minute.
      if (operationId === "openPortalSession") return sendAsShown(tag, one);
      return operationId === "listEndpoints" ? sendAsShown(tag, one, { key: null }) : null;
    case "ENTITLEMENT_REQUIRED":
      return sendAsShown(tag, one, { key: poorKeys.get(tag)! });
    case "UNSUPPORTED_MEDIA_TYPE":
      return sendAsShown(tag, one, { body: "x", type: "text/plain" });
    case "PAYLOAD_TOO_LARGE":
      return sendAsShown(tag, one, { body: "x".repeat(1_000_000) });
    case "INVALID_URL":
      return sendAsShown(tag, one, { body: { url: "http://example.com/" } });
    case "INVALID_REFERENCE":
      return one.method === "POST"
        ? sendAsShown(tag, one, { body: { reference: "AVCU0003378" } })
        : sendAsShown(tag, one, { ids: { reference: "AVCU0003378" } });
    case "INVALID_AWB":
      return operationId === "listWaybills"
        ? sendAsShown(tag, one, { query: [{ name: "awb", in: "query", example: WRONG[code]!["awb"] }] })
        : sendAsShown(tag, one, { ids: WRONG[code]! });
    case "INVALID_REQUEST":
      if (operationId === "openPortalSession") return sendAsShown(tag, one, { body: {} });
      return operationId === "listEndpoints"
        ? sendAsShown(tag, one, { query: [{ name: "limit", in: "query", example: 1_000 }] })
        : null;
    case "ENDPOINT_DISABLED":
      return sendToInactive(tag, one);
    case "NOT_FOUND":
      if (operationId === "stopTrackingWaybill") await sendAsShown(tag, one);
      return operationId === "readDelivery"
        ? sendAsShown(tag, one, { ids: { ...(await idsFor(tag, one)), delivery_id: NOWHERE } })
        : sendAsShown(tag, one, { ids: operationId.endsWith("Waybill") ? {} : WRONG[code]! });
    case "ENDPOINT_LIMIT":
      return tag === "schedules" ? fillEndpoints(tag, one) : null;
    default:
      return WRONG[code] === undefined ? null : sendAsShown(tag, one, { ids: WRONG[code] });
  }
}

async function sendToInactive(tag: string, one: Listed): Promise<Answer> {
  const base = `${world["API"]}/${tag}/v1/webhooks`;
  const { id } = (await ask("POST", base, keyOf(tag), { url: "https://example.com/" })).body.data;
  await ask("PATCH", `${base}/${id}`, keyOf(tag), { active: false });
  return sendAsShown(tag, one, { ids: { id } });
}

const ENDPOINTS_MAX = 100;

async function fillEndpoints(tag: string, one: Listed): Promise<Answer> {
  let answer = await sendAsShown(tag, one, { key: poorKeys.get(tag)! });
  for (let made = 1; made <= ENDPOINTS_MAX; made += 1) {
    answer = await sendAsShown(tag, one, { key: poorKeys.get(tag)! });
  }
  return answer;
}

test("what only a broken service answers is shown in its words", async () => {
  const [one] = await operationsOf("tracking");
  const shown = new Map(refusalsOf(one!));
  for (const [code, error] of [
    ["INTERNAL_ERROR", new Error("any")],
    ["UNAVAILABLE", new StoreUnavailable("any")],
  ] as const) {
    const { message } = refusalOf(error, 0);
    assert.deepEqual((shown.get(code) as { error: object }).error, { code, message });
  }
});
