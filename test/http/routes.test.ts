/** The six routes on every product (spec 2.1, 2.2, 4.1, 7). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import fc from "fast-check";

import type { Product } from "../../src/model/product.ts";
import { products } from "../../src/products/index.ts";
import { PING_DELIVERY } from "../support/fake-engine.ts";
import { createClient, sendWithKey, startService, type Answer, type Method } from "../support/service.ts";
import { ofSuite } from "../support/suite.ts";
import { forAllAsync } from "../support/runs.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SWITCHED_ON = { disabled_at: null, disabled_reason: null, missed_events: 0 };
const HEALTHY = { failure_count: 0, last_delivery_at: null, ...SWITCHED_ON };
const NOBODYS = "01900000-0000-7000-8000-000000000000";
const URL = "https://example.com/hook";

/** Bodies of a registration. */
const WRONG_URLS: Readonly<Record<string, object | string>> = {
  "no url": { event_types: [] },
  "an http url": { url: "http://example.com" },
  "an empty url": { url: "" },
  "a url in capitals": { url: "HTTPS://example.com" },
  "a space before the url": { url: " https://example.com" },
  "a url that the guard refuses": { url: "https://forbidden.example/" },
  "a url that is null": { url: null },
  "a wrong url and wrong event types": { url: 7, event_types: 7 },
  "an http url and a wrong description": { url: "http://example.com", description: 7 },
  "an array for a body": [{ url: URL }],
  "null for a body": "null",
  "a text for a body": `"${URL}"`,
};

