/** Endpoints and deliveries of all accounts, page by page. */
import assert from "node:assert/strict";
import { randomUUIDv7 } from "node:crypto";
import { before, describe, test } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Connection } from "../../src/store/database.ts";
import { allPages, column, columns } from "../support/answers.ts";
import { storeDeliveries } from "../support/stored.ts";
import { ofSuite } from "../support/suite.ts";
import { createCaller, sendAsOperator, sendWithKey, startService } from "../support/service.ts";

describe("the operator's search", () => {
  const service = ofSuite(() => startService());
  const endpoints: { readonly id: string; readonly accountId: string }[] = [];
  const deliveries: string[] = [];
  before(async () => {
    for (const product of ["tracking", "air", "tracking"]) {
      const { key, accountId } = await createCaller(service, "tracking", ["aircargo"]);
      const { body } = await sendWithKey(service, key, "POST", `/${product}/v1/webhooks`, {
        url: "https://example.com/",
      });
      endpoints.unshift({ id: body.data.id, accountId });
    }
    for (let index = 0; index < 12; index += 1) {
      const [one] = await storeDeliveries(service.test, endpoints[index % 3]!.id, [
        {
          ...{ atMs: 1_000 + index, occurredMs: 0, type: `type_${index % 2}`, data: '{"a":1}' },
          ...{ status: index % 4 === 0 ? "dead" : "pending", error: "timeout: no answer" },
        },
      ]);
      deliveries.unshift(one!.id);
    }
  });

  const all = async (path: string, of: "endpoints" | "deliveries", limit = 2): Promise<readonly string[]> => {
    const page = `${path}${path.includes("?") ? "&" : "?"}limit=${limit}`;
    const ask = (cursor: string) => sendAsOperator(service, "GET", page + cursor);
    return column(await allPages(ask, (body) => body[of]), "id");
  };

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
    const accounts = columns(body.deliveries, "account_id", "account_name");
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
    const fresh = Array.from({ length: 2_100 }, (_, at) => ({
      atMs: 2_000 + at,
      status: "pending" as const,
    }));
    await storeDeliveries(service.test, id, fresh);
    for (const path of ["/v1/deliveries?status=dead", `/v1/deliveries?status=dead&endpoint_id=${id}`]) {
      const { body } = await sendAsOperator(service, "GET", path);
      assert.deepEqual(body.deliveries, [], path);
      assert.equal(typeof body.next_cursor, "string");
      assert.ok((await all(path, "deliveries", 100)).includes(old));
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
