/** Accounts and keys on the operator's listener. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test, after, before } from "node:test";

import pg from "pg";

import { assertRefused } from "../support/answers.ts";
import { ofSuite } from "../support/suite.ts";
import { query } from "../support/database.ts";
import {
  sendAsOperator,
  send,
  startService,
  createCaller,
  type TestService,
  sendWithKey,
} from "../support/service.ts";
import { rateRoutes } from "../../src/products/rates/routes/routes.ts";
import { scheduleRoutes } from "../../src/products/schedules/routes/routes.ts";
import { connectionConfig } from "../../src/store/database.ts";
import { askToRemove, removeAccount } from "../support/removal.ts";
import { column } from "../support/columns.ts";

const NOBODYS = "01900000-0000-7000-8000-000000000000";

describe("the operator's accounts and keys", () => {
  const service = ofSuite(() => startService());

  const create = async (body: object = {}) =>
    (await sendAsOperator(service, "POST", "/v1/accounts", { name: "Acme", ...body })).body;

  test("an account is made with its name and entitlements, and lives in one cell", async () => {
    const answer = await sendAsOperator(service, "POST", "/v1/accounts", {
      name: "Żółw & Söhne 海运",
      email: "ops@acme.example",
      entitlements: ["loading", "aircargo", "loading"],
    });
    assert.equal(answer.status, 201);
    const { id, ...fields } = answer.body;
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(fields, {
      name: "Żółw & Söhne 海运",
      email: "ops@acme.example",
      entitlements: ["loading", "aircargo"],
      demurrage_alerting: false,
      created_at: "2026-11-02T12:00:00.000Z",
    });
    const { rows } = await query(service.test.address, "select cell from boathook.accounts where id = $1", [
      id,
    ]);
    for (const { number, schema } of service.test.cells) {
      const found = await query(service.test.address, `select from ${schema}.accounts where id = $1`, [id]);
      assert.equal(found.rowCount, rows[0].cell === number ? 1 : 0);
    }
    assert.deepEqual((await sendAsOperator(service, "GET", `/v1/accounts/${id}`)).body, answer.body);
  });

  test("while no cell is open an account is refused for now, and nothing has failed", async () => {
    const { address } = service.test;
    const { rows } = await query(
      address,
      "update boathook.cells set open = false where open returning number",
    );
    const answer = await sendAsOperator(service, "POST", "/v1/accounts", { name: "Acme" });
    assertRefused(answer, 503, "UNAVAILABLE", /^no cell is open for new accounts/);
    const numbers = rows.map(({ number }) => number as number);
    await query(address, "update boathook.cells set open = true where number = any ($1)", [numbers]);
    assert.ok((await create()).id);
  });

  test("a change touches what was sent and nothing else", async () => {
    const { id, ...fields } = await create({ entitlements: ["loading"] });
    const change = async (body: object) =>
      (await sendAsOperator(service, "PATCH", `/v1/accounts/${id}`, body)).body;
    assert.deepEqual(await change({}), { id, ...fields });
    assert.deepEqual(await change({ demurrage_alerting: true }), { id, ...fields, demurrage_alerting: true });
    assert.equal((await change({ name: "New" })).name, "New");
    assert.deepEqual((await change({ entitlements: ["aircargo", "aircargo"] })).entitlements, ["aircargo"]);
    const emptied = await change({ entitlements: [], demurrage_alerting: false });
    assert.deepEqual(emptied, { id, ...fields, name: "New", entitlements: [] });
  });

  test("an account that cannot be made is refused by a message that says where", async () => {
    for (const [body, message] of [
      [{ entitlements: [] }, /^body lacks name$/],
      [{ name: "" }, /^body\.name/],
      [{ name: "x".repeat(201) }, /^body\.name/],
      [{ name: 1 }, /^body\.name must be a string$/],
      [{ name: "x", entitlements: ["loading", "rail"] }, /no entitlement rail.*aircargo/],
      [{ name: "x", entitlements: "loading" }, /^body\.entitlements must be an array$/],
      ['{"name":"a\\u0000"}', /^body\.name holds a NUL/],
      ["", /^body must be an object$/],
    ] as const)
      assertRefused(
        await sendAsOperator(service, "POST", "/v1/accounts", body),
        400,
        "INVALID_REQUEST",
        message,
      );
  });

  test("a change to an unknown entitlement or of the wrong type is refused and does nothing", async () => {
    const made = await create();
    for (const body of [
      { entitlements: ["rail"], name: "x" },
      { demurrage_alerting: "yes" },
      { name: null },
    ]) {
      assert.equal((await sendAsOperator(service, "PATCH", `/v1/accounts/${made.id}`, body)).status, 400);
    }
    assert.deepEqual((await sendAsOperator(service, "GET", `/v1/accounts/${made.id}`)).body, made);
  });

  test("accounts are listed in pages, newest first", async () => {
    const made = [await create(), await create(), await create()].map(({ id }) => id).toReversed();
    const first = (await sendAsOperator(service, "GET", "/v1/accounts?limit=2")).body;
    assert.deepEqual(column(first.accounts, "id"), made.slice(0, 2));
    const next = (await sendAsOperator(service, "GET", `/v1/accounts?limit=1&cursor=${first.next_cursor}`))
      .body;
    assert.equal(next.accounts[0].id, made[2]);
    assert.equal((await sendAsOperator(service, "GET", "/v1/accounts?cursor=x")).status, 400);
    assert.equal((await sendAsOperator(service, "GET", "/v1/accounts?limit=1000")).status, 400);
  });

  test("accounts and keys that do not exist are not found", async () => {
    for (const id of [NOBODYS, "7", "%00"])
      for (const [method, path, body] of [
        ["GET", `/accounts/${id}`, undefined],
        ["PATCH", `/accounts/${id}`, { name: "x" }],
        ["GET", `/accounts/${id}/keys`, undefined],
        ["POST", `/accounts/${id}/keys`, { prefix: "rates" }],
        ["DELETE", `/keys/${id}`, undefined],
      ] as const)
        assertRefused(await sendAsOperator(service, method, `/v1${path}`, body), 404, "NOT_FOUND");
  });

  test("a key appears once, and only its SHA-256 is kept", async () => {
    const { id } = await create();
    const answer = await sendAsOperator(service, "POST", `/v1/accounts/${id}/keys`, {
      prefix: "rates",
      label: "CI",
    });
    assert.equal(answer.status, 201);
    const { key, ...kept } = answer.body;
    assert.match(key, /^rates_[0-9A-Za-z]{36}$/);
    assert.deepEqual(kept, {
      id: kept.id,
      account_id: id,
      prefix: "rates",
      label: "CI",
      created_at: "2026-11-02T12:00:00.000Z",
      revoked_at: null,
    });
    assert.deepEqual((await sendAsOperator(service, "GET", `/v1/accounts/${id}/keys`)).body, {
      keys: [kept],
    });
    const { rows } = await query(service.test.address, "select * from boathook.api_keys where id = $1", [
      kept.id,
    ]);
    assert.deepEqual(rows[0].hash, createHash("sha256").update(key).digest());
    assert.ok(!Object.values(rows[0]).includes(key));
  });

  test("a key is revoked once; again changes nothing", async () => {
    const { id } = await create();
    const made = await sendAsOperator(service, "POST", `/v1/accounts/${id}/keys`, { prefix: "loading" });
    const revoked = await sendAsOperator(service, "DELETE", `/v1/keys/${made.body.id}`);
    assert.equal(revoked.status, 200);
    assert.equal(revoked.body.revoked_at, new Date(service.clock.nowMs()).toISOString());
    assert.ok(!("key" in revoked.body));
    await service.clock.advance(1_000);
    assert.deepEqual(
      (await sendAsOperator(service, "DELETE", `/v1/keys/${made.body.id}`)).body,
      revoked.body,
    );
  });

  test("a key of no prefix that there is, or with a wrong label, is refused", async () => {
    const { id } = await create();
    for (const body of [{}, { prefix: "air" }, { prefix: "tracking_" }, { prefix: "rates", label: 1 }])
      assertRefused(
        await sendAsOperator(service, "POST", `/v1/accounts/${id}/keys`, body),
        400,
        "INVALID_REQUEST",
      );
  });

  test("a field or a parameter that the route does not have is refused by name", async () => {
    const { id } = await create();
    for (const [method, path, body, message] of [
      [
        "POST",
        "/v1/accounts",
        { name: "Acme", colour: "red" },
        /^body has no colour: it takes name, email and entitlements$/,
      ],
      ["PATCH", `/v1/accounts/${id}`, { nmae: "Acme" }, /^body has no nmae: it takes name, /],
      ["POST", `/v1/accounts/${id}/keys`, { prefix: "tracking", lable: "x" }, /^body has no lable: /],
      ["GET", "/v1/accounts?limt=1", undefined, /^query has no limt: it takes limit and cursor$/],
      ["GET", `/v1/accounts/${id}?limit=1`, undefined, /^query has no limit: it takes no parameters$/],
      ["GET", "/v1/sources?product=air", undefined, /^query has no product: /],
      ["POST", "/v1/rates/indices?strict=true", { id: "x" }, /^query has no strict: /],
      [
        "POST",
        "/v1/vessels/positions",
        { positions: [], sample: true },
        /^body has no sample: it takes positions$/,
      ],
    ] as const) {
      const answer = await sendAsOperator(service, method, path, body);
      assertRefused(answer, 400, "INVALID_REQUEST", message);
    }
    assert.equal((await sendAsOperator(service, "GET", `/v1/accounts/${id}`)).body.name, "Acme");
  });

  test("nobody passes without the operator's token, and the refusal says whether there was one", async () => {
    const [missing, wrong] = [
      /^send the operator's token as /,
      /^what you sent is not the operator's token$/,
    ];
    for (const [authorization, message] of [
      [undefined, missing],
      ["", missing],
      ["Bearer", missing],
      ["Bearer wrong", wrong],
      ["Basic b3BzOm9wcw==", missing],
      [`Bearer ${"x".repeat(27)}`, wrong],
    ] as const) {
      for (const [method, url] of [
        ["GET", "/v1/accounts"],
        ["POST", "/v1/accounts"],
        ["POST", "/v1/events"],
        ["DELETE", `/v1/keys/${NOBODYS}`],
      ] as const) {
        const headers = authorization === undefined ? {} : { authorization };
        const answer = await send(service.ops, { method, url, headers });
        assertRefused(answer, 401, "UNAUTHORIZED", message);
        assert.equal(answer.headers["www-authenticate"], "Bearer");
      }
    }
  });

  test("unknown paths and unknown methods get different errors", async () => {
    assert.equal((await sendAsOperator(service, "GET", "/v1/nothing")).body.error.code, "NOT_FOUND");
    const answer = await sendAsOperator(service, "PUT", "/v1/events", {});
    assertRefused(answer, 405, "METHOD_NOT_ALLOWED");
    assert.equal(answer.headers["allow"], "POST, GET, HEAD");
  });
});

describe("an account's products, on the operator's listener", () => {
  let service: TestService;
  before(async () => {
    const productRoutes = new Map([
      ["rates", rateRoutes()],
      ["schedules", scheduleRoutes({ reliabilityWindowDays: 90, transshipmentMs: 86_400_000 })],
    ] as const);
    service = await startService({ productRoutes });
  });
  after(() => service.close());

  test("the operator reads what an account's keys would read, with and without a key", async () => {
    const { accountId, key } = await createCaller(service, "rates", ["freightrates"]);
    for (const path of ["rates/v1/indices", "schedules/public/sailings?origin=CNSHA&destination=NLRTM"]) {
      const own = await send(service.api, { url: `/${path}`, headers: { authorization: `Bearer ${key}` } });
      const read = await sendAsOperator(service, "GET", `/v1/accounts/${accountId}/${path}`);
      assert.equal(own.status, 200, path);
      assert.deepEqual([read.status, read.body], [own.status, own.body], path);
    }
  });

  test("an account's entitlements hold for the operator, too", async () => {
    const { accountId } = await createCaller(service, "rates");
    const read = await sendAsOperator(service, "GET", `/v1/accounts/${accountId}/rates/v1/indices`);
    assert.equal(read.status, 403);
    assert.match(JSON.stringify(read.body), /entitlement_required/);
  });

  test("nobody else reads them, and there is none of an account that is not there", async () => {
    const { accountId, key } = await createCaller(service, "rates", ["freightrates"]);
    const url = `/v1/accounts/${accountId}/rates/v1/indices`;
    for (const headers of [{}, { authorization: `Bearer ${key}` }, { "x-api-key": key }])
      assert.equal((await send(service.ops, { url, headers })).status, 401);
    for (const id of ["nobody", "00000000-0000-7000-8000-000000000000"]) {
      const read = await sendAsOperator(service, "GET", `/v1/accounts/${id}/rates/v1/indices`);
      assert.equal(read.status, 404);
      assert.match(JSON.stringify(read.body), /there is no account of that id/);
    }
  });

  test("nothing is changed there: other methods and unknown parameters are refused", async () => {
    const { accountId } = await createCaller(service, "rates", ["freightrates"]);
    const base = `/v1/accounts/${accountId}`;
    assert.equal((await sendAsOperator(service, "POST", `${base}/rates/v1/indices`, {})).status, 405);
    assert.equal((await sendAsOperator(service, "POST", `${base}/rates/v1/webhooks`, {})).status, 404);
    const unknown = await sendAsOperator(service, "GET", `${base}/rates/v1/indices?nothing=1`);
    assert.equal(unknown.status, 400);
  });
});

const LISTENER_IDLE_MS = 60_000;

describe("an account whose removal waits for a transaction", () => {
  let service: TestService;
  let other: pg.Client;
  before(async () => {
    service = await startService();
    other = new pg.Client({ ...connectionConfig(service.test.address), application_name: "boathook other" });
    await other.connect();
  });
  after(async () => {
    await other.end();
    await service.close();
  });

  test("is answered before the connection is idle for too long, and removed when it is asked for again", async () => {
    const { accountId, key } = await createCaller(service, "tracking");
    await other.query("begin");
    const first = await askToRemove(service, accountId);
    assert.deepEqual([first.status, first.body], [202, { id: accountId, deleted: false }]);
    assert.ok(first.tookMs < LISTENER_IDLE_MS, `${first.tookMs} ms`);
    assert.equal((await sendWithKey(service, key, "GET", "/tracking/v1/webhooks")).status, 401);
    await other.query("commit");
    const second = await removeAccount(service, accountId);
    assert.deepEqual([second.status, second.body], [200, { id: accountId, deleted: true }]);
    assert.equal((await sendAsOperator(service, "GET", `/v1/accounts/${accountId}`)).status, 404);
    assert.equal((await removeAccount(service, accountId)).status, 404);
  });

  test("is said to be removed once it was, after an answer that came too early", async () => {
    const { accountId } = await createCaller(service, "tracking");
    await other.query("begin");
    assert.equal((await askToRemove(service, accountId)).status, 202);
    await other.query("commit");
    const isThere = async () =>
      (await sendAsOperator(service, "GET", `/v1/accounts/${accountId}`)).status === 200;
    while (await isThere()) await service.clock.advance(50);
    assert.deepEqual((await removeAccount(service, accountId)).body, { id: accountId, deleted: true });
    assert.equal((await removeAccount(service, accountId)).status, 404);
  });

  test("is refused with the reason, when the transaction does not end", async () => {
    const { accountId } = await createCaller(service, "tracking");
    await other.query("begin");
    const { status, body, tookMs } = await removeAccount(service, accountId);
    await other.query("commit");
    assert.equal(status, 503);
    assert.match(body.error.message, /a transaction lasts/);
    assert.ok(tookMs < LISTENER_IDLE_MS, `${tookMs} ms`);
  });
});
