import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import pg from "pg";

import { sleep } from "../../src/runtime/sleep.ts";
import { connectionConfig } from "../../src/store/database.ts";
import { manualClock } from "./clock.ts";
import { createTestDatabase, query, type TestDatabase } from "./database.ts";
import { count } from "./rest.ts";

describe("a clock that waits for the work", () => {
  let testDatabase: TestDatabase;
  let session: pg.Client;
  before(async () => {
    testDatabase = await createTestDatabase();
  });
  after(() => testDatabase.drop());
  beforeEach(async () => {
    session = new pg.Client(connectionConfig(testDatabase.address));
    await session.connect();
  });
  afterEach(() => session.end());

  const sql = (text: string) => query(testDatabase.address, text);

  /** Begins `work` after a second; what it ends at, by a clock that goes on for a minute. */
  async function endOf(work: () => Promise<unknown>): Promise<number> {
    const clock = manualClock();
    let endedMs = Number.NaN;
    clock.after(1_000, () => void work().then(() => (endedMs = clock.monotonicMs())));
    clock.after(1_001, () => undefined);
    await clock.advance(60_000);
    return endedMs;
  }

  test("stands while a statement, a new session, a transaction or a file is open", async () => {
    assert.equal(await endOf(() => session.query("select pg_sleep(0.05)")), 1_000);
    assert.equal(await endOf(() => sql("select pg_sleep(0.05)")), 1_000);
    const twoRows = async () => {
      await session.query("begin");
      await session.query("select 1");
      await session.query("commit");
    };
    assert.equal(await endOf(twoRows), 1_000);
    assert.equal(await endOf(() => readFile(import.meta.filename)), 1_000);
  });

  test("stands while immediates follow each other, and while what a test counts is open", async () => {
    const hundred = async () => {
      for (let left = 100; left > 0; left--) await new Promise((resolve) => void setImmediate(resolve));
    };
    assert.equal(await endOf(hundred), 1_000);
    const elsewhere = () => new Promise((resolve) => void setTimeout(resolve, 30));
    assert.equal(await endOf(() => count("something elsewhere", elsewhere())), 1_000);
  });

  test("stands while a request and its answer travel, and moves while a server handles it", async (t) => {
    const asked: (() => void)[] = [];
    const server = createServer((_request, response) => void asked.push(() => void response.end("answered")));
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    t.after(() => server.close().closeAllConnections());
    const { port } = server.address() as AddressInfo;
    const clock = manualClock();
    let text = "";
    const ask = async () => {
      text = await (await fetch(`http://127.0.0.1:${port}`)).text();
    };
    for (let times = 0; times < 20; times++) {
      void ask();
      await clock.rest();
      assert.equal(asked.length, 1);
      await clock.advance(60_000);
      assert.equal(text, "");
      asked.shift()!();
      await clock.rest();
      assert.equal(text, "answered");
      text = "";
    }
  });

  test("stands until a notification has arrived, and what it set off has ended", async () => {
    await session.query("listen changed");
    const other = new pg.Client(connectionConfig(testDatabase.address));
    await other.connect();
    for (let times = 0; times < 50; times++) {
      const heard = () =>
        new Promise((resolve) => {
          session.once("notification", () => void other.query("select 1").then(resolve));
          void other.query("notify changed");
        });
      assert.equal(await endOf(heard), 1_000);
    }
    await other.end();
  });

  test("goes on while a statement waits for a lock, and stands again once the lock is free", async () => {
    await sql("create table held (n integer)");
    const clock = manualClock();
    await session.query("begin; lock table held");
    let doneMs = 0;
    void sql("insert into held values (1)").then(() => (doneMs = clock.monotonicMs()));
    await clock.advance(1_000);
    assert.equal(doneMs, 0);
    clock.after(1_000, () => void session.query("commit"));
    await clock.advance(60_000);
    assert.equal(doneMs, 2_000);
  });

  test("moves for two callers at a time as for one", async () => {
    const clock = manualClock();
    const seen: number[] = [];
    const look = async () => {
      for (let times = 0; times < 3; times++) {
        await sleep(clock, 1_000);
        await session.query("select pg_sleep(0.005)");
        seen.push(clock.monotonicMs());
      }
    };
    await Promise.all([clock.drive(look()), clock.drive(look()), clock.advance(2_500)]);
    assert.deepEqual(seen, [1_000, 1_000, 2_000, 2_000, 3_000, 3_000]);
  });

  test("says what did not come about, and when it gave up", async () => {
    const clock = manualClock();
    await assert.rejects(
      clock.until(() => false, "the end of the world"),
      /after 0 steps and 0 ms; 0 timers wait: the end of the world/,
    );
    clock.after(5, () => undefined);
    clock.after(500, () => undefined);
    await assert.rejects(
      clock.until(() => false, "it", 100),
      /after 1 steps and 5 ms; 1 timers wait: it/,
    );
    await assert.rejects(clock.drive(Promise.reject(new Error("its own"))), /its own/);
  });
});
