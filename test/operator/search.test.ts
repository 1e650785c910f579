/** Endpoints and deliveries of all accounts, page by page. */
import assert from "node:assert/strict";
import { randomUUIDv7 } from "node:crypto";
import { before, describe, test } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Connection } from "../../src/store/database.ts";
import { allPages, assertRefused } from "../support/answers.ts";
import { storeDeliveries } from "../support/stored.ts";
import { ofSuite } from "../support/suite.ts";
import { createCaller, sendAsOperator, sendWithKey, startService } from "../support/service.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import { column, columns } from "../support/columns.ts";

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
    assert.deepEqual(await all(`/v1/endpoints?account_id=${NOBODYS}`, "endpoints"), []);
    const upper = endpoints[1]!.accountId.toUpperCase();
    assert.deepEqual(await all(`/v1/endpoints?account_id=${upper}`, "endpoints"), [ids[1]]);
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
    assert.deepEqual(await all(`/v1/deliveries?endpoint_id=${id.toUpperCase()}`, "deliveries"), ofOne);
    for (const name of ["endpoint_id", "account_id"])
      assert.deepEqual(await all(`/v1/deliveries?${name}=${NOBODYS}`, "deliveries"), []);
    for (const wrong of ["cursor=x", "limit=101", "status=lost"])
      assert.equal((await sendAsOperator(service, "GET", `/v1/deliveries?${wrong}`)).status, 400, wrong);
  });

  test("refuses an id that is none, and two filters of which one would not count", async () => {
    for (const list of [
      "endpoints?account_id",
      "events?account_id",
      "deliveries?account_id",
      "deliveries?endpoint_id",
    ])
      assertRefused(
        await sendAsOperator(service, "GET", `/v1/${list}=Demo`),
        400,
        "INVALID_REQUEST",
        /^query\.\w+_id must be a UUID such as/,
      );
    const { id, accountId } = endpoints[1]!;
    for (const also of ["", "&reference=MSCU1234566"]) {
      const both = `/v1/deliveries?account_id=${accountId}&endpoint_id=${id}${also}`;
      const message = /^give account_id or endpoint_id, not both$/;
      assertRefused(await sendAsOperator(service, "GET", both), 400, "INVALID_REQUEST", message);
    }
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

const NOBODYS = "01900000-0000-7000-8000-000000000000";
const WEBHOOKS = "/tracking/v1/webhooks";

describe("the operator's view of endpoints", () => {
  const service = ofSuite(() => startService());

  async function endpoint(failures: number, reason: string | null = null) {
    const { key } = await createCaller(service, "tracking");
    const made = await sendWithKey(service, key, "POST", WEBHOOKS, { url: "https://example.com/1" });
    const { id } = made.body.data;
    await service.test.queryEach(
      service.test.cells,
      `update cell.endpoints set failure_count = $2, active = $3::text is null, disabled_reason = $3,
         inactive_since = case when $3::text is not null then $4::timestamptz end, missed_events = 2
       where id = $1`,
      [id, failures, reason, new Date(1_000)],
    );
    return { id, key };
  }

  test("lists what fails over all accounts, what is off first, and enables it as its owner would", async () => {
    const [failing, off] = [await endpoint(7), await endpoint(20, "failures")];
    await endpoint(0);
    // A success that ended after the failures, and a client that paused what failed.
    const late = await endpoint(0, "failures");
    await endpoint(5, "paused");
    const { status, body } = await sendAsOperator(service, "GET", "/v1/endpoints/failing");
    assert.equal(status, 200);
    assert.deepEqual(columns(body.endpoints, "id", "failure_count"), [
      [off.id, 20],
      [late.id, 0],
      [failing.id, 7],
    ]);
    assert.deepEqual(
      [body.endpoints[0].disabled_reason, body.endpoints[0].missed_events, body.endpoints[0].product],
      ["failures", 2, "tracking"],
    );
    const one = await sendAsOperator(service, "GET", "/v1/endpoints/failing?limit=1");
    assert.deepEqual(column(one.body.endpoints, "id"), [off.id]);
    const enabled = await sendAsOperator(service, "POST", `/v1/endpoints/${off.id}/enable`);
    const { active, failure_count, disabled_at, disabled_reason, missed_events } = enabled.body;
    assert.deepEqual(
      [active, failure_count, disabled_at, disabled_reason, missed_events],
      [true, 0, null, null, 0],
    );
    assert.deepEqual(service.engine.changed.slice(-1), [off.id]);
    const read = await sendWithKey(service, off.key, "GET", `${WEBHOOKS}/${off.id}`);
    assert.equal(read.body.data.active, true);
    for (const nobodys of [NOBODYS, "x"])
      assert.equal((await sendAsOperator(service, "POST", `/v1/endpoints/${nobodys}/enable`)).status, 404);
  });

  test("shows a delivery by its id: whose it is, where it goes, and when it ends", async () => {
    const { id } = await endpoint(20, "failures");
    const failed = {
      atMs: service.clock.nowMs(),
      type: "eta_changed",
      attempts: 3,
      error: "timeout: no answer",
    };
    const [made] = await storeDeliveries(service.test, id, [{ ...failed, status: "pending" }]);
    const { status, body } = await sendAsOperator(service, "GET", `/v1/deliveries/${made!.id}`);
    assert.equal(status, 200);
    assert.deepEqual(
      [body.endpoint_id, body.event_type, body.status, body.last_error, body.product, body.parked_until],
      [
        id,
        "eta_changed",
        "pending",
        "timeout: no answer",
        "tracking",
        new Date(1_000 + DEFAULT_ENGINE_SETTINGS.parkedMs).toISOString(),
      ],
    );
    for (const nobodys of [NOBODYS, "x"])
      assert.equal((await sendAsOperator(service, "GET", `/v1/deliveries/${nobodys}`)).status, 404);
  });
});
