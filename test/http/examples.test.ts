/** The examples of the OpenAPI documents: each request, answer and refusal has one that its schema takes. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { Compile } from "typebox/schema";
import Type from "typebox";

import { readExamples } from "../../src/http/openapi/examples.ts";
import { EXAMPLES } from "../../src/operator/document.ts";
import { products } from "../../src/products/index.ts";
import { ofSuite } from "../support/suite.ts";
import { startEveryRoute } from "./every-route.ts";
import { send, type Method } from "../support/service.ts";
import { resource } from "../../src/http/resource.ts";
import { nullable } from "../../src/model/data-types.ts";

type Media = {
  readonly schema?: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
};
type Content = { readonly content?: Readonly<Record<string, Media>> };
type Answered = Content & { readonly description: string };
type Operation = {
  readonly parameters?: readonly ({ readonly name: string } & Media)[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Answered & { readonly $ref?: string }>>;
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: object; readonly responses?: Readonly<Record<string, Answered>> };
};

/** What only an answer can give. */
const NOT_SHOWN: ReadonlySet<string> = new Set(["cursor", "last-event-id"]);

/** What would work somewhere, or names where the world ran. */
const NOT_TO_BE_SEEN =
  /127\.0\.0\.1|localhost|\/tmp\b|\/home\b|(?:tracking|schedules|rates|loading)_(?!EWaetCt3RC5HyDWCnd8XqirvnjiReT1pKA2Q)\w{36}|whsec_(?!A{64})[\w-]{64}/;

const COMMON = ["400", "429", "500", "503"];

/** Larger ones are slow to load and to read. */
const DOCUMENT_BYTES_MAX = 250_000;

describe("examples of the documents", () => {
  const service = ofSuite(() => startEveryRoute());
  const documentAt = async (listener: "api" | "ops", url: string): Promise<Document> => {
    const { payload } = await service[listener].inject({ method: "GET", url });
    assert.ok(payload.length < DOCUMENT_BYTES_MAX, `${payload.length} bytes`);
    return JSON.parse(payload) as Document;
  };

  for (const { tag } of products) {
    test(`${tag}: each request, answer and refusal has an example that its schema takes`, async () => {
      const document = await documentAt("api", `/${tag}/openapi.json`);
      assert.deepEqual(shownIn(document), []);
      // Any route may refuse a parameter that it does not have, or too many requests, or fail.
      for (const [path, item] of Object.entries(document.paths)) {
        for (const [method, { responses }] of Object.entries(item)) {
          const lacking = COMMON.filter((status) => !(status in responses));
          // A document takes any parameter, and any version.
          assert.deepEqual(lacking, path.endsWith(".json") ? ["400"] : [], `${method} ${path}`);
        }
      }
    });
  }

  test("the operator's document has them as well, on each route", async () => {
    const document = await documentAt("ops", "/openapi.json");
    assert.deepEqual(shownIn(document), []);
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, { responses }] of Object.entries(item)) {
        const done = Object.keys(responses).filter((status) => status < "300");
        assert.ok(done.length > 0, `${method} ${path}`);
        for (const status of done) {
          const [shown] = Object.values(responses[status]!.content ?? {});
          assert.ok(status === "204" || shown?.example !== undefined, `${method} ${path} ${status}`);
        }
      }
    }
  });
});

test("what is kept belongs to a route, and has no secret and no address of a machine", async (t) => {
  const service = await startEveryRoute();
  t.after(() => service.close());
  const files = [
    ["ops", "", EXAMPLES],
    ...products.map((one) => ["api", `/${one.tag}`, one.examples!]),
  ] as const;
  for (const [listener, prefix, file] of files) {
    const { payload } = await service[listener as "api"].inject({
      method: "GET",
      url: `${prefix}/openapi.json`,
    });
    const { paths } = JSON.parse(payload) as Document;
    for (const name of Object.keys(readExamples(file).routes)) {
      const [method = "", path = ""] = name.split(" ");
      assert.ok(
        paths[path]?.[method.toLowerCase()] !== undefined,
        `${prefix} ${name}: npm run docs:examples`,
      );
    }
    assert.doesNotMatch(readFileSync(file, "utf8"), NOT_TO_BE_SEEN, file);
  }
});

