/** The service as its users start, ask and stop it. */
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { ask, databasePid, makeDataFolder, operatorToken, serve, start, until } from "./boathook.ts";
import { newClient, raise, startReceiver } from "./client.ts";

const folder = makeDataFolder();

// spec 1: signed_push, products; 4.1: test; 5.1: method, header, signed_material
test("serve, register, raise, receive: signed, over HTTPS, on every product, and SIGTERM ends it all", async (t) => {
  const receiver = await startReceiver(t);
  const service = await serve(t, { BOATHOOK_DATA_DIR: folder, ...receiver.settings });
  assert.match(
    service.out(),
    /^\{"event":"listening","public":"http:\/\/127\.0\.0\.1:\d+","ops":"http:[^"]+"\}\n$/,
  );

  const starts = service
    .err()
    .split("\n")
    .filter((line) => line.includes('"boathook starts"'));
  assert.equal(starts.length, 1);
  const { roles, database, cells, files } = JSON.parse(starts[0]!);
  assert.deepEqual(
    [roles, database, cells, Object.keys(files)],
    [["api", "deliver", "poll"], `embedded in ${folder}`, 1, ["extraCaFile"]],
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
  // spec 2.4: ping
  assert.deepEqual(receiver.arrivals.find(({ type }) => type === "ping")!.data, {
    message: "This is a test delivery. Your endpoint works.",
  });
  assert.ok(receiver.arrivals.some(({ id }) => id === ping.body.data.id));

  await until(async () => {
    const { body } = await ask("GET", `${service.opsUrl}/metrics`, "");
    return (
      body.includes('boathook_attempts_total{product="rates",result="2xx"} 3') &&
      body.includes('boathook_events_total{outcome="accepted"} 3') &&
      body.includes("process_resident_memory_bytes")
    );
  }, "the metrics count them");

  await service.stop();
  assert.equal(databasePid(folder), null, "its database has ended with it");
  assert.equal(service.out().split("\n").length, 2, "nothing but its addresses was on stdout");
});

test("a node without the role api has no public listener, and raises for others to deliver", async (t) => {
  const service = await serve(t, { BOATHOOK_DATA_DIR: folder, BOATHOOK_ROLES: "deliver" });
  assert.equal(service.publicUrl, null);
  assert.equal((await ask("GET", `${service.opsUrl}/readyz`, "")).status, 200);
  service.signal("SIGINT");
  assert.equal(await service.ended, 0);
});

test("a data folder that the system does not let Boathook make is refused at once", async (t) => {
  const { ended, err } = start(t, ["serve"], { BOATHOOK_DATA_DIR: "/proc/boathook" });
  let status: number | null | undefined;
  void ended.then((code) => (status = code));
  await until(() => status !== undefined, "the command ends");
  assert.equal(status, 1);
  assert.match(err(), /The data folder \/proc\/boathook cannot be used: .* BOATHOOK_DATA_DIR/);
});
