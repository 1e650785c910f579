/** What a client can read of what happened, on every product: deliveries and events. */
import assert from "node:assert/strict";
import { createHmac, randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";

import type { Product } from "../../src/model/product.ts";
import { firstUuidOf } from "../../src/model/uuid.ts";
import { products } from "../../src/products/index.ts";
import { query } from "../support/database.ts";
import { createCaller, createClient, sendWithKey, startService, type Answer } from "../support/service.ts";
import type { TestService } from "../support/service.ts";

type Listed = { readonly id: string };

/** Of that very time, also where it was earlier than the last one's. */
function uuidAt(atMs: number): string {
  return firstUuidOf(atMs).slice(0, 14) + `7${randomUUID().slice(15)}`;
}

const NOBODYS = "01900000-0000-7000-8000-000000000000";

type Stored = {
  readonly atMs: number;
  readonly type?: string;
  readonly data?: string;
  readonly status?: "pending" | "delivered" | "dead";
};

describe("the log on every product", () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  function assertRefused(product: Product, answer: Answer, status: number, code: string): void {
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assert.equal(answer.body.error.code, product.envelope === "data-only" ? code.toLowerCase() : code);
  }

  async function store(endpointId: string, stored: Stored): Promise<{ id: string; eventId: string }> {
    const { atMs, type = "ping", data = "{}", status = "delivered" } = stored;
    const [id, eventId] = [uuidAt(atMs), uuidAt(atMs)];
    const schema = await cellOf(endpointId);
    const { address } = service.test;
    await query(
      address,
      `insert into ${schema}.events (id, account_id, product, type, occurred_at, data)
       select $1, account_id, product, $2, $3, $4 from ${schema}.endpoints where id = $5`,
      [eventId, type, new Date(atMs), data, endpointId],
    );
    const isDelivered = status === "delivered";
    await query(
      address,
      `insert into ${schema}.deliveries (id, event_id, endpoint_id, attempt_count, last_status_code, status,
       last_error, created_at, delivered_at) values ($1, $2, $3, 1, null, $4, $5, $6, $7)`,
      [
        id,
        eventId,
        endpointId,
        status,
        isDelivered ? null : "blocked_address: Deliveries go to public addresses only. (10.0.0.9 is private)",
        new Date(atMs),
        isDelivered ? new Date(atMs) : null,
      ],
    );
    return { id, eventId };
  }

  async function cellOf(endpointId: string): Promise<string> {
    for (const { schema } of service.test.cells) {
      const found = await query(service.test.address, `select from ${schema}.endpoints where id = $1`, [
        endpointId,
      ]);
      if (found.rowCount === 1) return schema;
    }
    throw new Error("no such endpoint");
  }

  for (const product of products) {
    const { tag } = product;

    const client = () => createClient(service, product);

    /** All pages of a list. */
    async function readAll(request: (path: string) => Promise<Answer>, path: string): Promise<Listed[]> {
      const all: Listed[] = [];
      for (let cursor = ""; ;) {
        const { status, body } = await request(`${path}${cursor}`);
        assert.equal(status, 200, JSON.stringify(body));
        all.push(...body.data);
        if (body.next_cursor === undefined) return all;
        cursor = `&cursor=${body.next_cursor}`;
      }
    }

    test(`${tag}: an endpoint's deliveries are listed newest first, in pages, by status, type and time`, async () => {
      const { request, register } = await client();
      const { id } = await register();
      const made: { id: string }[] = [];
      for (let n = 0; n < 7; n++) {
        const status = n % 2 === 0 ? "delivered" : "dead";
        made.unshift(await store(id, { atMs: 1_000 + n, type: n < 3 ? "one" : "two", status }));
      }
      const ids = made.map((one) => one.id);
      const list = async (filter: string) =>
        (await readAll((path) => request("GET", path), `/webhooks/${id}/deliveries?limit=2${filter}`)).map(
          (one) => one.id,
        );
      assert.deepEqual(await list(""), ids);
      assert.deepEqual(
        await list("&status=dead"),
        ids.filter((_, at) => at % 2 === 1),
      );
      assert.deepEqual(await list("&event_type=one"), ids.slice(4));
      assert.deepEqual(await list("&event_type=one&status=dead"), [ids[5]]);
      const [since, until] = [new Date(1_002).toISOString(), new Date(1_005).toISOString()];
      assert.deepEqual(await list(`&since=${since}&until=${until}`), ids.slice(2, 5));
      assert.deepEqual(await list("&event_type=none"), []);
    });

    test(`${tag}: a delivery is read with the body and headers that are sent`, async () => {
      const { request, register } = await client();
      const { id, secret } = await register();
      const data = '{"exact":1.10,"big":12345678901234567890}';
      const made = await store(id, { atMs: 5_000, type: "one", data, status: "dead" });
      const answer = await request("GET", `/webhooks/${id}/deliveries/${made.id}`);
      assert.equal(answer.status, 200);
      const { body, headers, attempts, ...record } = answer.body.data;
      assert.deepEqual(attempts, []);
      assert.equal(
        body,
        `{"id":"${made.id}","type":"one","occurred_at":"1970-01-01T00:00:05.000Z","data":${data}}`,
      );
      const name = `X-${product.headerTag}`;
      assert.deepEqual(headers, {
        "content-type": "application/json",
        "user-agent": `${product.headerTag}-Webhooks/1`,
        [`${name}-Event`]: "one",
        [`${name}-Delivery`]: made.id,
        [`${name}-Signature`]: `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
      });
      assert.deepEqual(record, {
        id: made.id,
        event_type: "one",
        status: "dead",
        attempt_count: 1,
        last_status_code: null,
        last_error: "blocked_address: Deliveries go to public addresses only.",
        created_at: "1970-01-01T00:00:05.000Z",
        delivered_at: null,
        parked_until: null,
        event_id: made.eventId,
        next_attempt_at: null,
      });
    });

    test(`${tag}: deliveries of others, of another endpoint and of no id are not found`, async () => {
      const mine = await client();
      const { id } = await mine.register();
      const { id: second } = await mine.register();
      const made = await store(id, { atMs: 6_000 });
      const other = await client();
      assertRefused(product, await other.request("GET", `/webhooks/${id}/deliveries`), 404, "NOT_FOUND");
      const stranger = await other.request("GET", `/webhooks/${id}/deliveries/${made.id}`);
      assertRefused(product, stranger, 404, "NOT_FOUND");
      for (const path of [
        `${second}/deliveries/${made.id}`,
        `${id}/deliveries/${NOBODYS}`,
        `${id}/deliveries/7`,
        `7/deliveries/${made.id}`,
        "7/deliveries",
      ])
        assertRefused(product, await mine.request("GET", `/webhooks/${path}`), 404, "NOT_FOUND");
    });

    test(`${tag}: events are listed with or without a receiver, by type and time, without pings`, async () => {
      const { request, register, accountId, key } = await client();
      const { id } = await register();
      await store(id, { atMs: 9_000 });
      const big = '{"exact":1.10,"big":12345678901234567890}';
      const schema = await cellOf(id);
      const ids: string[] = [];
      for (let n = 0; n < 5; n++) {
        const eventId = uuidAt(10_000 + n);
        ids.unshift(eventId);
        await query(
          service.test.address,
          `insert into ${schema}.events (id, account_id, product, type, occurred_at, data) values ($1, $2, $3, $4, $5, $6)`,
          [eventId, accountId, tag, n < 2 ? "one" : "two", new Date(7_000), big],
        );
      }
      const list = async (filter: string) =>
        (await readAll((path) => request("GET", path), `/events?limit=2${filter}`)).map((one) => one.id);
      assert.deepEqual(await list(""), ids);
      assert.deepEqual(await list("&type=one"), ids.slice(3));
      assert.deepEqual(await list(`&since=${new Date(10_003).toISOString()}`), ids.slice(0, 2));
      const { payload } = await service.api.inject({
        url: `/${tag}/v1/events?limit=1`,
        headers: { authorization: `Bearer ${key}` },
      });
      assert.ok(payload.includes(`"data":${big}`), payload);
      const [event] = JSON.parse(payload).data;
      assert.deepEqual(
        { ...event, data: null },
        {
          id: ids[0],
          type: "two",
          occurred_at: "1970-01-01T00:00:07.000Z",
          data: null,
          created_at: new Date(10_004).toISOString(),
        },
      );
      assert.deepEqual((await (await client()).request("GET", "/events")).body.data, []);
    });

    for (const wrong of ["limit=101", "cursor=abc", "until=", "since=1", "x=1"]) {
      test(`${tag}: a log asked for with ${wrong} is refused`, async () => {
        const { request, register } = await client();
        const { id } = await register();
        for (const path of [`/events?${wrong}`, `/webhooks/${id}/deliveries?${wrong}`])
          assertRefused(product, await request("GET", path), 400, "INVALID_REQUEST");
      });
    }
  }

  test("a page looks through a bounded number of deliveries, and the next goes on behind them", async () => {
    const { key } = await createCaller(service, "tracking");
    const url = "/tracking/v1/webhooks";
    const made = await sendWithKey(service, key, "POST", url, { url: "https://example.com/" });
    const { id } = made.body.data;
    const schema = await cellOf(id);
    const wanted = await store(id, { atMs: 20_000, type: "one", status: "dead" });
    await query(
      service.test.address,
      `with made as (
         insert into ${schema}.events (id, account_id, product, type, occurred_at, data)
         select (lpad(to_hex(20001 + n), 12, '0') || '7000800000000000' || lpad(to_hex(n), 4, '0'))::uuid,
           account_id, product, 'two', now(), '{}'
         from ${schema}.endpoints, generate_series(1, 7000) n where endpoints.id = $1 returning id
       )
       insert into ${schema}.deliveries (id, event_id, endpoint_id, attempt_count, status, created_at, delivered_at)
       select id, id, $1, 1, 'delivered', now(), now() from made`,
      [id],
    );
    for (const path of [`${url}/${id}/deliveries?status=dead`, `${url}/${id}/deliveries?event_type=one`]) {
      const first = (await sendWithKey(service, key, "GET", path)).body;
      assert.deepEqual(first.data, []);
      const second = (await sendWithKey(service, key, "GET", `${path}&cursor=${first.next_cursor}`)).body;
      assert.deepEqual(
        [second.data.map((one: { id: string }) => one.id), "next_cursor" in second],
        [[wanted.id], false],
      );
    }
    const events = (await sendWithKey(service, key, "GET", "/tracking/v1/events?type=one")).body;
    assert.deepEqual(events.data, []);
    const more = `/tracking/v1/events?type=one&cursor=${events.next_cursor}`;
    assert.equal((await sendWithKey(service, key, "GET", more)).body.data[0].id, wanted.eventId);
  });

  test("a page of events has a bounded size, and the pages together have all of them", async () => {
    const { key, accountId } = await createCaller(service, "tracking");
    const made = await sendWithKey(service, key, "POST", "/tracking/v1/webhooks", {
      url: "https://example.com/",
    });
    const schema = await cellOf(made.body.data.id);
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) {
      ids.unshift(uuidAt(30_000 + n));
      await query(
        service.test.address,
        `insert into ${schema}.events (id, account_id, product, type, occurred_at, data)
         values ($1, $2, 'tracking', 'one', now(), $3)`,
        [ids[0], accountId, JSON.stringify({ text: "x".repeat(250 * 1024) })],
      );
    }
    const seen: string[] = [];
    for (let cursor = ""; ;) {
      const { body } = await sendWithKey(service, key, "GET", `/tracking/v1/events${cursor}`);
      assert.ok(JSON.stringify(body).length < 1.5 * 1024 * 1024);
      seen.push(...body.data.map((one: { id: string }) => one.id));
      if (body.next_cursor === undefined) break;
      cursor = `?cursor=${body.next_cursor}`;
    }
    assert.deepEqual(seen, ids);
  });
});
