/** A server that answers nothing is noticed within seconds: nothing waits for it, and it is used again once it answers. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Database } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startFreezingProxy, type FreezingProxy } from "../support/freezing-proxy.ts";
import { handClock } from "./hand-clock.ts";

const ONE = { name: "one", text: "select 1 as one" };
const SLEEP = { name: "sleep", text: "select pg_sleep(0.5)" };

describe("a server that freezes", () => {
  const clock = handClock();
  let stored: TestDatabase;
  let proxy: FreezingProxy;
  let database: Database;
  before(async () => {
    stored = await createTestDatabase();
    proxy = await startFreezingProxy(stored.address);
    database = openDatabase(proxy.address, {
      sessionName: "boathook frozen",
      connectionsMax: 2,
      connectTimeoutMs: 600_000,
      clock,
      onIdleError: () => undefined,
    });
  });
  after(async () => {
    await database.close();
    await proxy.close();
    await stored.drop();
  });

  /** Whether the statement that is refused may have been carried out. */
  async function refused(work: () => Promise<unknown>): Promise<boolean> {
    const cause: unknown = await work().then(
      () => assert.fail("it is answered"),
      (error: unknown) => error,
    );
    assert.ok(cause instanceof StoreUnavailable && cause.reason === "unreachable", String(cause));
    return cause.commitUnknown;
  }

  test("a statement that takes longer than others wait is left alone", async () => {
    const slept = database.rows(SLEEP, []);
    // Each time a new session begins.
    for (let checks = 0; checks < 2; checks += 1) await clock.fireNext();
    assert.equal((await slept).length, 1);
  });

  test("what waits for it fails, what follows fails at once, and it is used again once it answers", async () => {
    let lost: Error | null = null;
    const session = await database.dedicated(stored.cells[0]!, (cause) => {
      lost = cause;
    });
    await database.rows(ONE, []);
    proxy.freeze();
    const waiting = Promise.all([1, 2, 3, 4, 5].map(() => refused(() => database.rows(ONE, []))));
    await clock.fireNext();
    const first = await waiting;
    assert.deepEqual([first[0], first[4]], [true, false], "only what has been sent is commit unknown");
    assert.ok(lost !== null, "the session is lost");
    await session.close();
    // No time passes now.
    for (const work of [
      () => database.rows(ONE, []),
      () => database.transaction((tx) => tx.rows(ONE, [])),
      () => database.dedicated(stored.cells[0]!, () => undefined),
    ])
      assert.equal(await refused(work), false);
    proxy.wake();
    for (let answer = null; answer === null; answer = await database.rows(ONE, []).catch(() => null))
      await clock.fireNext();
  });
});
