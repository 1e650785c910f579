/** What a product offers, tried out, on every product: event types, samples, and names that it does not offer. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Compile } from "typebox/schema";

import { createEventDataCheck } from "../../src/model/event-check.ts";
import type { Product } from "../../src/model/product.ts";
import { products } from "../../src/products/index.ts";
import { ofSuite } from "../support/suite.ts";
import { PING_DELIVERY } from "../support/fake-engine.ts";
import { createClient, startService, type Answer } from "../support/service.ts";
import { column } from "../support/columns.ts";

const NOBODYS = "01900000-0000-7000-8000-000000000000";

describe("event types on every product", () => {
  const service = ofSuite(() => startService());

  function assertRefused(product: Product, answer: Answer, status: number, code: string): void {
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assert.equal(answer.body.error.code, product.envelope === "data-only" ? code.toLowerCase() : code);
  }

  for (const product of products) {
    const { tag } = product;

    const client = () => createClient(service, product);

    test(`${tag}: the event types come with a schema, and an example that it takes and that may be raised`, async () => {
      const { request } = await client();
      const { status, body } = await request("GET", "/event-types");
      assert.equal(status, 200);
      assert.deepEqual(column(body.data, "name"), [...product.catalogue.map(({ name }) => name), "ping"]);
      const check = createEventDataCheck(products);
      for (const listed of body.data) {
        const { name, raised, subscribable, description, schema, example } = listed;
        const isRight: boolean = Compile(schema as object).Check(example);
        assert.ok(isRight, name);
        assert.equal(example.type, name);
        assert.ok(description.length > 0);
        if (raised && name !== "ping") {
          assert.deepEqual(check(tag, name, example.data), { ok: true });
          assert.deepEqual(check(tag, name, { ...example.data, sample: true }), { ok: true });
        }
        assert.equal(
          subscribable,
          product.catalogue.find((type) => type.name === name)?.subscribable ?? false,
        );
      }
    });

    test(`${tag}: a test with an event type sends a sample of it, marked; without one, the ping`, async () => {
      const { request, register } = await client();
      const { id } = await register();
      const [type] = product.catalogue;
      const answer = await request("POST", `/webhooks/${id}/test`, { event_type: type!.name });
      assert.equal(answer.status, 202);
      assert.equal(answer.body.data.id, PING_DELIVERY.id);
      const sample = service.engine.samples.at(-1)!;
      assert.deepEqual(JSON.parse(sample.data), { ...type!.example, sample: true });
      assert.equal(sample.type, type!.name);
      for (const body of [undefined, {}, "null", { event_type: "ping" }, { other: 7 }]) {
        assert.equal((await request("POST", `/webhooks/${id}/test`, body)).status, 202);
        assert.equal(service.engine.samples.at(-1), undefined);
      }
      const sent = service.engine.samples.length;
      for (const event_type of ["none", "", 7, null, "awb_departed"]) {
        const refused = await request("POST", `/webhooks/${id}/test`, { event_type });
        assertRefused(product, refused, 400, "INVALID_REQUEST");
      }
      // spec 2.1: event_types
      const other = product.catalogue.find(({ subscribable, name }) => subscribable && name !== type!.name)!;
      const narrow = await register({ event_types: [other.name] });
      const unsubscribed = await request("POST", `/webhooks/${narrow.id}/test`, { event_type: type!.name });
      assertRefused(product, unsubscribed, 400, "INVALID_REQUEST");
      assert.match(unsubscribed.body.error.message, new RegExp(`does not subscribe to ${type!.name}`));
      assert.equal((await request("POST", `/webhooks/${narrow.id}/test`)).status, 202);
      const nobodys = await request("POST", `/webhooks/${NOBODYS}/test`, { event_type: type!.name });
      assertRefused(product, nobodys, 404, "NOT_FOUND");
      assert.equal(service.engine.samples.length, sent + 1);
    });
  }

  test("a header names the event types that a registration or a change dropped", async () => {
    const product: Product = products[0]!;
    const { request, register } = await createClient(service, product);
    const [offered] = product.catalogue;
    const names = ["no such, type", offered!.name, "ping", "ping", "überfällig"];
    const header = "no%20such%2C%20type, ping, %C3%BCberf%C3%A4llig";
    const made = await request("POST", "/webhooks", { url: "https://example.com/", event_types: names });
    assert.equal(made.headers["ignored-event-types"], header);
    const change = async (body: object) => (await request("PATCH", `/webhooks/${id}`, body)).headers;
    const { id } = await register();
    assert.equal((await change({ event_types: names }))["ignored-event-types"], header);
    for (const body of [{}, { event_types: [offered!.name] }, { event_types: [] }])
      assert.ok(!("ignored-event-types" in (await change(body))));
    const many = Array.from({ length: 100 }, (_, n) => `${n}${"😀".repeat(100)}`);
    const { length } = String((await change({ event_types: many }))["ignored-event-types"]);
    assert.ok(length > 500 && length <= 1_024);
  });
});
