/** What happens to a service whose master key is changed, as it should be and as it should not. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { run } from "../cli/run.ts";
import { makeDataFolder, operatorToken, serve, until } from "./boathook.ts";
import { newClient, raise, startReceiver } from "./client.ts";

const folder = makeDataFolder({ withDatabase: true });
const gone = makeDataFolder({ withDatabase: true });

test("a master key that is gone is asked for, and no other is made in its place", async (t) => {
  const data = gone;
  const receiver = await startReceiver(t);
  const usual = { BOATHOOK_DATA_DIR: data, ...receiver.settings };
  const first = await serve(t, usual);
  const token = operatorToken(data);
  const client = await newClient(first, token, receiver);
  await client.register(first, "rates", "gone");
  await first.stop();

  const file = join(data, "master.key");
  const kept = readFileSync(file);
  rmSync(file);
  const here = { ...usual, BOATHOOK_WORKERS: "1" };
  for (const words of [["serve"], ["rotate-master-key"]]) {
    const refused = await run(words, { environment: { ...here, BOATHOOK_LOG_LEVEL: "error" } });
    assert.equal(refused.status, 1);
    assert.match(
      refused.err,
      /^The master key .*master\.key is gone, and the signing secrets of 1 endpoints/,
    );
    assert.equal(existsSync(file), false);
  }
  const listed = await run(["endpoints", "lost", "--json"], { environment: here });
  assert.equal(JSON.parse(listed.out).length, 1, listed.err);
  assert.equal(existsSync(file), false);
  writeFileSync(file, kept, { mode: 0o600 });
  const second = await serve(t, usual);
  assert.ok(await raise(second, token, client.accountId, [1]));
  await until(() => receiver.arrivals.length === 1, "the delivery arrives");
  assert.deepEqual(receiver.wrong, []);
  second.signal("SIGTERM");
  await second.ended;

  rmSync(file);
  const removed = await run(["endpoints", "lost", "--remove"], { environment: here });
  assert.equal(removed.status, 0, removed.err);
  const third = await serve(t, usual);
  assert.notDeepEqual(readFileSync(file), kept);
  await client.register(third, "rates", "again");
  assert.ok(await raise(third, token, client.accountId, [2]));
  await until(() => receiver.arrivals.length === 2, "the client registers again, and gets its events");
});

test("a master key is rotated without losing a secret, and a service without the right one refuses to start", async (t) => {
  const [old, fresh] = [Buffer.alloc(32, 1).toString("base64"), Buffer.alloc(32, 2).toString("base64")];
  const receiver = await startReceiver(t);
  const usual = { BOATHOOK_DATA_DIR: folder, ...receiver.settings };
  const here = {
    ...usual,
    BOATHOOK_WORKERS: "1",
    BOATHOOK_LOG_LEVEL: "error",
  };

  const first = await serve(t, { ...usual, BOATHOOK_MASTER_KEY: old });
  const token = operatorToken(folder);
  const client = await newClient(first, token, receiver);
  await client.register(first, "rates", "rates");
  await first.stop();

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
