import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";

import { buildAttemptRequest } from "../../src/engine/dispatch/attempt-request.ts";
import { deliveryOf, queueOf } from "./endpoint.ts";

// spec 5.1: method, header, content_type, user_agent, event_header, delivery_header, signature_header
// spec 9: path_version
test("an attempt has the endpoint's URL, the delivery's bytes, and the headers of its product, signed", () => {
  const delivery = deliveryOf("an-id", { type: "eta_changed", body: '{"port":"Gdańsk"}' });
  const { url, headers, body } = buildAttemptRequest(queueOf(), delivery, "Tracking");
  assert.equal(url, "https://receiver.test/");
  assert.equal(body.toString(), delivery.body);
  assert.deepEqual(headers, [
    "content-type",
    "application/json",
    "user-agent",
    "Tracking-Webhooks/1",
    "X-Tracking-Event",
    "eta_changed",
    "X-Tracking-Delivery",
    "an-id",
    "X-Tracking-Signature",
    `sha256=${createHmac("sha256", Buffer.alloc(32)).update(delivery.body).digest("hex")}`,
  ]);
});
