/** A node that does not use a cell yet. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { query } from "../support/database.ts";
import { createCaller, sendWithKey, startService } from "../support/service.ts";

test("an account in a cell that this node does not use yet is asked to come again", async (t) => {
  const service = await startService();
  t.after(() => service.close());
  const { accountId, key } = await createCaller(service, "tracking");
  await query(service.test.address, "update boathook.accounts set cell = 9 where id = $1", [accountId]);
  const answer = await sendWithKey(service, key, "GET", "/tracking/v1/webhooks");
  assert.deepEqual([answer.status, answer.body.error.code], [503, "UNAVAILABLE"]);
  assert.equal(answer.headers["retry-after"], "5");
});
