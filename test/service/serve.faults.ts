/** The service while it, or its database, is stopped and killed. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { ask, databasePid, makeDataFolder, operatorToken, serve, start, until } from "./boathook.ts";
import { newClient, raise, startReceiver } from "./client.ts";

const folder = makeDataFolder({ withDatabase: true });

/** Short waits, so that what fails once is tried again at once. */
const QUICK = { BOATHOOK_RETRY_WAITS: "100ms,100ms,100ms,100ms,100ms", BOATHOOK_SWEEP_INTERVAL: "500ms" };

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
