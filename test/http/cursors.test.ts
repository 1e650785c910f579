/** Cursors that nobody was given: a well-formed wrapping around anything at all. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import fc from "fast-check";

import { readPage } from "../../src/http/key-page.ts";
import { products } from "../../src/products/index.ts";
import { runs } from "../support/runs.ts";
import {
  createCaller,
  OPERATOR_TOKEN,
  send,
  sendAsOperator,
  sendWithKey,
  type Answer,
} from "../support/service.ts";
import { ofSuite } from "../support/suite.ts";
import { startEveryRoute } from "./every-route.ts";
import { anyText } from "../support/texts.ts";

const WAY = { origin: "CNSHA", destination: "NLRTM" };
/** What a list is asked for beside its cursor; a list that is not named here is asked for nothing. */
const QUERIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "/schedules/public/port-calls": { port: "NLRTM" },
  "/schedules/public/sailings": WAY,
  "/schedules/public/connections": WAY,
  "/schedules/public/reliability": { day: "2026-11-01" },
};

/** Every product has these lists, and one code answers them. */
const OF_ALL = ["/v1/deliveries", "/v1/events", "/v1/webhooks", "/v1/webhooks/{id}/deliveries"];
/** Every list of the public listener that takes a cursor, as the documents of the products have them. */
const LISTS = [
  ...OF_ALL.map((list) => `/tracking${list}`),
  ...["/air/v1/waybills", "/loading/v1/plans", "/tracking/v1/containers"],
  ...["/lanes", "/lanes/{id}/history", "/rates"].map((list) => `/rates/v1${list}`),
  ...["port-calls", "reliability", "connections", "sailings"].map((list) => `/schedules/public/${list}`),
].toSorted();

/** Those of the operator's listener whose cursors are those of endpoints. */
const OPERATORS = ["/v1/accounts", "/v1/accounts/{id}/keys", "/v1/accounts/{id}/portal-links"];

const RATES = `origin,destination,equipment,carrier,currency,valid_from,valid_to,base,surcharges
CNSHA,NLRTM,40HC,HRNL,USD,2026-11-01,,1200,
`;

/** Times as JSON has them: at both ends of what PostgreSQL, ISO 8601, `Date` and a number take, and none at all. */
const TIMES = [
  ...["-210866803200000", "-210866803200001", "-253402214400000", "253402300800000", "9224318016000000"],
  ...["-8640000000000000", "8640000000000000", "8640000000000001", "9007199254740993"],
  ...["1e999", "-1e999", "-0", "0.5", "null", '"1970-01-01"'],
];

const numberText = fc.oneof(
  fc.constantFrom(...TIMES),
  fc.date({ noInvalidDate: true }).map((date) => String(date.getTime())),
  fc.maxSafeInteger().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
);

const uuid = fc.uuid();
const uuidText = fc.oneof(
  uuid,
  uuid.map((id) => id.toUpperCase()),
  uuid.map((id) => id.replaceAll("-", "")),
  uuid.map((id) => `{${id}}`),
  fc.constantFrom("", "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"),
  fc.string({ maxLength: 40 }),
);

const sentText = fc.oneof(
  anyText({ maxLength: 30 }),
  fc.constantFrom("a\0b", "\0", "\ud800", "\n", "x".repeat(300), "É".repeat(250), "'; --"),
);

const jsonText = (value: unknown): string => JSON.stringify(value);

/** One field of a key, as JSON. */
const fieldText = fc.oneof(
  numberText,
  uuidText.map(jsonText),
  sentText.map(jsonText),
  fc.jsonValue({ maxDepth: 2 }).map(jsonText),
);

/** The fields of a key, as JSON: of the form that some list has, or of none. */
const keyTexts = fc.oneof(
  fc.tuple(numberText, uuid.map(jsonText)),
  fc.tuple(numberText, uuid.map(jsonText), uuid.map(jsonText)),
  fc.tuple(numberText, uuidText.map(jsonText)),
  fc.tuple(sentText.map(jsonText), sentText.map(jsonText)),
  fc.array(fieldText, { maxLength: 5 }),
);

/** What a cursor wraps: fields behind the query's own mark, or anything else; or it is no wrapping at all. */
type Held =
  | { readonly form: "key"; readonly fields: readonly string[] }
  | { readonly form: "bytes"; readonly bytes: Uint8Array | string }
  | { readonly form: "bare"; readonly text: string };

const ID = JSON.stringify("01900000-0000-7000-8000-000000000000");

const withTimes = (...ids: readonly string[]): [Held][] =>
  TIMES.map((time) => [{ form: "key", fields: [time, ...ids] }]);

