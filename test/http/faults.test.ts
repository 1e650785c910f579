/** When the fault is ours. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { STORE_FAULTS, StoreUnavailable, type StoreFault } from "../../src/model/errors.ts";
import {
  sendWithKey,
  createCaller,
  sendAsOperator,
  startService,
  type TestService,
} from "../support/service.ts";

describe("faults", () => {
  let service: TestService;
  let key: string;
  before(async () => {
    service = await startService();
    ({ key } = await createCaller(service, "tracking"));
  });
  after(() => service.close());

  const during = async <T>(fault: Error, work: () => Promise<T>): Promise<T> => {
    service.fault = fault;
    try {
      return await work();
    } finally {
      service.fault = null;
    }
  };

  test("a database that cannot be reached is 503, with the time to try again", async () => {
    const down = new StoreUnavailable("down", { cause: new Error("ECONNREFUSED") });
    const answer = await during(down, () => sendWithKey(service, key, "GET", "/tracking/v1/webhooks"));
    assert.equal(answer.status, 503);
    assert.equal(answer.body.error.code, "UNAVAILABLE");
    assert.equal(answer.headers["retry-after"], "5");
    const ops = await during(down, () => sendAsOperator(service, "GET", "/v1/accounts"));
    assert.deepEqual(
      [ops.status, ops.body.error.code, ops.headers["retry-after"]],
      [503, "UNAVAILABLE", "5"],
    );
  });

  for (const [reason, words] of Object.entries(STORE_FAULTS) as [StoreFault, string][]) {
    test(`${reason} is reported in plain words, not in the database's`, async () => {
      const fault = new StoreUnavailable("down", { cause: new Error("relation 17/4711"), reason });
      const message = `${words} at the moment; try again`;
      const answer = await during(fault, () => sendWithKey(service, key, "GET", "/tracking/v1/webhooks"));
      assert.deepEqual([answer.status, answer.body.error], [503, { code: "UNAVAILABLE", message }]);
      const ops = await during(fault, () => sendAsOperator(service, "GET", "/v1/accounts"));
      assert.deepEqual([ops.status, ops.body], [503, { error: { code: "UNAVAILABLE", message } }]);
    });
  }

  test("events that could not be made durable are 503 as well", async () => {
    service.engine.raiseResult = new StoreUnavailable("down");
    const data = { index_id: "europe", dated: "2026-10-30", value: "1042.17" };
    const event = { product: "rates", account_id: crypto.randomUUID(), type: "index_refreshed", data };
    const answer = await sendAsOperator(service, "POST", "/v1/events", { events: [event] });
    service.engine.raiseResult = null;
    assert.deepEqual([answer.status, answer.body.error.code], [503, "UNAVAILABLE"]);
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
    assert.deepEqual([ops.status, ops.body.error.code], [500, "INTERNAL_ERROR"]);
    assert.equal(service.log.lines.at(-1)!.level, "error");
  });
});