/** Where an example is missing or wrong. */
function shownIn({ paths, components }: Document): string[] {
  const $defs = JSON.parse(inDefinitions(components.schemas)) as object;
  const problems: string[] = [];
  const check = (place: string, { schema = {}, example, examples }: Media, codes?: readonly string[]) => {
    const shown = examples === undefined ? [example] : Object.values(examples).map(({ value }) => value);
    if (examples !== undefined) assert.deepEqual(Object.keys(examples), codes, place);
    const validator = Compile({ ...(JSON.parse(inDefinitions(schema)) as object), $defs });
    for (const one of shown) {
      if (one === undefined) problems.push(`${place}: none`);
      else if (!validator.Check(one)) problems.push(`${place}: ${JSON.stringify(one)}`);
    }
  };
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const at = `${method} ${path}`;
      for (const one of operation.parameters ?? []) {
        if (!NOT_SHOWN.has(one.name)) check(`${at} ?${one.name}`, one);
      }
      for (const [type, media] of Object.entries(operation.requestBody?.content ?? {}))
        check(`${at} ${type}`, media);
      for (const [status, given] of Object.entries(operation.responses)) {
        const response = components.responses?.[given.$ref?.split("/").at(-1) ?? ""] ?? given;
        const codes = status < "400" ? undefined : response.description.split(", ");
        for (const media of Object.values(response.content ?? {})) check(`${at} ${status}`, media, codes);
      }
    }
  }
  return problems;
}

function inDefinitions(schema: object): string {
  return JSON.stringify(schema).replaceAll("#/components/schemas/", "#/$defs/");
}

type Documented = Readonly<
  Record<string, Readonly<Record<string, { readonly security?: readonly object[] }>>>
>;

describe("every route", () => {
  const service = ofSuite(() => startEveryRoute());

  // spec 5: unauthorized, public_routes; 8: public_routes
  for (const { tag } of products)
    test(`${tag}: asks for a key, or counts the requests of an address`, async () => {
      const paths = (await send(service.api, { method: "GET", url: `/${tag}/openapi.json` })).body
        .paths as Documented;
      const open: string[] = [];
      for (const [path, item] of Object.entries(paths))
        for (const [name, { security }] of Object.entries(item)) {
          const method = name.toUpperCase() as Method;
          const payload = method === "GET" || method === "DELETE" ? {} : { payload: {} };
          const answer = await send(service.api, {
            method,
            url: `/${tag}${path.replaceAll(/\{\w+\}/g, "1")}`,
            ...payload,
          });
          if (security?.length !== 0) assert.equal(answer.status, 401, `${method} ${path}`);
          else {
            open.push(path);
            assert.match(String(answer.headers["ratelimit"]), /^"default";r=\d+;t=60$/, `${method} ${path}`);
          }
        }
      assert.deepEqual(open, OPEN[tag], "the routes without a key");
    });
});

const SESSION = "/v1/portal/session";
const SCHEMA = "/schemas/webhook-delivery.json";
const OPEN: Readonly<Record<string, readonly string[]>> = {
  tracking: [SESSION, "/public/containers/{reference}", "/changelog.json", "/versions.json", SCHEMA],
  air: [SESSION, "/public/airlines/{prefix}", SCHEMA],
  schedules: [
    SESSION,
    "/public/sailings",
    "/public/connections",
    "/public/ports",
    "/public/port-calls",
    "/public/port-calls/{id}/history",
    "/public/vessels/{imo}",
    "/public/reliability",
    SCHEMA,
  ],
  rates: [SESSION, SCHEMA],
  loading: [SESSION, SCHEMA],
  operations: [SESSION, SCHEMA],
};

type Parcel = { readonly name: string; readonly weight: number | null; readonly state: string };

test("a resource has a schema and what fills it, and a value that the schema does not allow does not compile", () => {
  const parcel = resource("Parcel", {
    name: [Type.String(), ({ name }: Parcel) => name],
    weight: [nullable(Type.Number()), ({ weight }: Parcel) => weight],
  });
  assert.deepEqual(parcel.view({ name: "a", weight: null, state: "" }), { name: "a", weight: null });
  const shown: unknown = JSON.parse(JSON.stringify(parcel.schema));
  assert.deepEqual(shown, {
    type: "object",
    title: "Parcel",
    required: ["name", "weight"],
    properties: { name: { type: "string" }, weight: { anyOf: [{ type: "number" }, { type: "null" }] } },
  });

  // @ts-expect-error: the weight may be null, and the schema says that it is not.
  resource("Parcel", { weight: [Type.Number(), ({ weight }: Parcel) => weight] });
  // @ts-expect-error: the state may be any text, and the schema says that it is one of two.
  resource("Parcel", { state: [Type.Enum(["here", "gone"]), ({ state }: Parcel) => state] });
});
