import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { atRest } from "../support/rest.ts";

const BACKENDS = "from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
const statement = (text: string) => ({ name: text, text });

describe("a connection that is lost", () => {
  let on: TestDatabase;
  before(async () => {
    on = await createTestDatabase();
  });
  after(() => on.drop());

  test("a transaction whose connection is lost between two statements fails, and the process lives", async () => {
    const done = on.database.transaction(async (tx) => {
      await tx.rows(statement("select 1 as one"), []);
      // The node notices the loss while nothing is in flight.
      await query(on.address, `select pg_terminate_backend(pid, 10000) ${BACKENDS}`);
      await atRest();
      await tx.rows(statement("select 2 as two"), []);
    });
    await assert.rejects(done, StoreUnavailable);
    assert.deepEqual(await on.database.rows(statement("select 3 as three"), []), [{ three: 3 }]);
  });

  test("a connection of its own that cannot be opened is refused, not lost", async () => {
    const nowhere = openDatabase(
      { socketFolder: "/nowhere", port: 5432, user: "boathook", database: "postgres" },
      {
        sessionName: "boathook test",
        connectionsMax: 1,
        connectTimeoutMs: 1_000,
        onIdleError: () => undefined,
      },
    );
    let lost = 0;
    await assert.rejects(
      nowhere.dedicated(on.cells[0]!, () => (lost += 1)),
      StoreUnavailable,
    );
    await nowhere.close();
    await atRest();
    assert.equal(lost, 0);
  });
});
