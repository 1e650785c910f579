/** Accounts whose removal takes longer than a connection stays idle. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import pg from "pg";

import { connectionConfig } from "../../src/store/database.ts";
import { askToRemove, removeAccount } from "../support/removal.ts";
import {
  createCaller,
  sendAsOperator,
  sendWithKey,
  startService,
  type TestService,
} from "../support/service.ts";

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
