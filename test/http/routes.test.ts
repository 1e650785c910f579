/** The six routes on every product (spec 2.1, 2.2, 4.1, 7). */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import fc from "fast-check";

import type { Product } from "../../src/model/product.ts";
import { products } from "../../src/products/index.ts";
import { PING_DELIVERY } from "../support/fake-engine.ts";
import {
  sendWithKey,
  createCaller,
  startService,
  type Answer,
  type Method,
  type TestService,
} from "../support/service.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SWITCHED_ON = { disabled_at: null, disabled_reason: null, missed_events: 0 };
const HEALTHY = { failure_count: 0, last_delivery_at: null, ...SWITCHED_ON };
const NOBODYS = "01900000-0000-7000-8000-000000000000";

describe("the six routes on every product", () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

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

  for (const product of products) {
    const { tag } = product;

    /** A caller of the product, and its requests to `/v1/webhooks…`. */
    const client = async () => {
      const caller = await createCaller(
        service,
        product.keyPrefixes[0]!,
        product.entitlement ? [product.entitlement] : [],
      );
      const request = (method: Method, path: string, body?: object | string) =>
        sendWithKey(service, caller.key, method, `/${tag}/v1/webhooks${path}`, body);
      const register = async (body: object = {}) =>
        (await request("POST", "", { url: "https://example.com/hook", ...body })).body.data;
      return { ...caller, request, register };
    };

    // spec 4.1: register, register_event_types, register_description, register_response, envelope_ok
    // spec 4.1: envelope_data, envelope_api_version
    // spec 2.1: id, url, event_types, description, active, created_at, secret; 1: products, differences
    // spec 9: api_version, path_version
    test(`${tag}: registering answers 201 with the endpoint and its secret`, async () => {
      const { request } = await client();
      const [offered] = product.catalogue;
      const answer = await request("POST", "", {
        url: "https://example.com/hook?a=1",
        event_types: ["no_such_type", offered!.name, "ping", offered!.name],
        description: "my label",
      });
      assert.equal(answer.status, 201);
      const { data, ...rest } = answer.body;
      assert.deepEqual(rest, around(product, true));
      const { id, secret, ...fields } = data;
      assert.match(id, UUID);
      assert.match(secret, /^whsec_[A-Za-z0-9_-]{64}$/);
      assert.deepEqual(fields, {
        url: "https://example.com/hook?a=1",
        event_types: [offered!.name],
        description: "my label",
        active: true,
        created_at: "2026-11-02T12:00:00.000Z",
      });
      assert.ok(service.engine.changed.includes(id), "the engine is notified before the answer");
    });

    // spec 2.1: secret; 4.1: register_response
    test(`${tag}: the secret is in no other answer`, async () => {
      const { register, request } = await client();
      const { id, secret } = await register();
      for (const answer of [
        await request("GET", ""),
        await request("GET", `/${id}`),
        await request("PATCH", `/${id}`, { description: "x" }),
        await request("POST", `/${id}/test`),
        await request("DELETE", `/${id}`),
      ]) {
        assert.ok(answer.status < 300);
        assert.ok(
          !JSON.stringify(answer.body).includes("secret") && !JSON.stringify(answer.body).includes(secret),
        );
      }
    });

    // spec 4.1: detail, detail_response, envelope_ok, envelope_data, envelope_api_version
    // spec 2.1: failure_count, last_delivery_at, recent_deliveries
    test(`${tag}: an endpoint is read with its health and recent deliveries`, async () => {
      const { register, request } = await client();
      const { secret: _, ...registered } = await register();
      const answer = await request("GET", `/${registered.id}`);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, {
        ...around(product, true),
        data: { ...registered, ...HEALTHY, recent_deliveries: [] },
      });
    });

    // spec 4.1: list; 2.1: failure_count, last_delivery_at, recent_deliveries
    test(`${tag}: the list shows the same but the deliveries, newest first`, async () => {
      const { register, request } = await client();
      const { secret: _1, ...first } = await register();
      const { secret: _2, ...second } = await register();
      const answer = await request("GET", "");
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, {
        ...around(product, true),
        data: [
          { ...second, ...HEALTHY },
          { ...first, ...HEALTHY },
        ],
      });
    });

    // spec 4.1: update, update_response, update_description; 2.1: active
    test(`${tag}: a change answers the five fields that it may change`, async () => {
      const { register, request } = await client();
      const { id } = await register();
      const answer = await request("PATCH", `/${id}`, { description: "new", active: false });
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, {
        ...around(product, true),
        data: { id, url: "https://example.com/hook", event_types: [], description: "new", active: false },
      });
    });

    // spec 4.1: delete, unknown_id
    test(`${tag}: a deleted endpoint is gone for every route`, async () => {
      const { register, request } = await client();
      const { id } = await register();
      const answer = await request("DELETE", `/${id}`);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, { ...around(product, true), data: { id, deleted: true } });
      assertRefused(product, await request("DELETE", `/${id}`), 404, "NOT_FOUND");
      assertRefused(product, await request("GET", `/${id}`), 404, "NOT_FOUND");
      assert.deepEqual((await request("GET", "")).body.data, []);
    });

    // spec 4.1: test
    // spec 2.2: status, attempt_count, last_status_code, last_error, delivered_at, id, event_type, created_at
    test(`${tag}: a test answers 202 with the delivery that was queued`, async () => {
      const { register, request } = await client();
      const { id } = await register();
      const answer = await request("POST", `/${id}/test`);
      assert.equal(answer.status, 202);
      assert.deepEqual(answer.body, {
        ...around(product, true),
        data: {
          id: PING_DELIVERY.id,
          event_type: "ping",
          status: "pending",
          attempt_count: 0,
          last_status_code: null,
          last_error: null,
          created_at: PING_DELIVERY.createdAt.toISOString(),
          delivered_at: null,
          parked_until: null,
        },
      });
      assert.equal(service.engine.pinged.at(-1), id);
    });

    test(`${tag}: a test of an inactive endpoint is a conflict, and queues nothing`, async () => {
      const { register, request } = await client();
      const { id } = await register();
      service.engine.pingResult = "inactive";
      const answer = await request("POST", `/${id}/test`);
      service.engine.pingResult = PING_DELIVERY;
      assertRefused(product, answer, 409, "ENDPOINT_DISABLED");
    });

    // spec 4.1: unknown_id; 7: not_found
    test(`${tag}: ids that are unknown, another account's, or no UUIDs are all not found`, async () => {
      const { request } = await client();
      const other = await client();
      const { id: foreign } = await other.register();
      for (const id of [NOBODYS, foreign, "7", "%00", "..%2f", `${foreign}x`, "x".repeat(150)]) {
        assertRefused(product, await request("GET", `/${id}`), 404, "NOT_FOUND");
        assertRefused(product, await request("PATCH", `/${id}`, { active: false }), 404, "NOT_FOUND");
        assertRefused(product, await request("DELETE", `/${id}`), 404, "NOT_FOUND");
        assertRefused(product, await request("POST", `/${id}/test`), 404, "NOT_FOUND");
      }
      assert.equal((await other.request("GET", `/${foreign}`)).body.data.active, true);
    });

    for (const [what, body] of Object.entries({
      "no url": { event_types: [] },
      "an http url": { url: "http://example.com" },
      "an empty url": { url: "" },
      "a url in capitals": { url: "HTTPS://example.com" },
      "a space before the url": { url: " https://example.com" },
      "a url that the guard refuses": { url: "https://forbidden.example/" },
      "a url that is a number": { url: 7 },
      "a url that is zero": { url: 0 },
      "a url that is null": { url: null },
      "a url that is a boolean": { url: false },
      "a url in an array": { url: ["https://example.com/"] },
      "a url in an object": { url: { href: "https://example.com/" } },
      "a wrong url and wrong event types": { url: 7, event_types: 7 },
      "an http url and a wrong description": { url: "http://example.com", description: 7 },
      "an array for a body": [{ url: "https://example.com/" }],
      "null for a body": "null",
      "a text for a body": '"https://example.com/"',
    })) {
      // spec 4.1: register_url; 2.1: url; 7: invalid_url
      test(`${tag}: registering with ${what} is refused with the code for URLs`, async () => {
        const { request } = await client();
        assertRefused(product, await request("POST", "", body), 400, "INVALID_URL");
        assert.deepEqual((await request("GET", "")).body.data, []);
      });
    }

    test(`${tag}: a url of any JSON but text is refused with the code for URLs`, async () => {
      const { request } = await client();
      // A body with the key __proto__ is refused as a whole, whatever it is about.
      const noText = fc
        .jsonValue({ maxDepth: 2 })
        .filter((value) => typeof value !== "string" && !/__proto__|constructor/.test(JSON.stringify(value)));
      await fc.assert(
        fc.asyncProperty(noText, async (url) => {
          assertRefused(product, await request("POST", "", { url }), 400, "INVALID_URL");
        }),
        { numRuns: 25 },
      );
    });

    test(`${tag}: changing to a url that is no text is refused, and changes nothing`, async () => {
      const { request, register } = await client();
      const made = await register();
      for (const url of [7, null, false, ["https://example.com/new"], { href: "https://example.com/new" }]) {
        const answer = await request("PATCH", `/${made.id}`, { url, description: "changed", active: false });
        assertRefused(product, answer, 400, "INVALID_REQUEST");
        assert.equal(answer.body.error.message, "body.url must be a string");
      }
      const { url, description, active } = (await request("GET", `/${made.id}`)).body.data;
      assert.deepEqual([url, description, active], [made.url, "", true]);
    });

    test(`${tag}: a query parameter that there is not is refused by its name on every operation`, async () => {
      const { request } = await client();
      const listed = await request("GET", "?limt=1");
      assertRefused(product, listed, 400, "INVALID_REQUEST");
      assert.equal(listed.body.error.message, "query has no limt: there are limit and cursor");
      const registered = await request("POST", "?x=1", { url: "https://example.com/" });
      assertRefused(product, registered, 400, "INVALID_REQUEST");
      assert.equal(registered.body.error.message, "query has no x: there are no parameters");
      assert.deepEqual((await request("GET", "")).body.data, []);
    });

    test(`${tag}: registering without a url is refused, and the message says so`, async () => {
      const { request } = await client();
      const { body } = await request("POST", "", { event_types: [] });
      assert.equal(body.error.message, "url is missing");
    });

    test(`${tag}: an unknown path and a wrong method are refused in the product's own envelope`, async () => {
      const { request } = await client();
      assertRefused(product, await request("GET", "/a/b/c"), 404, "NOT_FOUND");
      const answer = await request("PUT", "", {});
      assertRefused(product, answer, 405, "METHOD_NOT_ALLOWED");
      assert.equal(answer.headers["allow"], "POST, GET, HEAD");
    });

    // spec 5: unauthorized; 7: unauthorized
    test(`${tag}: no key is refused with a challenge`, async () => {
      const answer = await sendWithKey(service, "", "GET", `/${tag}/v1/webhooks`);
      assertRefused(product, answer, 401, "UNAUTHORIZED");
      assert.equal(answer.headers["www-authenticate"], "Bearer");
    });
  }
});
