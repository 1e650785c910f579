/** A product is data: one made for this test works in all its parts. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, describe, test } from "node:test";

import Type from "typebox";

import type { Product } from "../../src/model/product.ts";
import { products } from "../../src/products/index.ts";
import { openObject } from "../../src/model/data-types.ts";
import { MASTER_KEYS, startHarness, type Harness } from "../engine/harness.ts";
import { silentLog } from "../support/log.ts";
import {
  sendWithKey,
  createListeners,
  createCaller,
  sendAsOperator,
  send,
  type TestListeners,
} from "../support/service.ts";

const rail: Product = {
  tag: "rail",
  title: "Rail freight",
  headerTag: "Rail",
  keyPrefixes: ["rail", "tracking"],
  entitlement: "railfreight",
  envelope: "data-only",
  versions: ["2027-01-01"],
  catalogue: [
    {
      name: "train_departed",
      description: "The train left.",
      subscribable: true,
      raised: true,
      data: openObject("TrainData", { train: Type.Integer() }),
      example: { train: 7 },
    },
  ],
};

describe("a sixth product", () => {
  let harness: Harness;
  let service: TestListeners;
  before(async () => {
    harness = await startHarness();
    const { test: stored, clock, engine } = harness;
    service = createListeners(
      { products: [...products, rail] },
      { ...stored, engine, clock, log: silentLog, masterKeys: MASTER_KEYS },
    );
  });
  after(async () => {
    await service.api.close();
    await service.ops.close();
    await harness.stop();
  });

  test("has its six routes, its keys and its entitlement, and its events arrive signed", async () => {
    const { accountId, key } = await createCaller(service, "rail", ["railfreight"]);
    const webhooks = "/rail/v1/webhooks";
    const made = await harness.drive(
      sendWithKey(service, key, "POST", webhooks, {
        url: "https://receiver.test/rail",
        event_types: ["train_departed"],
      }),
    );
    assert.equal(made.status, 201);
    assert.equal(made.body.api_version, "2027-01-01");
    const { id, secret } = made.body.data;

    const event = { product: "rail", account_id: accountId, type: "train_departed", data: { train: 7 } };
    const raised = await harness.drive(sendAsOperator(service, "POST", "/v1/events", { events: [event] }));
    assert.deepEqual([raised.status, raised.body], [202, { accepted: 1, duplicates: 0, deliveries: 1 }]);
    await harness.until(() => harness.arrivals.length === 1, "the arrival of the event");
    const { body, headers } = harness.arrivals[0]!;
    assert.equal(headers["user-agent"], "Rail-Webhooks/1");
    assert.equal(headers["x-rail-event"], "train_departed");
    assert.equal(headers["x-rail-delivery"], JSON.parse(body).id);
    const signature = createHmac("sha256", secret).update(body).digest("hex");
    assert.equal(headers["x-rail-signature"], `sha256=${signature}`);
    assert.deepEqual(JSON.parse(body).data, { train: 7 });

    const wrong = await sendAsOperator(service, "POST", "/v1/events", {
      events: [{ ...event, data: { train: "7" } }],
    });
    assert.deepEqual(
      [wrong.status, wrong.body.error.message],
      [400, "events[0].data.train must be a whole number"],
    );

    const ping = await harness.drive(sendWithKey(service, key, "POST", `${webhooks}/${id}/test`));
    assert.equal(ping.status, 202);
    await harness.until(() => harness.arrivals.length === 2, "the arrival of the ping");
    assert.equal(harness.arrivals[1]!.headers["x-rail-delivery"], ping.body.data.id);
    await harness.until(async () => (await harness.countPending()) === 0, "both results are written");

    const read = await sendWithKey(service, key, "GET", `${webhooks}/${id}`);
    assert.deepEqual(
      read.body.data.recent_deliveries.map((delivery: { event_type: string; status: string }) => [
        delivery.event_type,
        delivery.status,
      ]),
      [
        ["ping", "delivered"],
        ["train_departed", "delivered"],
      ],
    );
    assert.equal((await sendWithKey(service, key, "GET", webhooks)).body.data.length, 1);
    const paused = await harness.drive(
      sendWithKey(service, key, "PATCH", `${webhooks}/${id}`, { active: false }),
    );
    assert.equal(paused.body.data.active, false);
    const refused = await harness.drive(sendWithKey(service, key, "POST", `${webhooks}/${id}/test`));
    assert.deepEqual([refused.status, refused.body.error.code], [409, "endpoint_disabled"]);
    assert.equal((await harness.drive(sendWithKey(service, key, "DELETE", `${webhooks}/${id}`))).status, 200);
    assert.equal(harness.arrivals.length, 2);
  });

  test("is documented", async () => {
    const { body } = await send(service.api, { method: "GET", url: "/rail/openapi.json" });
    assert.equal(body.info.title, "Rail freight");
    assert.deepEqual(Object.keys(body.webhooks), ["train_departed", "ping"]);
    assert.equal((await send(service.api, { method: "GET", url: "/rail/docs/" })).status, 200);
  });
});
