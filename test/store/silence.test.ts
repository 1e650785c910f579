/** Servers that answer nothing, or not in time, and what runs while connections close: nothing waits for them. */
import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { after, before, describe, test } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import type { Database } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { startFreezingProxy, type FreezingProxy } from "../support/freezing-proxy.ts";

const ONE = { name: "one", text: "select 1 as one" };
const SLEEP = { name: "sleep", text: "select pg_sleep(0.5)" };
const SLOW = { name: "slow", text: "select pg_sleep(30)" };
const UNBOUNDED = { name: "unbounded", text: "set local statement_timeout = 0" };
const onIdleError = () => undefined;

/** It moves while statements are in flight, by the hand of the test. */
type HandClock = Clock & {
  /** Waits until so many timers are set, and lets time pass until the next of them. */
  fireNext(timersMin?: number): Promise<void>;
};

function handClock(): HandClock {
  const timers = new Set<{ readonly dueMs: number; readonly action: () => void }>();
  const set = new EventEmitter();
  let ms = 0;
  return {
    nowMs: () => ms,
    monotonicMs: () => ms,
    after(delayMs, action) {
      const timer = { dueMs: ms + delayMs, action };
      timers.add(timer);
      set.emit("timer");
      return () => timers.delete(timer);
    },
    async fireNext(timersMin = 1) {
      while (timers.size < timersMin) await once(set, "timer");
      const next = [...timers].reduce((one, other) => (other.dueMs < one.dueMs ? other : one));
      timers.delete(next);
      ms = Math.max(ms, next.dueMs);
      next.action();
    },
  };
}

describe("a server", () => {
  let stored: TestDatabase;
  before(async () => {
    stored = await createTestDatabase();
  });
  after(() => stored.drop());

  describe("that freezes", () => {
    const clock = handClock();
    let proxy: FreezingProxy;
    let database: Database;
    before(async () => {
      proxy = await startFreezingProxy(stored.address);
      const pool = { sessionName: "boathook frozen", connectionsMax: 2, connectTimeoutMs: 600_000 };
      database = openDatabase(proxy.address, { ...pool, clock, onIdleError });
    });
    after(async () => {
      await database.close();
      await proxy.close();
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

  describe("on which a statement takes too long", () => {
    let database: Database;
    before(() => {
      const pool = { sessionName: "boathook silent", connectionsMax: 1, connectTimeoutMs: 10_000 };
      database = openDatabase(stored.address, { ...pool, statementMsMax: 200, onIdleError });
    });
    after(() => database.close());

    const isUnavailable = (inDoubt: boolean) => (error: unknown) =>
      error instanceof StoreUnavailable && error.commitUnknown === inDoubt;

    test("ends it, and undoes it, and its connection goes on", async () => {
      await assert.rejects(database.rows(SLOW, []), isUnavailable(false));
      await assert.rejects(
        database.transaction((tx) => tx.rows(SLOW, [])),
        isUnavailable(false),
      );
      assert.deepEqual(await database.rows(ONE, []), [{ one: 1 }]);
    });

    test("that does not end it leaves its commit unknown, and its connection is never used again", async () => {
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
      assert.deepEqual(await database.rows(ONE, []), [{ one: 1 }]);
    });
  });

  test("a statement that goes on fails, and holds up the closing for seconds only", async () => {
    const clock = handClock();
    const database = openDatabase(stored.address, {
      sessionName: "boathook closing",
      connectionsMax: 2,
      connectTimeoutMs: 5_000,
      clock,
      onIdleError: () => undefined,
    });
    const failed = assert.rejects(
      database.rows({ name: "sleep", text: "select pg_sleep(60)" }, []),
      (cause) => cause instanceof StoreUnavailable,
    );
    const closing = database.close();
    // The server still begins sessions, and the statement goes on; three seconds are enough.
    for (const _ of ["a check", "the end"]) await clock.fireNext(2);
    await closing;
    await failed;
  });
});

/** One message of PostgreSQL's protocol 3.0: its type, its length with itself, its fields. */
function message(type: string, ...fields: readonly (string | Buffer)[]): Buffer {
  const body = Buffer.concat(fields.map((field) => Buffer.from(field)));
  const head = Buffer.alloc(5);
  head.write(type, "latin1");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const READY = message("Z", "I");
const WELCOME = Buffer.concat([message("R", Buffer.alloc(4)), READY]);
/** Parsed, bound, without rows, done. */
const DONE = Buffer.concat([message("1"), message("2"), message("n"), message("C", "SELECT 0\0"), READY]);
const ENDED = message(
  "E",
  "SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0",
);

/** Accepts every login, answers each query with success, and answers a Terminate message with an error and the end. */
function serve(socket: Socket, onFarewell: () => void): void {
  let isWelcome = false;
  socket.on("data", (sent: Buffer) => {
    if (!isWelcome) socket.write(WELCOME);
    else if (sent[0] === "P".charCodeAt(0)) socket.write(DONE);
    else if (sent[0] === "X".charCodeAt(0)) socket.end(ENDED, onFarewell);
    isWelcome = true;
  });
  socket.on("error", () => {});
}

test("a server that ends while its connections are closing is not reported as a lost connection", async (t) => {
  const farewell = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    serve(socket, farewell.resolve);
    socket.once("close", () => closed.resolve());
  });
  server.listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const lost: string[] = [];
  const database = openDatabase(
    { url: `postgres://boathook@127.0.0.1:${port}/boathook` },
    {
      sessionName: "boathook test",
      connectionsMax: 1,
      connectTimeoutMs: 5_000,
      onIdleError: ({ message: cause }) => lost.push(cause),
    },
  );
  await database.rows({ name: "one", text: "select 1" }, []);
  await database.close();
  await farewell.promise;
  await closed.promise;
  assert.deepEqual(lost, []);
});
