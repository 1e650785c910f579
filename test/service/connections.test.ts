/** Many connections that ask for nothing. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { before, describe, test, type TestContext } from "node:test";

import { ask, until } from "./boathook.ts";
import { openPlace, ownerOfSuite, run, type Running } from "./running.ts";

const PER_ADDRESS = 20;
const IN_ALL = 100;
const CLIENT = "127.1.1.1";

/** Opens connections, each from its address, and counts the ones still open. */
async function openIdle(t: TestContext, url: string, addresses: readonly string[]): Promise<() => number> {
  let kept = 0;
  const sockets: Socket[] = [];
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await until(() => kept === 0, "all are closed");
  });
  const port = Number(new URL(url).port);
  for (const localAddress of addresses) {
    const socket = connect({ port, host: "127.0.0.1", localAddress }).resume();
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.on("connect", () => (kept += 1)).on("close", () => (kept -= 1));
    await Promise.race([once(socket, "connect"), once(socket, "close")]);
  }
  return () => kept;
}

const many = (count: number, addressOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => addressOf(index));

/** The status of a request from this address, on a connection of its own; null: it was closed. */
function statusFrom(url: string, localAddress: string): Promise<number | null> {
  return new Promise((resolve) => {
    request(url, { agent: false, localAddress }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? null);
    })
      .on("error", () => resolve(null))
      .end();
  });
}

describe("a service that gets more connections than it takes", () => {
  const owner = ownerOfSuite();
  let service: Running;
  let openApi: string;

  before(async () => {
    service = await run(owner, {
      ...(await openPlace(owner)).settings,
      BOATHOOK_CONNECTIONS_PER_ADDRESS: String(PER_ADDRESS),
      BOATHOOK_CONNECTIONS_MAX: String(IN_ALL),
      BOATHOOK_TRUST_PROXY: "127.0.0.9,127.9.0.0/16",
    });
    openApi = `${service.publicUrl}/tracking/openapi.json`;
  });

  /** What the metrics say of the public listener. */
  async function counted() {
    const { body } = await ask("GET", `${service.opsUrl}/metrics`, "");
    const value = (name: string) =>
      Number(new RegExp(`^boathook_public_connections${name} (\\d+)$`, "m").exec(body)?.[1]);
    const closedBy = (bound: string) => value(`_closed_total\\{bound="${bound}"\\}`);
    return { open: value(""), address: closedBy("address"), all: closedBy("all") };
  }

  test("keeps a few of one address, and closes what comes after them", async (t) => {
    const kept = await openIdle(
      t,
      service.publicUrl,
      many(3 * PER_ADDRESS, () => "127.0.0.1"),
    );
    await until(() => kept() === PER_ADDRESS, "the others are closed");
    assert.equal(await statusFrom(openApi, "127.0.0.1"), null);
    assert.equal(await statusFrom(openApi, CLIENT), 200);
    assert.deepEqual(await counted(), { open: PER_ADDRESS, address: 2 * PER_ADDRESS + 1, all: 0 });
  });

  test("closes the longest idle ones of many addresses", async (t) => {
    const { address } = await counted();
    const kept = await openIdle(
      t,
      service.publicUrl,
      many(3 * IN_ALL, (index) => `127.0.${index % 30}.2`),
    );
    await until(() => kept() === IN_ALL, "the others are closed");
    assert.equal(await statusFrom(openApi, CLIENT), 200);
    assert.equal(await statusFrom(`${service.opsUrl}/healthz`, "127.0.0.1"), 200);
    const { all, ...now } = await counted();
    assert.ok(all >= 2 * IN_ALL, String(all));
    assert.equal(now.address, address);
  });

  test("takes hundreds of one address on the operator's listener", async (t) => {
    const kept = await openIdle(
      t,
      service.opsUrl,
      many(300, () => "127.0.0.1"),
    );
    assert.equal(await statusFrom(`${service.opsUrl}/healthz`, "127.0.0.1"), 200);
    assert.equal(kept(), 300);
  });

  test("has no bound for a trusted proxy", async (t) => {
    for (const address of ["127.0.0.9", "127.9.9.9"]) {
      const kept = await openIdle(
        t,
        service.publicUrl,
        many(2 * PER_ADDRESS, () => address),
      );
      assert.equal(await statusFrom(openApi, address), 200);
      assert.equal(kept(), 2 * PER_ADDRESS);
    }
  });
});
