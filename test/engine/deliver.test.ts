import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, beforeEach, describe, test } from "node:test";

import type { RaisedEvent } from "../../src/model/event.ts";
import { eventFor, FAIL, HOURS_PASS, OK, startHarness, type Harness } from "./harness.ts";

describe("the engine", () => {
  let on: Harness;
  before(async () => {
    on = await startHarness(HOURS_PASS);
  });
  after(() => on.stop());
  beforeEach(() => {
    on.arrivals.length = 0;
    on.answer = () => OK;
  });

  // spec 2.3: four_keys, id, type, occurred_at, data, utc
  // spec 2.2: id, attempt_count, last_status_code, last_error, delivered_at; 3.1: delivered
  // spec 5.1: method, header, signed_material, content_type, user_agent, event_header, delivery_header
  // spec 5.1: signature_header
  test("sends what was raised, with the four keys, the five headers and a signature that verifies", async () => {
    const { account, id, secret } = await on.receiver();
    const event = eventFor(account);
    const data = event.data.replace("{", '{ "note":"ünïcode \\u2028 / \\u0000", ');
    const raised = await on.raise([{ ...event, data }]);
    assert.deepEqual(raised, { kind: "raised", accepted: 1, duplicates: 0, deliveries: 1 });
    await on.until(() => on.arrivals.length === 1, "one arrival");
    const { headers, body, url } = on.arrivals[0]!;
    const parsed = JSON.parse(body) as Record<string, unknown>;
    assert.deepEqual(Object.keys(parsed), ["id", "type", "occurred_at", "data"]);
    assert.equal(parsed["occurred_at"], "2026-11-02T11:00:00.000Z");
    assert.ok(body.endsWith(`,"data":${data}}`), "data is sent byte for byte");
    assert.equal(url, `https://receiver.test/${id}`);
    assert.equal(headers["content-type"], "application/json");
    assert.equal(headers["user-agent"], "Tracking-Webhooks/1");
    assert.equal(headers["x-tracking-event"], "vessel_departed");
    assert.equal(parsed["type"], "vessel_departed");
    assert.equal(headers["x-tracking-delivery"], parsed["id"]);
    const expected = createHmac("sha256", secret).update(body).digest("hex");
    assert.equal(headers["x-tracking-signature"], `sha256=${expected}`);
    await on.delivered(id);
    const [row] = await on.deliveries(id);
    assert.equal(row!["attempt_count"], 1);
    assert.equal(row!["last_status_code"], 200);
    assert.equal(row!["last_error"], null);
    assert.notEqual(row!["delivered_at"], null);
  });

  test("keeps what an event is found by: what its data says, or what its caller said", async () => {
    const account = await on.account();
    const event = eventFor(account);
    await on.raise([
      { ...event, data: '{"identifier":"MSCU1234566"}' },
      { ...event, references: ["A", "B"] },
    ]);
    assert.deepEqual(
      await on.sql("select reference from cell.event_references where account_id = $1 order by 1", [account]),
      ["A", "B", "MSCU1234566"].map((reference) => ({ reference })),
    );
  });

  // spec 3.1: raised; 6.1: active_only; 2.1: event_types, active
  test("sends to every endpoint that is active and subscribed, and to no other", async () => {
    const account = await on.account();
    const other = await on.account();
    const wanted = [
      await on.endpoint(account),
      await on.endpoint(account, { eventTypes: ["eta_changed", "vessel_departed"] }),
    ];
    await on.endpoint(account, { eventTypes: ["eta_changed"] });
    await on.endpoint(account, { product: "air" });
    await on.endpoint(account, { active: false });
    await on.endpoint(other);
    await on.raise([eventFor(account)]);
    await on.until(() => on.arrivals.length >= 2, "two arrivals");
    await on.settle();
    assert.deepEqual(
      on.arrivals.map((arrival) => arrival.url.split("/").at(-1) ?? "").toSorted(),
      wanted.map((endpoint) => endpoint.id).toSorted(),
    );
    assert.equal(new Set(on.arrivals.map((arrival) => arrival.headers["x-tracking-delivery"])).size, 2);
  });

  test("an endpoint registered after a route was read receives the very next event", async () => {
    const { account } = await on.receiver();
    await on.raise([eventFor(account)]);
    const late = await on.endpoint(account);
    await on.raise([eventFor(account)]);
    await on.until(() => on.arrivals.length === 3, "three arrivals");
    assert.equal(on.arrivals.filter((arrival) => arrival.url.endsWith(late.id)).length, 1);
  });

  // spec 3.1: ladder, dead; 8: attempts, ladder; 2.3: id, occurred_at
  // spec 2.2: status, attempt_count, last_status_code, last_error; 6.1: at_least_once; 7: last_error
  test("climbs the ladder rung by rung, the same bytes each time, and is dead at the sixth failure", async () => {
    const { account, id } = await on.receiver();
    on.answer = () => FAIL;
    await on.raise([eventFor(account)]);
    // Beyond the last attempt as well: nothing is sent after death.
    await on.clock.advance(9 * 3_600_000);
    const timesMs = on.arrivals.map(({ atMs }) => atMs);
    const waitsMs = timesMs.slice(1).map((atMs, index) => atMs - timesMs[index]!);
    // Each from when the failure is written, 20 ms after it came.
    assert.deepEqual(waitsMs, [10_020, 60_020, 300_020, 1_800_020, 7_200_020]);
    assert.equal(new Set(on.arrivals.map((arrival) => arrival.body)).size, 1);
    const [row] = await on.deliveries(id);
    assert.equal(row!["status"], "dead");
    assert.equal(row!["attempt_count"], 6);
    assert.equal(row!["last_status_code"], 500);
    assert.equal(row!["last_error"], "http_500: The endpoint answered Internal Server Error.");
    assert.deepEqual(await on.sql("select * from cell.queue where endpoint_id = $1", [id]), []);
  });

  // spec 3.1: delivered; 2.1: failure_count, last_delivery_at; 2.2: last_error
  test("a success after failures is final and resets the count", async () => {
    const { account, id } = await on.receiver({ failureCount: 19 });
    let failures = 0;
    on.answer = () =>
      failures++ === 0
        ? { kind: "failed", statusCode: null, error: { code: "timeout", text: "no answer" } }
        : OK;
    await on.sql("update cell.endpoints set failure_count = 0 where id = $1", [id]);
    await on.raise([eventFor(account)]);
    await on.until(async () => (await on.deliveries(id))[0]!["attempt_count"] === 1, "first attempt");
    assert.deepEqual((await on.deliveries(id))[0]!["last_error"], "timeout: no answer");
    assert.equal(
      (await on.sql("select failure_count from cell.endpoints where id = $1", [id]))[0]!["failure_count"],
      1,
    );
    await on.clock.advance(10_000);
    await on.delivered(id);
    const [endpoint] = await on.sql(
      "select failure_count, last_delivery_at from cell.endpoints where id = $1",
      [id],
    );
    assert.equal(endpoint!["failure_count"], 0);
    assert.notEqual(endpoint!["last_delivery_at"], null);
  });

  // spec 6.1: no_order; 2.3: occurred_at
  test("a retry arrives after later events, and keeps the time of its own", async () => {
    const { account } = await on.receiver();
    const [firstMs, laterMs] = [Date.UTC(2026, 10, 2, 9), Date.UTC(2026, 10, 2, 10)];
    on.answer = () => FAIL;
    await on.raise([eventFor(account, { occurredAtMs: firstMs })]);
    await on.until(() => on.arrivals.length === 1, "first attempt");
    await on.settle();
    on.answer = () => OK;
    await on.raise([eventFor(account, { occurredAtMs: laterMs })]);
    await on.until(() => on.arrivals.length === 2, "the later event");
    await on.clock.advance(10_000);
    await on.until(() => on.arrivals.length === 3, "the retry");
    assert.deepEqual(
      on.arrivals.map(({ body }) => Date.parse(JSON.parse(body).occurred_at)),
      [firstMs, laterMs, firstMs],
    );
  });

  test("a key seen before raises nothing, within one call and across calls", async () => {
    const { account } = await on.receiver();
    const keyed = (dedupKey: string) => eventFor(account, { dedupKey });
    assert.deepEqual(await on.raise([keyed("a"), keyed("a"), keyed("b")]), {
      kind: "raised",
      accepted: 2,
      duplicates: 1,
      deliveries: 2,
    });
    assert.deepEqual(await on.raise([keyed("b"), keyed("c"), eventFor(account)]), {
      kind: "raised",
      accepted: 2,
      duplicates: 1,
      deliveries: 2,
    });
    assert.deepEqual(await on.raise([{ ...keyed("a"), product: "air" }]), {
      kind: "raised",
      accepted: 1,
      duplicates: 0,
      deliveries: 0,
    });
    await on.until(() => on.arrivals.length === 4, "four arrivals");
  });

  test("an unknown account raises nothing for anybody", async () => {
    const { account } = await on.receiver();
    const accountId = "01a00000-0000-7000-8000-000000000000";
    const raised = await on.raise([eventFor(account), eventFor(accountId)]);
    assert.deepEqual(raised, { kind: "unknown_account", accountId });
    await on.settle();
    assert.equal(on.arrivals.length, 0);
  });

  test("events and the change that caused them are written together or not at all", async () => {
    const { account } = await on.receiver();
    const write = async (events: readonly RaisedEvent[] | null) =>
      await on.drive(on.engine.raiseWithin(on.cell, async () => events));
    assert.equal(await write(null), null);
    await assert.rejects(
      on.engine.raiseWithin(on.cell, async () => {
        throw new Error("the change failed");
      }),
      /the change failed/,
    );
    assert.deepEqual(await write([]), { accepted: 0, duplicates: 0, deliveries: 0 });
    await on.settle();
    assert.equal(on.arrivals.length, 0);
    assert.deepEqual(await write([eventFor(account)]), { accepted: 1, duplicates: 0, deliveries: 1 });
    await on.until(() => on.arrivals.length === 1, "one arrival");
  });

  // spec 6.1: ping; 2.4: ping; 2.2: id
  test("a ping reaches the one endpoint, whatever its subscription", async () => {
    const { account, id } = await on.receiver({ eventTypes: ["eta_changed"] });
    await on.endpoint(account);
    const paused = await on.endpoint(account, { active: false });
    const record = await on.drive(on.engine.ping(on.cell, account, id));
    assert.ok(typeof record !== "string");
    assert.equal(record.status, "pending");
    await on.until(() => on.arrivals.length === 1, "the ping");
    assert.equal(on.arrivals[0]!.headers["x-tracking-delivery"], record.id);
    assert.equal(on.arrivals[0]!.headers["x-tracking-event"], "ping");
    assert.equal(record.id, JSON.parse(on.arrivals[0]!.body).id);
    assert.equal(await on.drive(on.engine.ping(on.cell, account, paused.id)), "inactive");
    assert.equal(await on.drive(on.engine.ping(on.cell, account, account)), "missing");
  });
});
