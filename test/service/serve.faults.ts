/** The service while it, or its database, is stopped and killed. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { settingsFor } from "../cli/run.ts";
import { startPrivatePostgres } from "../support/private-postgres.ts";
import {
  endAtSecondSignal,
  ask,
  databasePid,
  makeDataFolder,
  operatorToken,
  serve,
  start,
  until,
} from "./boathook.ts";
import { newClient, raise, startReceiver } from "./client.ts";
import { openPlace, run, TOKEN } from "./running.ts";

const folder = makeDataFolder({ withDatabase: true });

/** Short waits, so that what fails once is tried again at once. */
const QUICK = { BOATHOOK_RETRY_WAITS: "100ms,100ms,100ms,100ms,100ms", BOATHOOK_SWEEP_INTERVAL: "500ms" };

test("a second SIGTERM ends the process at once, and the next serve retries the attempt", async (t) => {
  const receiver = await startReceiver(t);
  const settings = { BOATHOOK_DATA_DIR: folder, ...receiver.settings, ...QUICK };
  const service = await serve(t, settings);
  const token = operatorToken(folder);
  const client = await newClient(service, token, receiver);
  await client.register(service, "rates", "slow");
  receiver.behave(() => null);
  await raise(service, token, client.accountId, [2]);
  await until(() => receiver.arrivals.length === 1, "the attempt is in flight");
  service.signal("SIGTERM");
  await until(() => service.err().includes('"stopping"'), "it is stopping");
  await endAtSecondSignal(service);

  receiver.behave(() => 204);
  const database = databasePid(folder);
  assert.notEqual(database, null);
  await serve(t, settings);
  await until(() => receiver.arrivals.length === 2, "it is tried again");
  assert.equal(receiver.arrivals[0]!.id, receiver.arrivals[1]!.id);
  assert.equal(databasePid(folder), database, "the database was adopted");
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
  assert.ok(
    await raise(first, token, client.accountId, [1]),
    "an endpoint registered on one node is known to the other",
  );
  await until(() => receiver.arrivals.length === 1, "it arrives");
  await first.stop();
  assert.ok(await raise(second, token, client.accountId, [2]), "the second goes on, on the same database");
  await until(() => receiver.arrivals.length === 2, "it arrives as well");

  const before = databasePid(folder)!;
  process.kill(before, "SIGKILL");
  await until(() => databasePid(folder) !== null && databasePid(folder) !== before, "there is another one");
  await until(async () => (await ask("GET", `${second.opsUrl}/readyz`, "")).status === 200, "it is ready");
  assert.ok(await raise(second, token, client.accountId, [3]));
  await until(() => receiver.arrivals.length === 3, "it arrives");
});

test("a stopped external database is reported with 503 until it is back, without a restart", async (t) => {
  const postgres = await startPrivatePostgres();
  t.after(() => postgres.stop());
  const receiver = await startReceiver(t);
  const { settings } = await openPlace(t);
  const service = await run(t, {
    ...{ ...settings, ...receiver.settings, ...QUICK },
    ...settingsFor({ address: postgres.address, cells: [] }),
    BOATHOOK_CELLS: "1",
  });
  const client = await newClient(service, TOKEN, receiver);
  await client.register(service, "rates", "rates");
  const readiness = async () => (await ask("GET", `${service.opsUrl}/readyz`, "")).status;
  assert.equal(await readiness(), 200);

  process.kill(postgres.pid()!, "SIGQUIT");
  await until(async () => (await readiness()) === 503, "it is not ready");
  const refused = await ask("GET", `${service.publicUrl}/rates/v1/webhooks`, client.key);
  assert.deepEqual([refused.status, refused.body.error.code], [503, "unavailable"]);
  assert.equal(await raise(service, TOKEN, client.accountId, [1]), false);

  await postgres.ensureRunning();
  await until(async () => (await readiness()) === 200, "it is ready again");
  await until(() => raise(service, TOKEN, client.accountId, [2]), "events are accepted again");
  await until(() => receiver.arrivals.some(({ data }) => data.number === 2), "what was accepted arrives");
  await service.stop();
});
