/** Endpoints and deliveries of all accounts, page by page. */
import assert from "node:assert/strict";
import { randomUUIDv7 } from "node:crypto";
import { after, before, describe, test } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Connection } from "../../src/store/database.ts";
import {
  createCaller,
  sendAsOperator,
  sendWithKey,
  startService,
  type TestService,
} from "../support/service.ts";

describe("the operator's search", () => {
  let service: TestService;
  const endpoints: { readonly id: string; readonly accountId: string }[] = [];
  const deliveries: string[] = [];
  before(async () => {
    service = await startService();
    for (const product of ["tracking", "air", "tracking"]) {
      const { key, accountId } = await createCaller(service, "tracking", ["aircargo"]);
      const { body } = await sendWithKey(service, key, "POST", `/${product}/v1/webhooks`, {
        url: "https://example.com/",
      });
      endpoints.unshift({ id: body.data.id, accountId });
    }
    for (let index = 0; index < 12; index += 1)
      deliveries.unshift(
        await deliver(endpoints[index % 3]!.id, index % 4 === 0 ? "dead" : "pending", `type_${index % 2}`),
      );
  });
  after(() => service.close());

  /** Runs in every cell: the endpoint lives in one of them. */
  async function deliver(endpointId: string, status: string, type: string): Promise<string> {
    const [id, eventId] = [randomUUIDv7(), randomUUIDv7()];
    for (const cell of service.test.cells)
      await service.test.queryIn(
        cell,
        `with event as (
           insert into cell.events (id, account_id, product, type, occurred_at, data)
           select $1, account_id, product, $5, $6, '{"a":1}' from cell.endpoints where id = $3
         )
         insert into cell.deliveries (id, event_id, endpoint_id, attempt_count, status, last_error, created_at)
         select $2, $1, id, 1, $4, 'timeout: no answer', now() from cell.endpoints where id = $3`,
        [eventId, id, endpointId, status, type, new Date(0)],
      );
    return id;
  }

  type Item = { readonly id: string };

  /** All that there is, by pages of `limit`. */
  async function all(path: string, of: "endpoints" | "deliveries", limit = 2): Promise<readonly string[]> {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = `${path}${path.includes("?") ? "&" : "?"}limit=${limit}${cursor === undefined ? "" : `&cursor=${cursor}`}`;
      const { status, body } = await sendAsOperator(service, "GET", page);
      assert.equal(status, 200, JSON.stringify(body));
      found.push(...(body[of] as readonly Item[]).map(({ id }) => id));
      cursor = body.next_cursor;
    } while (cursor !== undefined);
    return found;
  }

  /** While the directory does not say what accounts are called. */
  async function withoutNames<T>(work: () => Promise<T>): Promise<T> {
    const database = service.test.database as { rows: Connection["rows"] };
    const { rows } = database;
    database.rows = (statement, parameters) =>
      statement.name.startsWith("account_names@")
        ? Promise.reject(new StoreUnavailable("down"))
        : rows(statement, parameters);
    return work().finally(() => (database.rows = rows));
  }

  test("gives each endpoint once, newest first, over all accounts and cells", async () => {
    const ids = endpoints.map(({ id }) => id);
    assert.deepEqual(await all("/v1/endpoints", "endpoints"), ids);
    assert.deepEqual(await all("/v1/endpoints?product=tracking", "endpoints"), [ids[0], ids[2]]);
    assert.deepEqual(await all(`/v1/endpoints?account_id=${endpoints[1]!.accountId}`, "endpoints"), [ids[1]]);
    assert.deepEqual(await all("/v1/endpoints?state=off", "endpoints"), []);
    assert.deepEqual(await all("/v1/endpoints?account_id=nobody", "endpoints"), []);
    const { body } = await sendAsOperator(service, "GET", `/v1/endpoints/${ids[1]}`);
    assert.deepEqual([body.id, body.account_name, body.product], [ids[1], "Acme", "air"]);
    for (const none of [randomUUIDv7(), "x"])
      assert.equal((await sendAsOperator(service, "GET", `/v1/endpoints/${none}`)).status, 404);
  });

  test("gives each delivery once, newest first, by account, endpoint, status and type", async () => {
    assert.deepEqual(await all("/v1/deliveries", "deliveries", 5), deliveries);
    const of = (matches: (index: number) => boolean) =>
      deliveries.filter((_id, place) => matches(11 - place));
    assert.deepEqual(
      await all("/v1/deliveries?status=dead", "deliveries"),
      of((index) => index % 4 === 0),
    );
    assert.deepEqual(
      await all("/v1/deliveries?type=type_1", "deliveries"),
      of((index) => index % 2 === 1),
    );
    const { body } = await sendAsOperator(service, "GET", "/v1/deliveries?limit=3");
    const accounts = body.deliveries.map((one: Record<string, unknown>) => [
      one["account_id"],
      one["account_name"],
    ]);
    assert.deepEqual(
      accounts,
      [2, 1, 0].map((index) => [endpoints[index]!.accountId, "Acme"]),
    );
    const nameless = await withoutNames(() => sendAsOperator(service, "GET", "/v1/deliveries?limit=1"));
    assert.deepEqual([nameless.status, nameless.body.deliveries[0].account_name], [200, null]);
    const { id, accountId } = endpoints[1]!;
    const ofOne = of((index) => index % 3 === 1);
    assert.deepEqual(await all(`/v1/deliveries?endpoint_id=${id}`, "deliveries"), ofOne);
    assert.deepEqual(await all(`/v1/deliveries?account_id=${accountId}`, "deliveries"), ofOne);
    assert.deepEqual(
      await all(`/v1/deliveries?account_id=${accountId}&status=dead&type=type_0`, "deliveries"),
      of((index) => index % 3 === 1 && index % 4 === 0),
    );
    for (const nobodys of [randomUUIDv7(), "x"])
      assert.deepEqual(await all(`/v1/deliveries?endpoint_id=${nobodys}`, "deliveries"), []);
    for (const wrong of ["cursor=x", "limit=101", "status=lost"])
      assert.equal((await sendAsOperator(service, "GET", `/v1/deliveries?${wrong}`)).status, 400, wrong);
  });

  test("reads a bounded number of deliveries for a page, and goes on behind them", async () => {
    const { id } = endpoints[0]!;
    const old = deliveries.find((_one, place) => (11 - place) % 3 === 0 && (11 - place) % 4 === 0)!;
    const rows = Array.from({ length: 2_100 }, () => randomUUIDv7());
    for (const cell of service.test.cells)
      await service.test.queryIn(
        cell,
        `with events as (
           insert into cell.events (id, account_id, product, type, occurred_at, data)
           select new.id, account_id, product, 'fresh', now(), '{}' from cell.endpoints p, unnest($2::uuid[]) new (id)
           where p.id = $1
         )
         insert into cell.deliveries (id, event_id, endpoint_id, created_at)
         select new.id, new.id, p.id, now() from cell.endpoints p, unnest($2::uuid[]) new (id) where p.id = $1`,
        [id, rows],
      );
    for (const path of ["/v1/deliveries?status=dead", `/v1/deliveries?status=dead&endpoint_id=${id}`]) {
      const { body } = await sendAsOperator(service, "GET", path);
      assert.deepEqual(body.deliveries, [], path);
      assert.equal(typeof body.next_cursor, "string");
      assert.ok((await all(path, "deliveries")).includes(old));
    }
  });

  test("gives a delivery's body as it is sent", async () => {
    const { status, body } = await sendAsOperator(service, "GET", `/v1/deliveries/${deliveries[0]}/body`);
    assert.equal(status, 200);
    assert.equal(
      body.body,
      `{"id":"${deliveries[0]}","type":"type_1","occurred_at":"1970-01-01T00:00:00.000Z","data":{"a":1}}`,
    );
    for (const none of [randomUUIDv7(), "x"])
      assert.equal((await sendAsOperator(service, "GET", `/v1/deliveries/${none}/body`)).status, 404);
  });
});
