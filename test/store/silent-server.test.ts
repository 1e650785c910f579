import assert from "node:assert/strict";
import { test } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import { openDatabase } from "../../src/store/database.ts";
import { createTestDatabase } from "../support/database.ts";

const SLOW = { name: "slow", text: "select pg_sleep(30)" };
const QUICK = { name: "quick", text: "select 1 as one" };

test("a statement without an answer is given up in doubt, and its connection serves nobody any more", async () => {
  const stored = await createTestDatabase();
  const database = openDatabase(stored.address, {
    sessionName: "boathook silent",
    connectionsMax: 1,
    connectTimeoutMs: 10_000,
    statementMsMax: 200,
    onIdleError: () => undefined,
  });
  const inDoubt = (error: unknown) => error instanceof StoreUnavailable && error.inDoubt;
  await assert.rejects(database.rows(SLOW), inDoubt);
  // The pool has one connection: it must be another one.
  assert.deepEqual(await database.rows(QUICK), [{ one: 1 }]);
  await assert.rejects(
    database.transaction((tx) => tx.rows(SLOW)),
    inDoubt,
  );
  assert.deepEqual(await database.rows(QUICK), [{ one: 1 }]);
  await database.close();
  await stored.drop();
});
