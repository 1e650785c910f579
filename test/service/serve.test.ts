/** The service as its users start, ask, stop and kill it. */
import assert from "node:assert/strict";
import { statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";

import { startPrivatePostgres } from "../support/private-postgres.ts";
import { ask, databasePid, makeDataFolder, operatorToken, serve, start, until } from "./boathook.ts";
import { newClient, raise, startReceiver } from "./client.ts";

const folder = makeDataFolder();

/** Short waits, so that what fails once is tried again at once. */
const QUICK = { BOATHOOK_RETRY_WAITS: "100ms,100ms,100ms,100ms,100ms", BOATHOOK_SWEEP_INTERVAL: "500ms" };

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

test("SIGTERM lets a request that is under way end; a second one ends all at once, and the next serve tries it again", async (t) => {
  const receiver = await startReceiver(t);
  const settings = { BOATHOOK_DATA_DIR: folder, ...receiver.settings, ...QUICK };
  const service = await serve(t, settings);
  const token = operatorToken(folder);
  const client = await newClient(service, token, receiver);
  const endpoint = await client.register(service, "rates", "slow");
  let answer = (_status: number) => {};
  receiver.behave(() => new Promise((resolve) => (answer = resolve)));
  await raise(service, token, client.accountId, [1]);
  await until(() => receiver.arrivals.length === 1, "the attempt is under way");
  service.signal("SIGTERM");
  await until(() => service.err().includes('"stopping"'), "it is stopping");
  answer(204);
  assert.equal(await service.ended, 0);

  const again = await serve(t, settings);
  const { body } = await ask("GET", `${again.publicUrl}/rates/v1/webhooks/${endpoint}`, client.key);
  const [delivery] = body.data.recent_deliveries;
  assert.deepEqual([delivery.status, delivery.attempt_count], ["delivered", 1]);
  assert.equal(receiver.arrivals.length, 1);

  receiver.behave(() => null);
  await raise(again, token, client.accountId, [2]);
  await until(() => receiver.arrivals.length === 2, "the attempt is under way");
  again.signal("SIGTERM");
  await until(() => again.err().includes('"stopping"'), "it is stopping");
  let status: number | null | undefined;
  void again.ended.then((ended) => (status = ended));
  await until(() => {
    again.signal("SIGTERM");
    return status !== undefined;
  }, "it ends at the second signal");
  assert.equal(status, 1);

  receiver.behave(() => 204);
  await serve(t, settings);
  await until(() => receiver.arrivals.length === 3, "it is tried again");
  assert.equal(receiver.arrivals[1]!.id, receiver.arrivals[2]!.id);
});

test("a serve that was killed finds its database running, and delivers everything that was accepted", async (t) => {
  const receiver = await startReceiver(t);
  const settings = { BOATHOOK_DATA_DIR: folder, ...receiver.settings, ...QUICK };
  const service = await serve(t, settings);
  const token = operatorToken(folder);
  const client = await newClient(service, token, receiver);
  await client.register(service, "rates", "rates");
  receiver.behave(() => null);
  const numbers = Array.from({ length: 50 }, (_, number) => number);
  assert.ok(await raise(service, token, client.accountId, numbers));
  await until(() => receiver.arrivals.length > 0, "the first attempts are under way");
  service.signal("SIGKILL");
  await service.ended;
  const database = databasePid(folder);
  assert.notEqual(database, null);

  const before = receiver.arrivals.length;
  receiver.behave(() => 204);
  const again = await serve(t, settings);
  assert.equal(databasePid(folder), database, "the database was adopted");
  assert.equal(operatorToken(folder), token);
  const delivered = () => new Set(receiver.arrivals.slice(before).map(({ data }) => data.number));
  await until(() => delivered().size === numbers.length, "all of them arrive");
  assert.deepEqual(receiver.wrong, []);
  again.signal("SIGTERM");
  assert.equal(await again.ended, 0);
  assert.equal(databasePid(folder), null);
});

test("a second serve on the same data folder joins, on the same ports it is refused and harms nothing; the database of both is started again when it dies", async (t) => {
  const receiver = await startReceiver(t);
  const settings = { BOATHOOK_DATA_DIR: folder, ...receiver.settings, ...QUICK };
  const first = await serve(t, settings);
  const token = operatorToken(folder);

  const refused = start(t, ["serve"], { ...settings, BOATHOOK_OPS_LISTEN: new URL(first.opsUrl).host });
  assert.equal(await refused.ended, 1);
  assert.match(
    refused.err(),
    /^Boathook cannot listen on 127\.0\.0\.1:\d+: another program does\..*BOATHOOK_OPS_LISTEN/m,
  );
  assert.doesNotMatch(refused.err(), /\n\s+at /);
  assert.equal(refused.out(), "");

  const second = await serve(t, settings);
  const client = await newClient(first, token, receiver);
  await client.register(second, "rates", "rates");
  assert.ok(await raise(first, token, client.accountId, [1]), "what one node was told, the other knows");
  await until(() => receiver.arrivals.length === 1, "it arrives");
  first.signal("SIGTERM");
  assert.equal(await first.ended, 0);
  assert.ok(await raise(second, token, client.accountId, [2]), "the second goes on, on the same database");
  await until(() => receiver.arrivals.length === 2, "it arrives as well");

  const before = databasePid(folder)!;
  process.kill(before, "SIGKILL");
  await until(() => databasePid(folder) !== null && databasePid(folder) !== before, "there is another one");
  await until(async () => (await ask("GET", `${second.opsUrl}/readyz`, "")).status === 200, "it is ready");
  assert.ok(await raise(second, token, client.accountId, [3]));
  await until(() => receiver.arrivals.length === 3, "it arrives");
});

test("an external database that is stopped is told with 503 until it is there again, and nobody restarts", async (t) => {
  const token = "the-operator-of-this-test";
  const postgres = await startPrivatePostgres();
  t.after(() => postgres.stop());
  const { user, port, database, socketFolder } = postgres.address;
  const receiver = await startReceiver(t);
  const service = await serve(t, {
    ...receiver.settings,
    ...QUICK,
    BOATHOOK_DATA_DIR: folder,
    BOATHOOK_DATABASE_URL: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(socketFolder)}`,
    BOATHOOK_MASTER_KEY: Buffer.alloc(32, 1).toString("base64"),
    BOATHOOK_OPERATOR_TOKEN: token,
  });
  const client = await newClient(service, token, receiver);
  await client.register(service, "rates", "rates");
  const readiness = async () => (await ask("GET", `${service.opsUrl}/readyz`, "")).status;
  assert.equal(await readiness(), 200);

  process.kill(postgres.pid()!, "SIGQUIT");
  await until(async () => (await readiness()) === 503, "it is not ready");
  const refused = await ask("GET", `${service.publicUrl}/rates/v1/webhooks`, client.key);
  assert.deepEqual([refused.status, refused.body.error.code], [503, "unavailable"]);
  assert.equal(await raise(service, token, client.accountId, [1]), false);

  await postgres.ensureRunning();
  await until(async () => (await readiness()) === 200, "it is ready again");
  await until(() => raise(service, token, client.accountId, [2]), "events are accepted again");
  await until(() => receiver.arrivals.some(({ data }) => data.number === 2), "what was accepted arrives");
  service.signal("SIGTERM");
  assert.equal(await service.ended, 0);
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
