/** What a transaction reports to its pending writes. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { commit, type PendingWrite } from "../../src/engine/raise/commit.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Connection, Database } from "../../src/store/database.ts";

/** A database whose transactions do no more than to run; `end` is what committing does. */
function databaseThat(end: () => void = () => undefined): Database {
  const connection = {} as Connection;
  return {
    async transaction<T>(work: (tx: Connection) => Promise<T>): Promise<T> {
      const result = await work(connection);
      end();
      return result;
    },
  } as unknown as Database;
}

function witness() {
  const heard: string[] = [];
  const pending: PendingWrite = {
    committed: () => void heard.push("committed"),
    rolledBack: (unknown) => void heard.push(unknown ? "perhaps" : "rolled back"),
  };
  return { heard, pending };
}

const run = (database: Database, pending: PendingWrite, answer: () => boolean) =>
  commit<PendingWrite>(database, async (_tx, all) => {
    all.push(pending);
    return answer();
  });

test("a commit is reported to its pending writes", async () => {
  const { heard, pending } = witness();
  assert.deepEqual(await run(databaseThat(), pending, () => true), [pending]);
  assert.deepEqual(heard, ["committed"]);
});

test("what is withdrawn is rolled back, and no fault", async () => {
  const { heard, pending } = witness();
  assert.equal(await run(databaseThat(), pending, () => false), false);
  assert.deepEqual(heard, ["rolled back"]);
});

for (const [what, failure, expected] of [
  ["a statement fails", new Error("refused"), "rolled back"],
  ["the database is away", new StoreUnavailable("away", { commitUnknown: false }), "rolled back"],
  ["the answer is lost", new StoreUnavailable("lost", { commitUnknown: true }), "perhaps"],
] as const) {
  test(`when ${what}, the pending writes learn of it, and the fault is thrown`, async () => {
    const { heard, pending } = witness();
    const failing = databaseThat(() => {
      throw failure;
    });
    await assert.rejects(
      run(failing, pending, () => true),
      failure,
    );
    assert.deepEqual(heard, [expected]);
  });
}
