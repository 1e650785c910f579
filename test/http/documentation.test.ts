/** The OpenAPI document and the reference page of each product. */
import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { before, describe, test } from "node:test";

import { products } from "../../src/products/index.ts";
import { buildPages } from "../console/built.ts";
import { assertDocumented } from "../support/answers.ts";
import { ofSuite } from "../support/suite.ts";
import { createClient, send, startService, type Method } from "../support/service.ts";
import { column } from "../support/columns.ts";

/** The parts of an OpenAPI document that these tests read. */
type Document = {
  readonly openapi: string;
  readonly servers: readonly object[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks: Readonly<Record<string, PathItem>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
};
type PathItem = Readonly<Record<string, Operation>>;
type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
};

/** The fixed fields of a path item that are operations (OpenAPI 3.1, 4.8.9.1). */
const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

describe("documentation", () => {
  before(buildPages);
  const service = ofSuite(() => startService());

  const documentOf = async (tag: string): Promise<Document> => {
    const answer = await send(service.api, { method: "GET", url: `/${tag}/openapi.json` });
    assert.equal(answer.status, 200);
    return answer.body as Document;
  };

  for (const product of products) {
    const { tag } = product;

    // spec 9: path_version; 1: products
    test(`${tag}: the document holds the routes of webhooks and a webhook for each type that is raised`, async () => {
      const { openapi, paths, webhooks, servers } = await documentOf(tag);
      assert.match(openapi, /^3\.1\.\d+$/);
      assert.deepEqual(
        Object.entries(paths).map(([path, item]) => `${path} ${Object.keys(item).join(" ")}`),
        [
          "/v1/webhooks post get",
          "/v1/webhooks/{id} get patch delete",
          "/v1/webhooks/{id}/test post",
          "/v1/events/stream get",
          "/v1/webhooks/{id}/deliveries get",
          "/v1/webhooks/{id}/deliveries/{delivery_id} get",
          "/v1/deliveries get",
          "/v1/events get",
          "/v1/event-types get",
          "/v1/find get",
          "/v1/portal/session post",
        ],
      );
      const raised = product.catalogue.filter((type) => type.raised).map((type) => type.name);
      assert.deepEqual(Object.keys(webhooks), [...raised, "ping"]);
      assert.deepEqual(servers, [{ url: "." }]);
    });

    test(`${tag}: every operation is complete, and every reference leads somewhere`, async () => {
      const document = await documentOf(tag);
      const operationIds: string[] = [];
      for (const [path, item] of Object.entries({ ...document.paths, ...document.webhooks })) {
        for (const [method, operation] of Object.entries(item)) {
          assert.ok(METHODS.includes(method), method);
          operationIds.push(operation.operationId);
          assertOperation(path, operation);
        }
      }
      assert.equal(new Set(operationIds).size, operationIds.length, "operation ids are unique");
      for (const reference of referencesIn(document)) assert.ok(at(document, reference), reference);
      for (const name of Object.keys(document.components.schemas)) assert.match(name, /^[A-Za-z0-9._-]+$/);
    });

    // spec 1: differences; 9: path_version; 5.1: user_agent, event_header, delivery_header, signature_header
    test(`${tag}: the headers of a delivery bear the product's tag`, async () => {
      const { webhooks } = await documentOf(tag);
      const { parameters = [], security } = webhooks["ping"]!["post"]!;
      const { headerTag } = product;
      assert.deepEqual(column(parameters, "name"), [
        "User-Agent",
        `X-${headerTag}-Event`,
        `X-${headerTag}-Delivery`,
        `X-${headerTag}-Signature`,
      ]);
      assert.deepEqual(security, [], "a delivery carries no key");
    });

    test(`${tag}: what the routes really answer is what the document says`, async () => {
      const { request, key } = await createClient(service, product);
      const ask = async (method: Method, path: string, expected: number, id = "", body?: object) => {
        const answer = await request(method, path.replace("{id}", id), body);
        assert.equal(answer.status, expected, `${method} ${path}`);
        await assertDocumented(service, tag, `${method} /v1${path}`, answer);
        return answer.body.data;
      };
      const one = "/webhooks/{id}";
      const { id } = await ask("POST", "/webhooks", 201, "", { url: "https://example.com/" });
      await ask("POST", "/webhooks", 400, "", {});
      await ask("POST", "/portal/session", 201, "", { key });
      await ask("POST", "/portal/session", 401, "", { link: "none" });
      await ask("GET", "/webhooks", 200);
      await ask("GET", one, 200, id);
      await ask("PATCH", one, 200, id, { description: "x" });
      await ask("PATCH", one, 400, id, { description: 1 });
      await ask("POST", `${one}/test`, 202, id);
      await ask("DELETE", one, 200, id);
      await ask("GET", one, 404, id);
    });

    test(`${tag}: the reference page and all it loads come from here`, async () => {
      const page = await send(service.api, { method: "GET", url: `/${tag}/docs/` });
      assert.equal(page.status, 200);
      const policy = String(page.headers["content-security-policy"]);
      assert.match(policy, /^default-src 'none';/);
      assert.doesNotMatch(policy, /https?:|\*/);
      const links = [...String(page.body).matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link]) => link!);
      assert.ok(links.length >= 3);
      for (const link of links) {
        const { status } = await send(service.api, { method: "GET", url: `/${tag}/docs/${link}` });
        assert.equal(status, 200, link);
      }
      assert.match(String(page.body), new RegExp(`<title>${product.title}</title>`));
      const { status, headers } = await send(service.api, { method: "GET", url: `/${tag}/docs` });
      assert.deepEqual([status, headers["location"]], [302, "docs/"], "under any name");
    });
  }

  test("the document is compressed, cacheable, and the same uncompressed", async () => {
    const ask = (headers: Readonly<Record<string, string>>) =>
      service.api.inject({ method: "GET", url: "/air/openapi.json", headers });
    const plain = await ask({ "accept-encoding": "gzip;q=0" });
    assert.equal(plain.headers["content-encoding"], undefined);
    const packed = await ask({ "accept-encoding": "br, gzip" });
    const { etag, ...headers } = packed.headers;
    assert.deepEqual(
      [headers["content-encoding"], headers["cache-control"], headers["vary"]],
      ["gzip", "public, max-age=300", "accept-encoding"],
    );
    assert.equal(headers["content-type"], plain.headers["content-type"]);
    assert.ok(gunzipSync(packed.rawPayload).equals(plain.rawPayload));
    const again = await ask({ "accept-encoding": "gzip", "if-none-match": String(etag) });
    assert.deepEqual([again.statusCode, again.payload], [304, ""]);
    assert.equal(again.headers["content-encoding"], undefined, "nothing is in it");
  });

  test("a schema that many share is written once", async () => {
    const { components } = await documentOf("tracking");
    assert.ok(components.schemas["StatusData"]);
    assert.ok(components.schemas["ContainerStatus"]);
  });
});

function assertOperation(path: string, { summary, responses, parameters = [] }: Operation): void {
  assert.ok(summary.length > 0);
  assert.ok(Object.keys(responses).length > 0);
  for (const [status, { description }] of Object.entries(responses)) {
    assert.match(status, /^([1-5](\d\d|XX)|default)$/);
    assert.equal(typeof description, "string");
  }
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  assert.deepEqual(
    inPath.map(({ name }) => `{${name}}`),
    path.match(/\{\w+\}/g) ?? [],
  );
  for (const { required } of inPath) assert.equal(required, true);
}

function referencesIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "$ref" in value && typeof value.$ref === "string" ? [value.$ref] : [];
  return [...own, ...Object.values(value).flatMap(referencesIn)];
}

function at(document: Document, reference: string): unknown {
  assert.match(reference, /^#\/components\/schemas\//);
  return document.components.schemas[reference.slice("#/components/schemas/".length)];
}