describe("the six routes on every product", () => {
  const service = ofSuite(() => startService({}, { cells: 1 }));

  /** What the product puts beside `data`, or beside `error`. */
  function around(product: Product, ok: boolean): object {
    return {
      ...(product.envelope === "ok-and-data" ? { ok } : {}),
      ...(product.versions.length > 0 ? { api_version: product.versions[0] } : {}),
    };
  }

  function assertRefused(product: Product, answer: Answer, status: number, code: string): void {
    assert.equal(answer.status, status);
    const { error, ...rest } = answer.body;
    assert.equal(error.code, product.envelope === "data-only" ? code.toLowerCase() : code);
    assert.ok(error.message.length > 0);
    assert.deepEqual(Object.keys(error), ["code", "message"]);
    assert.deepEqual(rest, around(product, false));
  }

  const clientOf = async (product: Product) => {
    const client = await createClient(service, product);
    const request = (method: Method, path: string, body?: object | string) =>
      client.request(method, `/webhooks${path}`, body);
    return { register: (body: object = {}) => client.register({ url: URL, ...body }), request };
  };

  for (const product of products) {
    const { tag } = product;
    const client = () => clientOf(product);
    const done = (data: object) => ({ ...around(product, true), data });

    // spec 4.1: register, register_event_types, register_description, register_response, envelope_ok
    // spec 4.1: envelope_data, envelope_api_version
    // spec 2.1: id, url, event_types, description, active, created_at, secret; 1: products, differences
    // spec 9: api_version, path_version
    test(`${tag}: registering answers 201 with the endpoint and its secret`, async () => {
      const { request } = await client();
      const { name } = product.catalogue[0]!;
      const answer = await request("POST", "", {
        ...{ url: `${URL}?a=1`, event_types: ["no_such_type", name, "ping", name], description: "my label" },
      });
      assert.equal(answer.status, 201);
      const { id, secret, ...fields } = answer.body.data;
      assert.match(id, UUID);
      assert.match(secret, /^whsec_[A-Za-z0-9_-]{64}$/);
      assert.deepEqual(
        { ...answer.body, data: fields },
        done({
          ...{ url: `${URL}?a=1`, event_types: [name], description: "my label", active: true },
          created_at: "2026-11-02T12:00:00.000Z",
        }),
      );
      assert.ok(service.engine.changed.includes(id), "the engine is notified before the answer");
    });

    // spec 2.1: secret; 4.1: register_response
    test(`${tag}: the secret is in no other answer`, async () => {
      const { register, request } = await client();
      const { id, secret } = await register();
      for (const [method, path, body] of [
        ["GET", "", undefined],
        ["GET", `/${id}`, undefined],
        ["PATCH", `/${id}`, { description: "x" }],
        ["POST", `/${id}/test`, undefined],
        ["DELETE", `/${id}`, undefined],
      ] as const) {
        const answer = await request(method, path, body);
        assert.ok(answer.status < 300);
        assert.ok(!["secret", secret].some((text) => JSON.stringify(answer.body).includes(text)), path);
      }
    });

    // spec 4.1: list, detail, detail_response, envelope_ok, envelope_data, envelope_api_version
    // spec 2.1: failure_count, last_delivery_at, recent_deliveries
    test(`${tag}: endpoints are listed newest first with their health, and one is read with its recent deliveries`, async () => {
      const { register, request } = await client();
      const { secret: _1, ...first } = await register();
      const { secret: _2, ...second } = await register();
      const one = await request("GET", `/${first.id}`);
      assert.deepEqual([one.status, one.body], [200, done({ ...first, ...HEALTHY, recent_deliveries: [] })]);
      const all = await request("GET", "");
      assert.deepEqual(
        [all.status, all.body],
        [
          200,
          done([
            { ...second, ...HEALTHY },
            { ...first, ...HEALTHY },
          ]),
        ],
      );
    });

    // spec 4.1: update, update_response, update_description; 2.1: active
    // spec 4.1: delete, unknown_id
    test(`${tag}: a change answers the five fields that it may change, and a deleted endpoint is gone for every route`, async () => {
      const { register, request } = await client();
      const { id } = await register();
      const changed = await request("PATCH", `/${id}`, { description: "new", active: false });
      const fields = { id, url: URL, event_types: [], description: "new", active: false };
      assert.deepEqual([changed.status, changed.body], [200, done(fields)]);
      const deleted = await request("DELETE", `/${id}`);
      assert.deepEqual([deleted.status, deleted.body], [200, done({ id, deleted: true })]);
      for (const method of ["GET", "DELETE"] as const)
        assertRefused(product, await request(method, `/${id}`), 404, "NOT_FOUND");
      assert.deepEqual((await request("GET", "")).body.data, []);
    });

    // spec 4.1: test
    // spec 2.2: status, attempt_count, last_status_code, last_error, delivered_at, id, event_type, created_at
    test(`${tag}: a test answers 202 with the delivery that was queued, and of an inactive endpoint is a conflict`, async () => {
      const { register, request } = await client();
      const { id } = await register();
      const answer = await request("POST", `/${id}/test`);
      assert.deepEqual(
        [answer.status, answer.body],
        [
          202,
          done({
            ...{ id: PING_DELIVERY.id, event_type: "ping", status: "pending", attempt_count: 0 },
            ...{
              last_status_code: null,
              last_error: null,
              created_at: PING_DELIVERY.createdAt.toISOString(),
            },
            ...{ delivered_at: null, parked_until: null },
          }),
        ],
      );
      assert.equal(service.engine.pinged.at(-1), id);
      service.engine.pingResult = "inactive";
      const conflict = await request("POST", `/${id}/test`);
      service.engine.pingResult = PING_DELIVERY;
      assertRefused(product, conflict, 409, "ENDPOINT_DISABLED");
    });

    // spec 4.1: unknown_id; 7: not_found
    test(`${tag}: ids that are unknown, another account's, or no UUIDs are all not found`, async () => {
      const [{ request }, other] = [await client(), await client()];
      const { id: foreign } = await other.register();
      for (const id of [NOBODYS, foreign, "7", "%00", "..%2f", `${foreign}x`, "x".repeat(150)])
        for (const [method, path, body] of [
          ["GET", `/${id}`, undefined],
          ["PATCH", `/${id}`, { active: false }],
          ["DELETE", `/${id}`, undefined],
          ["POST", `/${id}/test`, undefined],
        ] as const)
          assertRefused(product, await request(method, path, body), 404, "NOT_FOUND");
      assert.equal((await other.request("GET", `/${foreign}`)).body.data.active, true);
    });

    // spec 5: unauthorized; 7: unauthorized, invalid_url
    test(`${tag}: what is refused is refused in the product's own envelope`, async () => {
      const { request } = await client();
      assertRefused(product, await request("POST", "", { url: "http://example.com" }), 400, "INVALID_URL");
      assertRefused(product, await request("GET", "/a/b/c"), 404, "NOT_FOUND");
      const put = await request("PUT", "", {});
      assertRefused(product, put, 405, "METHOD_NOT_ALLOWED");
      assert.equal(put.headers["allow"], "POST, GET, HEAD");
      const one = await sendWithKey(service, "", "PUT", `/${tag}/v1/webhooks/any?of=them`);
      assertRefused(product, one, 405, "METHOD_NOT_ALLOWED");
      assert.equal(one.headers["allow"], "GET, HEAD, PATCH, DELETE");
      const noKey = await sendWithKey(service, "", "GET", `/${tag}/v1/webhooks`);
      assertRefused(product, noKey, 401, "UNAUTHORIZED");
      assert.equal(noKey.headers["www-authenticate"], "Bearer");
    });
  }

  const tracking: Product = products[0]!;

  for (const [what, body] of Object.entries(WRONG_URLS))
    // spec 4.1: register_url; 2.1: url; 7: invalid_url
    test(`registering with ${what} is refused with the code for URLs`, async () => {
      const { request } = await clientOf(tracking);
      const answer = await request("POST", "", body);
      assertRefused(tracking, answer, 400, "INVALID_URL");
      if (what === "no url") assert.equal(answer.body.error.message, "url is missing");
      assert.deepEqual((await request("GET", "")).body.data, []);
    });

  // spec 4.1: update_url
  test("a url of any JSON but text is refused, and a change to one ignores it", async () => {
    const { request, register } = await clientOf(tracking);
    const made = await register();
    // A body with the key __proto__ is refused as a whole, whatever it is about.
    const noText = fc
      .jsonValue({ maxDepth: 2 })
      .filter((value) => typeof value !== "string" && !/__proto__|constructor/.test(JSON.stringify(value)));
    await forAllAsync(25, noText, async (url) => {
      assertRefused(tracking, await request("POST", "", { url }), 400, "INVALID_URL");
      const answer = await request("PATCH", `/${made.id}`, { url, description: "changed", active: false });
      const { url: kept, description, active } = answer.body.data;
      assert.deepEqual([kept, description, active], [made.url, "changed", false]);
    });
    assert.equal((await request("GET", "")).body.data.length, 1);
  });

  test("a query parameter that there is not is refused by its name on every operation", async () => {
    const { request } = await clientOf(tracking);
    const listed = await request("GET", "?limt=1");
    assertRefused(tracking, listed, 400, "INVALID_REQUEST");
    assert.equal(listed.body.error.message, "query has no limt: it takes limit and cursor");
    const registered = await request("POST", "?x=1", { url: URL });
    assert.equal(registered.body.error.message, "query has no x: it takes no parameters");
    assert.deepEqual((await request("GET", "")).body.data, []);
  });
});
