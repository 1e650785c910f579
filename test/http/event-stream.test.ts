/** The stream of an account's events, over sockets. */
import assert from "node:assert/strict";
import { connect, type AddressInfo, type Socket } from "node:net";
import { before, describe, test, type TestContext } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import { firstUuidOf } from "../../src/model/uuid.ts";
import { ofSuite } from "../support/suite.ts";
import { createCaller, sendAsOperator, sendWithKey, startService } from "../support/service.ts";

const SETTLED_MS = 2_000;
const POLL_MS = 1_000;
/** Polls without a change after which none is to be expected. */
const QUIET_POLLS = 20;

describe("the stream of events", () => {
  const service = ofSuite(() => startService());
  let port = 0;
  let made = 0;
  before(async () => {
    await service.api.listen({ host: "127.0.0.1", port: 0 });
    port = (service.api.server.address() as AddressInfo).port;
  });

  /** Events of now, in the order of their ids. */
  async function raiseAll(count: number, accountId: string, data = "{}", product = "tracking") {
    const now = service.clock.nowMs();
    const head = `${firstUuidOf(now).slice(0, 14)}7000-8000-`;
    const ids = Array.from({ length: count }, () => `${head}${String((made += 1)).padStart(12, "0")}`);
    await service.test.queryEach(
      service.test.cells,
      "insert into cell.events select id, $2, $3, 'eta_changed', $4, $5 from unnest($1::uuid[]) id",
      [ids, accountId, product, new Date(now), data],
    );
    return ids;
  }
  const raise = async (accountId: string, data?: string, product?: string): Promise<string> =>
    (await raiseAll(1, accountId, data, product))[0]!;

  /** Raw: what arrives is read, or not, as the test says. */
  async function open(t: TestContext, key: string, headers: Record<string, string> = {}) {
    const socket: Socket = connect(port, "127.0.0.1");
    t.after(() => socket.destroy());
    let [text, isOver] = ["", false];
    socket.on("data", (chunk) => (text += chunk.toString()));
    for (const end of ["end", "error", "close"]) socket.on(end, () => (isOver = true));
    const lines = Object.entries({ authorization: `Bearer ${key}`, ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    socket.write(`GET /tracking/v1/events/stream HTTP/1.1\r\nhost: localhost\r\n${lines.join("")}\r\n`);
    await seen(() => text.includes("\r\n\r\n"));
    return {
      socket,
      text: () => text,
      ids: () => [...text.matchAll(/^id: (.+)\nevent/gm)].map(([, id]) => id),
      isOver: () => isOver || text.endsWith("0\r\n\r\n"),
    };
  }

  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

  async function seen(condition: () => boolean): Promise<void> {
    while (!condition()) await turn();
  }

  /** Polls until something is seen. */
  async function polled(condition: () => boolean): Promise<void> {
    for (; !condition(); await turn()) await service.clock.advance(POLL_MS);
  }

  test("has what is raised for the account on the product, in order, once it is settled", async (t) => {
    const [caller, other] = [
      await createCaller(service, "tracking"),
      await createCaller(service, "tracking"),
    ];
    await raise(caller.accountId);
    await service.clock.advance(1);
    const stream = await open(t, caller.key);
    assert.match(stream.text(), /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(stream.text(), /content-type: text\/event-stream/);
    assert.match(stream.text(), /cache-control: no-store/);
    const first = await raise(caller.accountId, '{"container_id":\r\n"x"}');
    await raise(other.accountId);
    await raise(caller.accountId, "{}", "air");
    await service.clock.advance(POLL_MS);
    for (let turns = 0; turns < 20; turns += 1) await turn();
    assert.deepEqual(stream.ids(), [], `not before ${SETTLED_MS} ms`);
    // It was raised before, and commits later.
    const second = await raise(caller.accountId);
    await polled(() => stream.ids().length >= 2);
    assert.deepEqual(stream.ids(), [first, second]);
    const at = new Date(service.clock.nowMs()).toISOString().slice(0, 10);
    assert.ok(
      stream
        .text()
        .includes(
          `id: ${first}\nevent: eta_changed\ndata: {"id":"${first}","type":"eta_changed","occurred_at":"${at}`,
        ),
      stream.text(),
    );
    assert.ok(stream.text().includes(`"data":{"container_id":\ndata: "x"}}\n\n`), "lines are data lines");
    const third = await raise(caller.accountId);
    await polled(() => stream.ids().length === 3);
    assert.equal(stream.ids()[2], third);
  });

  test("goes on behind the last event of another stream", async (t) => {
    const caller = await createCaller(service, "tracking");
    // More than a page.
    const ids = await raiseAll(120, caller.accountId);
    await service.clock.advance(SETTLED_MS + 1);
    const stream = await open(t, caller.key, { "last-event-id": ids[4]! });
    await polled(() => stream.ids().length >= 115);
    assert.deepEqual(stream.ids(), ids.slice(5));
    for (const wrong of ["", "5", "x".repeat(36)]) {
      const refused = await sendWithKeyAnd(caller.key, { "last-event-id": wrong });
      assert.equal(refused, 400, wrong);
    }
  });

  const sendWithKeyAnd = async (key: string, headers: Record<string, string>) =>
    (
      await service.api.inject({
        method: "GET",
        url: "/tracking/v1/events/stream",
        headers: { authorization: `Bearer ${key}`, ...headers },
      })
    ).statusCode;

  test("says where to go on while nothing happens, and ends when its key is revoked", async (t) => {
    const caller = await createCaller(service, "tracking");
    const stream = await open(t, caller.key);
    await polled(() => stream.text().split("\nid: ").length === 3);
    assert.ok(!stream.isOver());
    service.fault = new StoreUnavailable("the database is gone");
    await service.clock.advance(5 * POLL_MS);
    assert.ok(!stream.isOver(), "a database that is away ends nothing");
    service.fault = null;
    const id = await raise(caller.accountId);
    await polled(() => stream.ids().includes(id));
    await sendAsOperator(service, "DELETE", `/v1/keys/${caller.keyId}`);
    await polled(stream.isOver);
  });

  test("is bounded by account, and a stream that ends makes room", async (t) => {
    const caller = await createCaller(service, "tracking");
    const streams = [];
    for (let count = 0; count < 5; count += 1) streams.push(await open(t, caller.key));
    const refused = await sendWithKey(service, caller.key, "GET", "/tracking/v1/events/stream");
    assert.equal(refused.status, 429);
    assert.equal(refused.headers["retry-after"], "5");
    streams[0]!.socket.destroy();
    let next = await open(t, caller.key);
    for (; !next.text().includes(" 200 OK"); next = await open(t, caller.key))
      assert.match(next.text(), / 429 /);
  });

  test("a reader that does not read holds up its own page only", async (t) => {
    const caller = await createCaller(service, "tracking");
    const firstId = firstUuidOf(service.clock.nowMs());
    const large = JSON.stringify({ text: "x".repeat(200_000) });
    await raiseAll(100, caller.accountId, large);
    await service.clock.advance(SETTLED_MS + 1);
    const { rows } = service.test.database;
    let taken = 0;
    const counting: typeof rows = async (statement, parameters) => {
      const read = await rows(statement, parameters);
      if (statement.name.startsWith("event_stream")) taken += read.length;
      return read;
    };
    Object.assign(service.test.database, { rows: counting });
    t.after(() => void Object.assign(service.test.database, { rows }));

    const stream = await open(t, caller.key, { "last-event-id": firstId });
    stream.socket.pause();
    let seenTaken = 0;
    let quiet = 0;
    await polled(() => {
      quiet = taken > 0 && taken === seenTaken ? quiet + 1 : 0;
      seenTaken = taken;
      return quiet === QUIET_POLLS;
    });
    // What the sockets of this machine hold, and a page.
    assert.ok(taken < 60, `${taken} of 100 events were taken from the database`);
    stream.socket.resume();
    await polled(() => stream.ids().length === 100);
  });

  test("ends when the listener closes", { timeout: 20_000 }, async () => {
    const other = await startService();
    await other.api.listen({ host: "127.0.0.1", port: 0 });
    const caller = await createCaller(other, "tracking");
    const { port: at } = other.api.server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${at}/tracking/v1/events/stream`, {
      headers: { authorization: `Bearer ${caller.key}` },
    });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("connection"), "close");
    const text = answer.text();
    await other.close();
    assert.match(await text, /^retry: 2000\nid: \S+\n\n$/);
  });
});
