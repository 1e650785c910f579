/** Pages, and what an endpoint's detail shows of its deliveries (spec 2.2, 4.1, 8). */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { query } from "../support/database.ts";
import { sendWithKey, createCaller, startService, type TestService } from "../support/service.ts";

const random = systemRandom();
const WEBHOOKS = "/tracking/v1/webhooks";

describe("lists and details", () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  async function withEndpoints(count: number): Promise<{ key: string; ids: string[] }> {
    const { key } = await createCaller(service, "tracking");
    const ids: string[] = [];
    for (let made = 0; made < count; made++) {
      const answer = await sendWithKey(service, key, "POST", WEBHOOKS, {
        url: `https://example.com/${made}`,
      });
      ids.unshift(answer.body.data.id);
    }
    return { key, ids };
  }

  test("pages show each endpoint once, newest first, even if endpoints are created between pages", async () => {
    const { key, ids } = await withEndpoints(7);
    const seen: string[] = [];
    let url: string | null = `${WEBHOOKS}?limit=3`;
    while (url !== null) {
      const { body } = await sendWithKey(service, key, "GET", url);
      seen.push(...body.data.map((endpoint: { id: string }) => endpoint.id));
      assert.ok(body.data.length <= 3);
      url = body.next_cursor === undefined ? null : `${WEBHOOKS}?limit=3&cursor=${body.next_cursor}`;
      await sendWithKey(service, key, "POST", WEBHOOKS, { url: "https://example.com/later" });
    }
    assert.deepEqual(seen, ids);
  });

  test("a page that is exactly full has no next one", async () => {
    const { key } = await withEndpoints(2);
    const { body } = await sendWithKey(service, key, "GET", `${WEBHOOKS}?limit=2`);
    assert.equal(body.data.length, 2);
    assert.ok(!("next_cursor" in body));
  });

  test("fifty are shown unless asked otherwise", async () => {
    const { key } = await withEndpoints(51);
    const { body } = await sendWithKey(service, key, "GET", WEBHOOKS);
    assert.equal(body.data.length, 50);
    assert.equal(typeof body.next_cursor, "string");
  });

  for (const wrong of [
    "limit=0",
    "limit=101",
    "limit=-1",
    "limit=1.5",
    "limit=",
    "limit=ten",
    "limit=0x10",
    "limit=1&limit=2",
    "limit=9999999999999999999999",
    "cursor=",
    "cursor=abc",
    "cursor=%00",
    "cursor=a&cursor=b",
    `cursor=${"!".repeat(22)}`,
  ]) {
    test(`a list asked for with ${wrong} is refused`, async () => {
      const { key } = await withEndpoints(0);
      const answer = await sendWithKey(service, key, "GET", `${WEBHOOKS}?${wrong}`);
      assert.equal(answer.status, 400);
      assert.equal(answer.body.error.code, "INVALID_REQUEST");
    });
  }

  // spec 8: recent_deliveries; 4.1: detail_response; 2.1: last_delivery_at, recent_deliveries
  // spec 2.2: id, event_type, status, attempt_count, last_status_code, last_error, created_at, delivered_at
  // spec 7: last_error
  test("the detail shows the twenty newest deliveries with all their fields, and the last success", async () => {
    const { key, ids } = await withEndpoints(1);
    const cell = await cellOf(ids[0]!);
    const made: string[] = [];
    for (let number = 0; number < 25; number++) {
      made.unshift(await insertDelivery(cell, ids[0]!, number));
    }
    const { data } = (await sendWithKey(service, key, "GET", `${WEBHOOKS}/${ids[0]}`)).body;
    assert.deepEqual(
      data.recent_deliveries.map((delivery: { id: string }) => delivery.id),
      made.slice(0, 20),
    );
    assert.deepEqual(data.recent_deliveries[0], {
      id: made[0],
      event_type: "eta_changed",
      status: "delivered",
      attempt_count: 1,
      last_status_code: 204,
      last_error: null,
      created_at: new Date(24_000).toISOString(),
      delivered_at: new Date(24_500).toISOString(),
      parked_until: null,
    });
    assert.deepEqual(data.recent_deliveries[1], {
      id: made[1],
      event_type: "eta_changed",
      status: "pending",
      attempt_count: 2,
      last_status_code: null,
      last_error: "timeout: no answer within 10 s",
      created_at: new Date(23_000).toISOString(),
      delivered_at: null,
      parked_until: null,
    });
    assert.equal(data.last_delivery_at, new Date(24_500).toISOString());
  });

  test("a disabled endpoint says since when, why and what it missed, and what is parked when it ends", async () => {
    const { key, ids } = await withEndpoints(1);
    const cell = await cellOf(ids[0]!);
    for (const number of [0, 1]) await insertDelivery(cell, ids[0]!, number);
    await query(
      service.test.address,
      `update ${cell}.endpoints
       set active = false, inactive_since = $2, disabled_reason = 'failures', missed_events = 3 where id = $1`,
      [ids[0], new Date(30_000)],
    );
    const { data: listed } = (await sendWithKey(service, key, "GET", WEBHOOKS)).body;
    const { data } = (await sendWithKey(service, key, "GET", `${WEBHOOKS}/${ids[0]}`)).body;
    for (const { disabled_at, disabled_reason, missed_events } of [data, listed[0]]) {
      assert.deepEqual(
        [disabled_at, disabled_reason, missed_events],
        [new Date(30_000).toISOString(), "failures", 3],
      );
    }
    const parkedUntil = new Date(30_000 + DEFAULT_ENGINE_SETTINGS.parkedMs).toISOString();
    assert.deepEqual(
      data.recent_deliveries.map((one: { status: string; parked_until: string | null }) => [
        one.status,
        one.parked_until,
      ]),
      [
        ["pending", parkedUntil],
        ["delivered", null],
      ],
    );
  });

  test("an id in capitals is the same id", async () => {
    const { key, ids } = await withEndpoints(1);
    const { body } = await sendWithKey(service, key, "GET", `${WEBHOOKS}/${ids[0]!.toUpperCase()}`);
    assert.equal(body.data.id, ids[0]);
  });

  async function cellOf(endpointId: string): Promise<string> {
    for (const { schema } of service.test.cells) {
      const found = await query(service.test.address, `select from ${schema}.endpoints where id = $1`, [
        endpointId,
      ]);
      if (found.rowCount === 1) return schema;
    }
    throw new Error("no such endpoint");
  }

  /** Even numbers were delivered, odd ones wait for another attempt. */
  async function insertDelivery(schema: string, endpointId: string, number: number): Promise<string> {
    const [eventId, id] = [random.uuid(number), random.uuid(number)];
    const createdAt = new Date(number * 1000);
    await query(
      service.test.address,
      `insert into ${schema}.events (id, account_id, product, type, occurred_at, data)
     select $1, account_id, product, 'eta_changed', $2, '{}' from ${schema}.endpoints where id = $3`,
      [eventId, createdAt, endpointId],
    );
    const delivered = number % 2 === 0;
    await query(
      service.test.address,
      `insert into ${schema}.deliveries (id, event_id, endpoint_id, attempt_count, last_status_code, status,
       last_error, created_at, delivered_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        id,
        eventId,
        endpointId,
        delivered ? 1 : 2,
        delivered ? 204 : null,
        delivered ? "delivered" : "pending",
        delivered ? null : "timeout: no answer within 10 s",
        createdAt,
        delivered ? new Date(number * 1000 + 500) : null,
      ],
    );
    return id;
  }
});
