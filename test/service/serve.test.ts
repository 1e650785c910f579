/** The service as its users start, ask and stop it. */
import assert from "node:assert/strict";
import { statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";

import { ask, databasePid, makeDataFolder, operatorToken, serve, start, until } from "./boathook.ts";
import { newClient, raise, startReceiver } from "./client.ts";

const folder = makeDataFolder();

test("serve, register, raise, receive: signed, over HTTPS, on every product, and SIGTERM ends it all", async (t) => {
  const receiver = await startReceiver(t);
  const service = await serve(t, { BOATHOOK_DATA_DIR: folder, ...receiver.settings });
  assert.match(
    service.out(),
    /^\{"event":"listening","public":"http:\/\/127\.0\.0\.1:\d+","ops":"http:[^"]+"\}\n$/,
  );

  const token = operatorToken(folder);
  assert.equal(statSync(join(folder, "operator.token")).mode & 0o777, 0o600);
  assert.ok(service.err().includes(join(folder, "operator.token")), "it says where the token is");
  assert.ok(!(service.out() + service.err()).includes(token), "and never what it is");

  const client = await newClient(service, token, receiver);
  await client.register(service, "rates", "rates");
  const tracking = await client.register(service, "tracking", "tracking");
  const ping = await ask(
    "POST",
    `${service.publicUrl}/tracking/v1/webhooks/${tracking}/test`,
    client.key,
    {},
  );
  assert.equal(ping.status, 202);
  assert.ok(await raise(service, token, client.accountId, [1, 2, 3]));
  await until(() => receiver.arrivals.length === 4, "four deliveries arrive");
  const seen = receiver.arrivals
    .map(({ path, type, data }) => `${path} ${type} ${data.number ?? ""}`)
    .toSorted();
  assert.deepEqual(seen, [1, 2, 3].map((n) => `rates index_refreshed ${n}`).concat("tracking ping "));
  assert.deepEqual(receiver.wrong, []);
  assert.ok(receiver.arrivals.some(({ id }) => id === ping.body.data.id));

  await until(async () => {
    const { body } = await ask("GET", `${service.opsUrl}/metrics`, "");
    return (
      body.includes('boathook_attempts_total{product="rates",result="2xx"} 3') &&
      body.includes('boathook_events_total{outcome="accepted"} 3') &&
      body.includes("process_resident_memory_bytes")
    );
  }, "the metrics count them");

  service.signal("SIGTERM");
  assert.equal(await service.ended, 0);
  assert.equal(databasePid(folder), null, "its database has ended with it");
  assert.equal(service.out().split("\n").length, 2, "nothing but its addresses was on stdout");
});

test("what cannot be started as things are is told in one sentence, with the status that fits", async (t) => {
  const wrong = join(folder, "wrong");
  writeFileSync(wrong, "no certificate");
  const busy = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => busy.once("listening", resolve));
  t.after(() => busy.close());
  const { port } = busy.address() as AddressInfo;
  const cases: readonly (readonly [settings: Record<string, string>, told: RegExp, status: number])[] = [
    [{ BOATHOOK_LISTEN: "nowhere" }, /BOATHOOK_LISTEN must be host:port/, 2],
    [{ BOATHOOK_LISTEN: `127.0.0.1:${port}` }, /cannot listen on 127\.0\.0\.1:\d+: another program does/, 1],
    [
      { BOATHOOK_EXTRA_CA_FILE: wrong, BOATHOOK_CARRIERS_FILE: join(folder, "none") },
      /BOATHOOK_EXTRA_CA_FILE .* is wrong: it holds no certificate[^]*BOATHOOK_CARRIERS_FILE cannot be read/,
      1,
    ],
    [{ BOATHOOK_OPERATOR_TOKEN: "a token with spaces" }, /BOATHOOK_OPERATOR_TOKEN .* without spaces/, 1],
    [
      { BOATHOOK_DATABASE_URL: "postgres://u@127.0.0.1:1/x" },
      /database at 127\.0\.0\.1:1\/x cannot be used/,
      1,
    ],
  ];
  for (const [settings, told, status] of cases) {
    const base = {
      BOATHOOK_DATA_DIR: folder,
      BOATHOOK_LISTEN: "127.0.0.1:0",
      BOATHOOK_OPS_LISTEN: "127.0.0.1:0",
    };
    const served = start(t, ["serve"], { ...base, ...settings });
    assert.equal(await served.ended, status, served.err());
    assert.match(served.err(), told);
    assert.doesNotMatch(served.err(), /\n\s+at /);
    assert.equal(served.out(), "");
  }
  assert.equal(databasePid(folder), null, "nothing is left running");
});

test("a node without the role api has no public listener, and raises for others to deliver", async (t) => {
  const service = await serve(t, { BOATHOOK_DATA_DIR: folder, BOATHOOK_ROLES: "deliver" });
  assert.equal(service.publicUrl, null);
  assert.equal((await ask("GET", `${service.opsUrl}/readyz`, "")).status, 200);
  service.signal("SIGINT");
  assert.equal(await service.ended, 0);
});
