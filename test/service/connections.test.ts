/** Thousands of connections that ask for nothing. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { test, type TestContext } from "node:test";

import { makeDataFolder, serve, until } from "./boathook.ts";
import { raise, serveClient } from "./client.ts";

const folder = makeDataFolder({ withDatabase: true });

/** Opens connections, each from its `localAddress`, and counts the ones still open. */
async function openIdle(t: TestContext, url: string, addresses: readonly string[]) {
  let kept = 0;
  const sockets: Socket[] = [];
  t.after(() => sockets.forEach((socket) => void socket.destroy()));
  const port = Number(new URL(url).port);
  for (const localAddress of addresses) {
    const socket = connect({ port, host: "127.0.0.1", localAddress }).resume();
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.on("connect", () => (kept += 1)).on("close", () => (kept -= 1));
    if (sockets.length % 100 === 0) await Promise.race([once(socket, "connect"), once(socket, "close")]);
  }
  return { kept: () => kept };
}

/** The status of a request from this address, on a connection of its own; null: it was closed. */
function statusFrom(url: string, localAddress: string, headers = {}): Promise<number | null> {
  return new Promise((resolve) => {
    request(url, { agent: false, localAddress, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? null);
    })
      .on("error", () => resolve(null))
      .end();
  });
}

/** A metric of the service now. */
async function metricOf(opsUrl: string, name: string): Promise<number> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text();
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length));
}

const CLOSED = "boathook_public_connections_closed_total";

async function assertServes(
  t: TestContext,
  settings: Readonly<Record<string, string>>,
  addresses: readonly string[],
) {
  const { receiver, service, token, client } = await serveClient(t, folder, "rates", {
    path: "idle",
    settings: settings,
  });
  const idle = await openIdle(t, service.publicUrl, addresses);
  await until(() => idle.kept() <= 300, "the service closes what is too much");
  assert.ok(idle.kept() > 0);
  assert.equal(await statusFrom(`${service.opsUrl}/healthz`, "127.0.0.1"), 200);
  assert.equal(await statusFrom(`${service.publicUrl}/tracking/openapi.json`, "127.1.1.1"), 200);
  const before = receiver.arrivals.length;
  assert.equal(await raise(service, token, client.accountId, [1]), true);
  await until(() => receiver.arrivals.length > before, "a delivery arrives");
  return { service, idle };
}

test("of one address's idle connections the service keeps a few, until ten seconds are over", async (t) => {
  const { service, idle } = await assertServes(
    t,
    { BOATHOOK_CONNECTIONS_PER_ADDRESS: "200" },
    Array.from({ length: 3_000 }, () => "127.0.0.1"),
  );
  // The client's own connection is one of them.
  assert.ok(idle.kept() >= 195 && idle.kept() <= 200, String(idle.kept()));
  assert.equal(await statusFrom(`${service.publicUrl}/tracking/openapi.json`, "127.0.0.1"), null);
  assert.ok((await metricOf(service.opsUrl, `${CLOSED}{bound="address"}`)) >= 2_800);
  const open = await metricOf(service.opsUrl, "boathook_public_connections");
  assert.ok(open >= 190 && open <= 201, String(open));
  await until(() => idle.kept() === 0, "idle connections are closed", 15_000);
  assert.equal(await statusFrom(`${service.publicUrl}/tracking/openapi.json`, "127.0.0.1"), 200);
});

test("of many addresses' idle connections the service closes the longest idle ones", async (t) => {
  const { service } = await assertServes(
    t,
    { BOATHOOK_CONNECTIONS_MAX: "300" },
    Array.from({ length: 3_000 }, (_, at) => `127.0.${1 + Math.floor(at / 100)}.1`),
  );
  assert.ok((await metricOf(service.opsUrl, `${CLOSED}{bound="all"}`)) >= 2_700);
  assert.equal(await metricOf(service.opsUrl, `${CLOSED}{bound="address"}`), 0);
});

test("producers of events may keep hundreds of connections to the operator's listener open", async (t) => {
  const service = await serve(t, { BOATHOOK_DATA_DIR: folder });
  const idle = await openIdle(
    t,
    service.opsUrl,
    Array.from({ length: 500 }, () => "127.0.0.1"),
  );
  await until(() => idle.kept() === 500, "all connections are open");
  assert.equal(await statusFrom(`${service.opsUrl}/healthz`, "127.0.0.1"), 200);
  assert.equal(idle.kept(), 500);
});

test("a trusted proxy has no bound of its own", async (t) => {
  const service = await serve(t, {
    BOATHOOK_DATA_DIR: folder,
    BOATHOOK_CONNECTIONS_PER_ADDRESS: "5",
    BOATHOOK_TRUST_PROXY: "127.0.0.9,127.9.0.0/16",
  });
  for (const address of ["127.0.0.9", "127.9.9.9"]) {
    const idle = await openIdle(
      t,
      service.publicUrl,
      Array.from({ length: 50 }, () => address),
    );
    await until(() => idle.kept() === 50, "all connections are open");
    assert.equal(await statusFrom(`${service.publicUrl}/tracking/openapi.json`, address), 200);
    assert.equal(idle.kept(), 50);
  }
});

test("a client that sends no more after its requests gets all the answers", async (t) => {
  const service = await serve(t, { BOATHOOK_DATA_DIR: folder });
  const socket = connect({
    port: Number(new URL(service.publicUrl).port),
    host: "127.0.0.1",
    allowHalfOpen: true,
  });
  t.after(() => void socket.destroy());
  const count = 50;
  let got = "";
  socket.setEncoding("utf8").on("data", (data: string) => (got += data));
  socket.end("GET /tracking/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(count));
  await once(socket, "end");
  assert.equal(got.split("HTTP/1.1 200").length - 1, count);
});
