/** What happens to a service whose master key is changed, as it should be and as it should not. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { run } from "../cli/run.ts";
import { TEST_CELLS } from "../support/test-server.ts";
import { makeDataFolder, operatorToken, serve, until } from "./boathook.ts";
import { newClient, raise, startReceiver } from "./client.ts";

const folder = makeDataFolder({ withDatabase: true });

test("a master key is rotated without losing a secret, and a service without the right one refuses to start", async (t) => {
  const [old, fresh] = [Buffer.alloc(32, 1).toString("base64"), Buffer.alloc(32, 2).toString("base64")];
  const receiver = await startReceiver(t);
  const usual = { BOATHOOK_DATA_DIR: folder, ...receiver.settings };
  const here = {
    ...usual,
    BOATHOOK_WORKERS: "1",
    BOATHOOK_CELLS: String(TEST_CELLS),
    BOATHOOK_LOG_LEVEL: "error",
  };

  const first = await serve(t, { ...usual, BOATHOOK_MASTER_KEY: old });
  const token = operatorToken(folder);
  const client = await newClient(first, token, receiver);
  await client.register(first, "rates", "rates");
  first.signal("SIGTERM");
  assert.equal(await first.ended, 0, first.err());

  const lost = await run(["serve"], { environment: { ...here, BOATHOOK_MASTER_KEY: fresh } });
  assert.equal(lost.status, 1);
  assert.match(lost.err, /secrets of 1 endpoints? .*not configured.*BOATHOOK_MASTER_KEY_PREVIOUS/s);
  assert.doesNotMatch(lost.err, /\n +at /, "a person reads this, not a stack");

  const both = { ...here, BOATHOOK_MASTER_KEY: fresh, BOATHOOK_MASTER_KEY_PREVIOUS: old };
  const rotated = await run(["rotate-master-key", "--json"], { environment: both });
  assert.equal(rotated.status, 0, rotated.err);

  const second = await serve(t, { ...usual, BOATHOOK_MASTER_KEY: fresh });
  assert.ok(await raise(second, token, client.accountId, [1]));
  await until(() => receiver.arrivals.length === 1, "the delivery arrives");
  assert.deepEqual(receiver.wrong, [], "and is signed with the same secret");
});
