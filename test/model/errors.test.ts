import assert from "node:assert/strict";
import { test } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";

test("a failed statement is commit unknown unless the store says that it was not carried out", () => {
  const cause = new Error("gone");
  const unsure = new StoreUnavailable("the database is gone", { cause });
  assert.equal(unsure.commitUnknown, true);
  assert.equal(unsure.cause, cause);
  assert.equal(unsure.name, "StoreUnavailable");
  assert.equal(unsure.reason, "unreachable");
  assert.equal(new StoreUnavailable("too much", { reason: "overloaded" }).reason, "overloaded");
  assert.equal(new StoreUnavailable("no connection", { commitUnknown: false }).commitUnknown, false);
});
