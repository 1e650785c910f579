/** The server says whether a statement found its cell on the way to another home, or is wrong. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import { fixedHomes } from "../../src/store/homes/homes.ts";
import { openDatabaseOn } from "../../src/store/open-database.ts";
import { openStoreRows } from "./store-rows.ts";

describe("a statement on a cell that is away", () => {
  test("fails as moved, and one that is wrong does not", async (t) => {
    const rows = await openStoreRows();
    t.after(rows.drop);
    const { cell, address: directory } = rows;
    const faults: string[] = [];
    const database = openDatabaseOn(
      fixedHomes(() => directory),
      {
        sessionName: "boathook test",
        connectionsMax: 2,
        connectTimeoutMs: 5_000,
        onIdleError: () => undefined,
        watch: { done: () => undefined, failed: (_what, fault) => void faults.push(fault) },
      },
    );
    t.after(() => database.close());
    const { schema } = cell;
    const read = { name: "read", text: `select number::int from "${schema}".changes`, schema };
    const wrong = { name: "wrong", text: `select from "${schema}".nothing`, schema };
    assert.equal((await database.rows(read, [])).length, 1);
    await assert.rejects(database.rows(wrong, []), { code: "42P01" });
    assert.deepEqual(faults, ["other"]);
    await rows.run(`alter schema ${schema} rename to ${schema}_moving`);
    const isMoved = (cause: unknown) =>
      cause instanceof StoreUnavailable && cause.reason === "moved" && !cause.commitUnknown;
    // More at once than there are connections, in transactions too.
    await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        assert.rejects(
          index % 2 === 0 ? database.rows(read, []) : database.transaction((tx) => tx.rows(read, [])),
          isMoved,
        ),
      ),
    );
    assert.deepEqual(new Set(faults.slice(1)), new Set(["moved"]));
    await rows.run(`alter schema ${schema}_moving rename to ${schema}`);
    assert.equal((await database.rows(read, [])).length, 1);
  });
});
