/** What a client can read of what happened: deliveries, their attempts, and events. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { before, describe, test } from "node:test";

import { REFUSED_RANGES } from "../../src/engine/send/address-ranges.ts";
import { addressPolicy, checkAddress } from "../../src/engine/send/address.ts";
import { attemptError } from "../../src/engine/send/errors.ts";
import { delivery } from "../../src/http/webhooks/delivery.ts";
import { products } from "../../src/products/index.ts";
import { allPages, assertRefused } from "../support/answers.ts";
import { createClient, sendAsOperator, startService } from "../support/service.ts";
import { storeDeliveries, storeEvents, uuidAt, type StoredDelivery } from "../support/stored.ts";
import { ofSuite } from "../support/suite.ts";
import { column, columns } from "../support/columns.ts";

const NOBODYS = "01900000-0000-7000-8000-000000000000";
const PLAIN = "blocked_address: Deliveries go to public addresses only.";
const BLOCKED = `${PLAIN} (10.0.0.9 is private)`;
const DATA = '{"exact":1.10,"big":12345678901234567890}';
const at = (ms: number): string => new Date(ms).toISOString();

describe("the log", () => {
  const service = ofSuite(() => startService());
  const [tracking] = products;
  type Client = Awaited<ReturnType<typeof createClient>>;
  let client: Client;
  let id: string;
  before(async () => {
    client = await createClient(service, tracking!);
    ({ id } = await client.register());
  });

  const store = (endpointId: string, ...some: readonly StoredDelivery[]) =>
    storeDeliveries(service.test, endpointId, some);
  const idsOf = async (path: string, { request }: Client = client) =>
    column(await allPages((cursor) => request("GET", path + cursor)), "id");

  test("an endpoint's deliveries are listed newest first, in pages, by status, type and time", async () => {
    const own = await client.register();
    const some = Array.from({ length: 7 }, (_, n) => ({
      ...{ atMs: 1_000 + n, type: n < 3 ? "eta_changed" : "customs_hold" },
      status: n % 2 === 0 ? ("delivered" as const) : ("dead" as const),
    }));
    const ids = column(await store(own.id, ...some), "id").toReversed();
    const dead = ids.filter((_, place) => place % 2 === 1);
    for (const [filter, expected] of [
      ["", ids],
      ["&status=dead", dead],
      ["&event_type=eta_changed", ids.slice(4)],
      ["&event_type=eta_changed&status=dead", [ids[5]]],
      [`&since=${at(1_002)}&until=${at(1_005)}`, ids.slice(2, 5)],
      ["&event_type=ping", []],
    ] as const)
      assert.deepEqual(await idsOf(`/webhooks/${own.id}/deliveries?limit=2${filter}`), expected, filter);
  });

  test("events are listed with or without a receiver, by type and time, without pings, as they were raised", async () => {
    const own = await createClient(service, tracking!);
    const endpoint = await own.register();
    await store(endpoint.id, { atMs: 9_000 });
    const some = [0, 1, 2, 3, 4].map((n) => ({
      atMs: 10_000 + n,
      type: n < 2 ? "eta_changed" : "customs_hold",
      data: DATA,
      occurredMs: 7_000,
    }));
    const ids = (await storeEvents(service.test, endpoint.id, some)).toReversed();
    for (const [filter, expected] of [
      ["", ids],
      ["&type=eta_changed", ids.slice(3)],
      [`&since=${at(10_003)}`, ids.slice(0, 2)],
    ] as const)
      assert.deepEqual(await idsOf(`/events?limit=2${filter}`, own), expected, filter);
    const headers = { authorization: `Bearer ${own.key}` };
    const { payload } = await service.api.inject({ url: "/tracking/v1/events?limit=1", headers });
    assert.ok(payload.includes(`"data":${DATA}`), payload);
    const [{ data: _, ...event }] = JSON.parse(payload).data;
    const times = { occurred_at: at(7_000), created_at: at(10_004) };
    assert.deepEqual(event, { id: ids[0], type: "customs_hold", summary: null, ...times });
    assert.deepEqual(await idsOf("/events?limit=2", await createClient(service, tracking!)), []);
  });

  for (const product of products)
    test(`${product.tag}: a list by a type that there is not finds nothing, and one by times in the wrong order says so`, async () => {
      const { tag, catalogue } = product;
      const own = await createClient(service, product);
      const list = `/webhooks/${(await own.register()).id}/deliveries`;
      const code = product.envelope === "data-only" ? "invalid_request" : "INVALID_REQUEST";
      for (const [path, filter] of [
        [list, "event_type"],
        ["/deliveries", "event_type"],
        ["/events", "type"],
      ] as const) {
        for (const { name } of [...catalogue, { name: "ping" }])
          assert.equal((await own.request("GET", `${path}?${filter}=${name}`)).status, 200, name);
        const none = await own.request("GET", `${path}?${filter}=none`);
        assert.deepEqual([none.status, none.body.data], [200, []]);
        const turned = await own.request("GET", `${path}?since=${at(2)}&until=${at(1)}`);
        assertRefused(turned, 400, code, /^query\.since must be before until/);
        assert.equal((await own.request("GET", `${path}?since=${at(1)}&until=${at(1)}`)).status, 200, tag);
      }
    });

  for (const product of products)
    test(`${product.tag}: a delivery is read with the body and headers that are sent, by nobody else`, async () => {
      const { tag, headerTag, envelope } = product;
      const own = await createClient(service, product);
      const { id: endpointId, secret } = await own.register();
      const [made] = await store(endpointId, {
        atMs: 5_000,
        type: "eta_changed",
        data: DATA,
        status: "dead",
        error: BLOCKED,
      });
      const answer = await own.request("GET", `/webhooks/${endpointId}/deliveries/${made!.id}`);
      assert.equal(answer.status, 200);
      const { body, headers, attempts, ...record } = answer.body.data;
      assert.deepEqual(attempts, []);
      assert.equal(
        body,
        `{"id":"${made!.id}","type":"eta_changed","occurred_at":"${at(5_000)}","data":${DATA}}`,
      );
      assert.deepEqual(headers, {
        "content-type": "application/json",
        "user-agent": `${headerTag}-Webhooks/1`,
        [`X-${headerTag}-Event`]: "eta_changed",
        [`X-${headerTag}-Delivery`]: made!.id,
        [`X-${headerTag}-Signature`]: `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
      });
      assert.deepEqual(record, {
        ...{
          id: made!.id,
          event_id: made!.eventId,
          event_type: "eta_changed",
          status: "dead",
          attempt_count: 1,
        },
        ...{ last_status_code: null, last_error: PLAIN, created_at: at(5_000), delivered_at: null },
        ...{ parked_until: null, next_attempt_at: null, summary: null },
      });
      const other = await createClient(service, product);
      const code = envelope === "data-only" ? "not_found" : "NOT_FOUND";
      for (const path of [`${endpointId}/deliveries`, `${endpointId}/deliveries/${made!.id}`])
        assertRefused(await other.request("GET", `/webhooks/${path}`), 404, code);
      assert.deepEqual((await own.request("GET", "/events")).body.data.length, 1, tag);
    });

  test("deliveries of another endpoint, of no id, and what cannot be asked are refused", async () => {
    const { id: second } = await client.register();
    const [made] = await store(id, { atMs: 6_000 });
    for (const path of [
      `${second}/deliveries/${made!.id}`,
      `${id}/deliveries/${NOBODYS}`,
      `${id}/deliveries/7`,
      `7/deliveries/${made!.id}`,
      "7/deliveries",
    ])
      assertRefused(await client.request("GET", `/webhooks/${path}`), 404, "NOT_FOUND");
    for (const wrong of ["limit=101", "cursor=abc", "until=", "since=1", "x=1"])
      for (const path of ["/events", `/webhooks/${id}/deliveries`])
        assertRefused(await client.request("GET", `${path}?${wrong}`), 400, "INVALID_REQUEST");
  });

  test("a delivery shows its attempts, and no address or range of the operator's networks", async () => {
    const [made] = await store(id, { atMs: 40_000, attempts: 5, statusCode: 204 });
    const tried = [
      ["203.0.114.7", "http_500: no"],
      ["10.0.0.9", BLOCKED],
      ["::ffff:10.0.0.9", "timeout: no"],
      [null, "dns_failed: no"],
    ] as const;
    for (const [place, [address, error]] of tried.entries())
      await service.test.queryEach(
        service.test.cells,
        "insert into cell.attempts values ($1, $2, $3, 41, $4, null, $5, 0)",
        [...[made!.id, place + 1, at(40_001 + place), address, error]],
      );
    const { data } = (await client.request("GET", `/webhooks/${id}/deliveries/${made!.id}`)).body;
    const kept = { duration_ms: 41, status_code: null, answer_bytes: 0 };
    assert.deepEqual(data.attempts, [
      { number: 1, ended_at: at(40_001), address: "203.0.114.7", error: "http_500: no", ...kept },
      { number: 2, ended_at: at(40_002), address: null, error: PLAIN, ...kept },
      { number: 3, ended_at: at(40_003), address: null, error: "timeout: no", ...kept },
      { number: 4, ended_at: at(40_004), address: null, error: "dns_failed: no", ...kept },
      {
        ...{ number: 5, ended_at: at(40_000), duration_ms: null, address: null, status_code: 204 },
        ...{ error: null, answer_bytes: null },
      },
    ]);
    const { body } = await sendAsOperator(service, "GET", `/v1/deliveries/${made!.id}`);
    assert.deepEqual(columns(body.attempts, "address", "error").slice(0, 4), tried);
  });

  test("a page looks through a bounded number of rows, and the next goes on behind them", async () => {
    const own = await createClient(service, tracking!);
    const endpoint = await own.register();
    const [wanted] = await store(endpoint.id, { atMs: 20_000, type: "eta_changed", status: "dead" });
    await service.test.queryEach(
      service.test.cells,
      `with made as (
         insert into cell.events (id, account_id, product, type, occurred_at, data)
         select (lpad(to_hex(20001 + n), 12, '0') || '7000800000000000' || lpad(to_hex(n), 4, '0'))::uuid,
           account_id, product, 'customs_hold', now(), '{}'
         from cell.endpoints, generate_series(1, 7000) n where endpoints.id = $1 returning id
       )
       insert into cell.deliveries (id, event_id, endpoint_id, attempt_count, status, created_at, delivered_at)
       select id, id, $1, 1, 'delivered', now(), now() from made`,
      [endpoint.id],
    );
    for (const [path, found] of [
      [`/webhooks/${endpoint.id}/deliveries?status=dead`, wanted!.id],
      [`/webhooks/${endpoint.id}/deliveries?event_type=eta_changed`, wanted!.id],
      ["/events?type=eta_changed", wanted!.eventId],
    ] as const) {
      const first = (await own.request("GET", path)).body;
      assert.deepEqual(first.data, [], path);
      const second = (await own.request("GET", `${path}&cursor=${first.next_cursor}`)).body;
      assert.deepEqual([column(second.data, "id"), "next_cursor" in second], [[found], false], path);
    }
  });

  test("a page of events has a bounded size, and the pages together have all of them", async () => {
    const own = await createClient(service, tracking!);
    const data = JSON.stringify({ text: "x".repeat(250 * 1024) });
    const some = Array.from({ length: 12 }, (_, n) => ({
      atMs: 30_000 + n,
      id: uuidAt(30_000 + n),
      type: "eta_changed",
      data,
    }));
    await storeEvents(service.test, (await own.register()).id, some);
    const seen = await allPages(async (cursor) => {
      const answer = await own.request("GET", `/events?limit=50${cursor}`);
      assert.ok(JSON.stringify(answer.body).length < 1.5 * 1024 * 1024);
      return answer;
    });
    assert.deepEqual(column(seen, "id"), column(some, "id").toReversed());
  });
});

// spec 2.2: last_error
test("a client reads that an address is blocked, and not which one or why; and other errors as they are", () => {
  const record = {
    id: "1",
    eventType: "ping",
    status: "dead",
    attemptCount: 6,
    lastStatusCode: null,
  } as const;
  const shown = (lastError: string | null): unknown =>
    delivery.view({ ...record, lastError, createdAt: new Date(0), deliveredAt: null }).last_error;
  for (const [cidr] of REFUSED_RANGES) {
    const verdict = checkAddress(cidr.split("/")[0]!, addressPolicy(false));
    assert.ok(!verdict.allowed);
    const { code, text } = attemptError("blocked_address", `inner.example.com leads to ${verdict.reason}`);
    assert.match(text, /inner/);
    assert.equal(shown(`${code}: ${text}`), PLAIN);
  }
  assert.equal(shown(`${PLAIN} (two\nlines)`), PLAIN);
  for (const text of [null, PLAIN, "http_503: The endpoint answered.", "tls_failed: x (no cipher)"])
    assert.equal(shown(text), text);
});