const anyHeld: fc.Arbitrary<Held> = fc.oneof(
  keyTexts.map((fields) => ({ form: "key" as const, fields })),
  fc
    .oneof(
      fc.uint8Array({ minLength: 16, maxLength: 16 }),
      fc.uint8Array({ maxLength: 40 }),
      fc.jsonValue({ maxDepth: 3 }).map(jsonText),
    )
    .map((bytes) => ({ form: "bytes" as const, bytes })),
  anyText().map((text) => ({ form: "bare" as const, text })),
);

function cursorOf(held: Held, mark: string): string {
  if (held.form === "bare") return held.text;
  const bytes = held.form === "bytes" ? held.bytes : `[${[jsonText(mark), ...held.fields].join(",")}]`;
  return Buffer.from(bytes as string).toString("base64url");
}

describe("cursors that nobody was given", () => {
  const service = ofSuite(() => startEveryRoute());
  let laneId: string;
  before(async () => {
    const loaded = await send(service.ops, {
      method: "POST",
      url: "/v1/rates",
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, "content-type": "text/csv" },
      payload: RATES,
    });
    assert.equal(loaded.status, 200, JSON.stringify(loaded.body));
    laneId = (await sendWithKey(service, await keyOf("/rates/"), "GET", "/rates/v1/lanes")).body.data[0].id;
  });

  /** Keys of the products that have prefixes of their own. */
  const keys = new Map<string, Promise<string>>();
  function keyOf(list: string): Promise<string> {
    const { tag, keyPrefixes, entitlement } = products.find(({ tag: name }) => list.startsWith(`/${name}/`))!;
    const made =
      keys.get(tag) ??
      createCaller(service, keyPrefixes[0]!, entitlement === null ? [] : [entitlement]).then(
        ({ key }) => key,
      );
    keys.set(tag, made);
    return made;
  }

  /** Of a lane, or of a new endpoint. */
  async function idIn(list: string): Promise<string> {
    if (list.startsWith("/v1/accounts/{id}/")) return (await createCaller(service, "tracking")).accountId;
    if (!list.endsWith("{id}/deliveries")) return laneId;
    const base = list.slice(0, list.indexOf("/{id}"));
    const registered = sendWithKey(service, await keyOf(list), "POST", base, { url: "https://example.com" });
    return (await registered).body.data.id;
  }

  async function ask(list: string, id: string, held: Held): Promise<Answer> {
    const query = QUERIES[list] ?? {};
    const { queryHash } = readPage(query, [])!;
    const parameters = new URLSearchParams({ ...query, cursor: cursorOf(held, queryHash) }).toString();
    const url = `${list.replace("{id}", id)}?${parameters}`;
    if (OPERATORS.includes(list)) return sendAsOperator(service, "GET", url);
    return sendWithKey(service, await keyOf(list), "GET", url);
  }

  test("these are all lists that take one", async () => {
    const found: string[] = [];
    for (const { tag } of products) {
      const { body } = await send(service.api, { method: "GET", url: `/${tag}/openapi.json` });
      for (const [path, item] of Object.entries<Record<string, { parameters?: { name: string }[] }>>(
        body.paths,
      )) {
        const parameters = item["get"]?.parameters ?? [];
        const isOwn = tag === "tracking" || !OF_ALL.includes(path);
        if (isOwn && parameters.some(({ name }) => name === "cursor")) found.push(`/${tag}${path}`);
      }
    }
    assert.deepEqual(found.toSorted(), LISTS);
  });

  for (const list of [...LISTS, ...OPERATORS]) {
    test(`${list}: any cursor at all is answered with a page or refused`, async () => {
      const logged = service.log.lines.length;
      const id = await idIn(list);
      await fc.assert(
        fc.asyncProperty(anyHeld, async (held) => {
          const { status, body } = await ask(list, id, held);
          assert.ok(status === 200 || status === 400, JSON.stringify(body));
          if (status === 200) return;
          assert.equal(body.error.code.toUpperCase(), "INVALID_REQUEST");
          assert.match(body.error.message, /^query\.cursor must be (?:what|a cursor)/);
        }),
        { numRuns: runs(300), examples: [...withTimes(ID), ...withTimes(ID, ID)] },
      );
      assert.deepEqual(service.log.lines.slice(logged), [], "no request causes an internal error");
    });
  }

  test("a time is bounded by the days that can be asked for", async () => {
    for (const [ms, status] of [
      ["-004714-11-24", 400],
      ["-000001-01-01", 400],
      ["1969-12-30", 400],
      ["1970-01-01", 200],
      ["9999-12-31", 200],
      ["+010000-02-01", 400],
      ["+275760-09-13", 400],
    ] as const) {
      const held: Held = { form: "key", fields: [String(Date.parse(ms)), ID] };
      assert.equal((await ask("/schedules/public/port-calls", laneId, held)).status, status, ms);
    }
  });
});
