/** What runs and what the database sends while connections close. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { test } from "node:test";

import { openDatabase } from "../../src/store/open-database.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import { createTestDatabase } from "../support/database.ts";
import { handClock } from "./hand-clock.ts";

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

test("a statement that goes on fails, and holds up the closing for seconds only", async (t) => {
  const stored = await createTestDatabase();
  t.after(() => stored.drop());
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
