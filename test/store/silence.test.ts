/** A server that answers nothing is noticed within seconds: nothing waits for it, and it is used again once it answers. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Database } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startFreezingProxy, type FreezingProxy } from "../support/freezing-proxy.ts";
import { realClock } from "../support/real-clock.ts";

const ONE = { name: "one", text: "select 1 as one" };
const SLEEP = { name: "sleep", text: "select pg_sleep($1)" };
/** Two seconds of silence, three for a new session, and some for the machine. */
const NOTICED_MS_MAX = 7_000;

describe("a server that freezes", () => {
  let stored: TestDatabase;
  let proxy: FreezingProxy;
  let database: Database;
  before(async () => {
    stored = await createTestDatabase();
    proxy = await startFreezingProxy(stored.address);
    database = openDatabase(proxy.address, {
      sessionName: "boathook frozen",
      connectionsMax: 2,
      connectTimeoutMs: 60_000,
      clock: realClock,
      onIdleError: () => undefined,
    });
  });
  after(async () => {
    await database.close();
    await proxy.close();
    await stored.drop();
  });

  /** How long it took to be refused, and whether the statement may have been carried out. */
  async function refused(work: () => Promise<unknown>) {
    const startedMs = realClock.monotonicMs();
    const cause: unknown = await work().then(
      () => assert.fail("it is answered"),
      (error: unknown) => error,
    );
    assert.ok(cause instanceof StoreUnavailable, String(cause));
    return { ms: realClock.monotonicMs() - startedMs, inDoubt: cause.commitUnknown, reason: cause.reason };
  }

  test("a statement that takes longer than others wait is left alone", async () => {
    assert.equal((await database.rows(SLEEP, [3])).length, 1);
  });

  test("what waits for it fails, what follows fails at once, and it is used again once it answers", async () => {
    let lost: Error | null = null;
    const session = await database.dedicated(stored.cells[0]!, (cause) => {
      lost = cause;
    });
    await database.rows(ONE, []);
    proxy.freeze();
    const first = await Promise.all([1, 2, 3, 4, 5].map(() => refused(() => database.rows(ONE, []))));
    for (const { ms, reason } of first) {
      assert.ok(ms < NOTICED_MS_MAX, `after ${ms} ms`);
      assert.equal(reason, "unreachable");
    }
    assert.deepEqual(
      [first[0]!.inDoubt, first[4]!.inDoubt],
      [true, false],
      "only what has been sent is commit unknown",
    );
    assert.ok(lost !== null, "the session is lost");
    await session.close();
    for (const work of [
      () => database.rows(ONE, []),
      () => database.transaction((tx) => tx.rows(ONE, [])),
      () => database.dedicated(stored.cells[0]!, () => undefined),
    ]) {
      const { ms, inDoubt } = await refused(work);
      assert.ok(ms < 200, `after ${ms} ms`);
      assert.equal(inDoubt, false);
    }
    proxy.wake();
    const startedMs = realClock.monotonicMs();
    for (;;) {
      const answer = await database.rows(ONE, []).catch(() => null);
      if (answer !== null) break;
      assert.ok(realClock.monotonicMs() - startedMs < NOTICED_MS_MAX, "it is used again");
      await new Promise<void>((resolve) => realClock.after(20, resolve));
    }
  });
});
