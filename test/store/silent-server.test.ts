import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Database } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";

const SLOW = { name: "slow", text: "select pg_sleep(30)" };
const QUICK = { name: "quick", text: "select 1 as one" };
const UNBOUNDED = { name: "unbounded", text: "set local statement_timeout = 0" };

describe("a statement that takes too long", () => {
  let stored: TestDatabase;
  let database: Database;
  before(async () => {
    stored = await createTestDatabase();
    database = openDatabase(stored.address, {
      sessionName: "boathook silent",
      connectionsMax: 1,
      connectTimeoutMs: 10_000,
      statementMsMax: 200,
      onIdleError: () => undefined,
    });
  });
  after(async () => {
    await database.close();
    await stored.drop();
  });
  const isUnavailable = (inDoubt: boolean) => (error: unknown) =>
    error instanceof StoreUnavailable && error.commitUnknown === inDoubt;

  test("is ended by the server, which undoes it, and its connection goes on", async () => {
    await assert.rejects(database.rows(SLOW, []), isUnavailable(false));
    await assert.rejects(
      database.transaction((tx) => tx.rows(SLOW, [])),
      isUnavailable(false),
    );
    assert.deepEqual(await database.rows(QUICK, []), [{ one: 1 }]);
  });

  test("fails as commit unknown if the server does not end it, and its connection is never used again", async () => {
    await assert.rejects(
      database.transaction(async (tx) => {
        await tx.rows(UNBOUNDED, []);
        await tx.rows(SLOW, []);
      }),
      isUnavailable(true),
    );
    const { rows } = await query(
      stored.address,
      "select query from pg_stat_activity where state = 'active' and application_name = 'boathook silent'",
    );
    assert.deepEqual(rows, [{ query: SLOW.text }], "nothing more is asked of the connection");
    // The pool has one connection: it must be another one.
    assert.deepEqual(await database.rows(QUICK, []), [{ one: 1 }]);
  });
});
