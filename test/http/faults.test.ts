/** When the fault is ours. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import { STORE_FAULTS, StoreUnavailable, type StoreFault } from "../../src/model/errors.ts";
import { assertRefused } from "../support/answers.ts";
import { query } from "../support/database.ts";
import { ofSuite } from "../support/suite.ts";
import { sendWithKey, createCaller, sendAsOperator, startService } from "../support/service.ts";

describe("faults", () => {
  const service = ofSuite(() => startService());
  let key: string;
  before(async () => {
    ({ key } = await createCaller(service, "tracking"));
  });

  const during = async <T>(fault: Error, work: () => Promise<T>): Promise<T> => {
    service.fault = fault;
    try {
      return await work();
    } finally {
      service.fault = null;
    }
  };

  test("a database that is away is 503 in plain words, not in the database's, with the time to try again", async () => {
    for (const [reason, words] of Object.entries(STORE_FAULTS) as [StoreFault, string][]) {
      const fault = new StoreUnavailable("down", { cause: new Error("relation 17/4711"), reason });
      const error = { code: "UNAVAILABLE", message: `${words} at the moment; try again` };
      const answer = await during(fault, () => sendWithKey(service, key, "GET", "/tracking/v1/webhooks"));
      const ops = await during(fault, () => sendAsOperator(service, "GET", "/v1/accounts"));
      for (const { status, headers, body } of [answer, ops])
        assert.deepEqual([status, headers["retry-after"], body.error], [503, "5", error]);
    }
  });

  test("an account in a cell that this node does not use yet is asked to come again", async () => {
    const { accountId, key: elsewhere } = await createCaller(service, "tracking");
    await query(service.test.address, "update boathook.accounts set cell = 9 where id = $1", [accountId]);
    const answer = await sendWithKey(service, elsewhere, "GET", "/tracking/v1/webhooks");
    assertRefused(answer, 503, "UNAVAILABLE");
    assert.equal(answer.headers["retry-after"], "5");
  });

  test("events that could not be made durable are 503 as well", async () => {
    service.engine.raiseResult = new StoreUnavailable("down");
    const data = { index_id: "europe", dated: "2026-10-30", value: "1042.17" };
    const event = { product: "rates", account_id: crypto.randomUUID(), type: "index_refreshed", data };
    const answer = await sendAsOperator(service, "POST", "/v1/events", { events: [event] });
    service.engine.raiseResult = null;
    assertRefused(answer, 503, "UNAVAILABLE");
  });

  test("any other fault is 500, tells the caller nothing of itself, and is logged with its cause", async () => {
    const bug = new TypeError("the password is hunter2");
    const answer = await during(bug, () => sendWithKey(service, key, "GET", "/air/v1/webhooks"));
    assert.equal(answer.status, 500);
    assert.equal(answer.body.error.code, "internal_error");
    assert.doesNotMatch(JSON.stringify(answer.body), /hunter2/);
    const line = service.log.lines.at(-1)!;
    assert.equal(line.level, "error");
    assert.deepEqual(line.fields, { cause: bug, route: "/air/v1/webhooks", method: "GET" });
    const ops = await during(bug, () => sendAsOperator(service, "GET", "/v1/accounts"));
    assertRefused(ops, 500, "INTERNAL_ERROR");
    assert.equal(service.log.lines.at(-1)!.level, "error");
  });
});
