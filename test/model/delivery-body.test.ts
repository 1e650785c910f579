import assert from "node:assert/strict";
import { test } from "node:test";

import { buildDeliveryBody } from "../../src/model/delivery-body.ts";

// spec 2.3: four_keys, id, type, occurred_at, data, utc
test("a body has four keys, the time that it was given, and its data as it is", () => {
  const [first, second] = [Date.UTC(2026, 0, 2, 3, 4, 5, 6), Date.UTC(2026, 0, 2, 3, 4, 5, 7)];
  const bodies = [first, first, second, first].map((atMs) =>
    buildDeliveryBody("an-id", "ping", atMs, '{ "a": 1.0 }'),
  );
  const expected = (time: string) =>
    `{"id":"an-id","type":"ping","occurred_at":"2026-01-02T03:04:05.${time}Z","data":{ "a": 1.0 }}`;
  assert.deepEqual(bodies, [expected("006"), expected("006"), expected("007"), expected("006")]);
});
