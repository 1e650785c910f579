/** What a service keeps when it starts again on the same database: keys, announcements. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { loadChangelog } from "../../src/freight/announcements/changelog.ts";
import { ocean } from "../../src/products/ocean/product.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import { DAY_MS } from "../../src/runtime/durations.ts";
import { realClock } from "../support/real-clock.ts";
import { run as runCommand } from "../cli/run.ts";
import { ask, makeDataFolder, operatorToken, until } from "./boathook.ts";
import { newClient, raise, startReceiver } from "./client.ts";
import { openPlace, run, TOKEN } from "./running.ts";

test("a master key that is gone is asked for, and no other is made in its place", async (t) => {
  const folder = makeDataFolder({ withDatabase: true });
  const receiver = await startReceiver(t);
  const settings = { BOATHOOK_DATA_DIR: folder, ...receiver.settings, BOATHOOK_LOG_LEVEL: "error" };
  const first = await run(t, settings);
  const token = operatorToken(folder);
  const client = await newClient(first, token, receiver);
  await client.register(first, "rates", "gone");
  await first.stop();

  const file = join(folder, "master.key");
  const kept = readFileSync(file);
  rmSync(file);
  const command = (...words: string[]) =>
    runCommand(words, { environment: { ...settings, BOATHOOK_WORKERS: "1" } });
  for (const word of ["serve", "rotate-master-key"]) {
    const { status, err } = await command(word);
    assert.equal(status, 1);
    assert.match(err, /^The master key .*master\.key is gone, and the signing secrets of 1 endpoints/);
    assert.equal(existsSync(file), false);
  }
  const removed = await command("endpoints", "lost", "--remove", "--json");
  assert.equal(JSON.parse(removed.out).length, 1, removed.err);
  assert.equal(existsSync(file), false);
  const second = await run(t, settings);
  assert.notDeepEqual(readFileSync(file), kept);
  await client.register(second, "rates", "again");
  assert.ok(await raise(second, token, client.accountId, [1]));
  await until(() => receiver.arrivals.length === 1, "the client registers again, and gets its events");
  assert.deepEqual(receiver.wrong, []);
});

test("a service without the key that sealed a secret does not start, and says what to set", async (t) => {
  const [old, fresh] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64")) as [string, string];
  const receiver = await startReceiver(t);
  const { settings: place } = await openPlace(t);
  const settings = { ...place, ...receiver.settings, BOATHOOK_WORKERS: "1" };
  const first = await run(t, { ...settings, BOATHOOK_MASTER_KEY: old });
  const client = await newClient(first, TOKEN, receiver);
  await client.register(first, "rates", "rates");
  await first.stop();
  const lost = await runCommand(["serve"], { environment: { ...settings, BOATHOOK_MASTER_KEY: fresh } });
  assert.equal(lost.status, 1);
  assert.match(lost.err, /secrets of 1 endpoints? .*not configured.*BOATHOOK_MASTER_KEY_PREVIOUS/s);
  assert.doesNotMatch(lost.err, /\n +at /, "a person reads this, not a stack");
});

// spec 6.3: api_change_announced; 6.5: once
test("a new installation announces nothing old, and one that was there before announces each entry once", async (t) => {
  const receiver = await startReceiver(t);
  const { settings: place, on } = await openPlace(t, 2);
  const settings = { ...place, ...receiver.settings, BOATHOOK_PUBLIC_URL: "https://api.example.com/" };
  const count = async (table: string) => (await on.queryEach(on.cells, `select from cell.${table}`)).length;
  const entries = loadChangelog(ocean.changelog!, ocean.versions);
  // A day on: what is announced today is of yesterday.
  const clock: Clock = { ...realClock, nowMs: () => realClock.nowMs() + DAY_MS };
  const first = await run(t, settings, { clock });
  const client = await newClient(first, TOKEN, receiver);
  await client.register(first, "tracking", "tracking");
  await until(async () => (await count("announcing")) === 2, "each cell has begun");
  await first.stop();
  assert.equal(await count("announcements"), 0);

  await on.queryEach(on.cells, "update cell.announcing set since = '2026-01-01'");
  const second = await run(t, settings, { clock });
  await until(() => receiver.arrivals.length === entries.length, "all announcements arrive");
  await until(async () => (await count("announcements")) === 2 * entries.length, "all is announced");
  assert.deepEqual(receiver.wrong, []);
  assert.deepEqual(
    receiver.arrivals.map(({ data }) => `${data.id} ${data.changelog_url}`).toSorted(),
    entries.map(({ id }) => `${id} https://api.example.com/tracking/changelog.json`).toSorted(),
  );
  const changelog = await ask("GET", `${second.publicUrl}/tracking/changelog.json`, "");
  assert.equal(changelog.body.entries.length, entries.length);
  assert.equal(await count("events"), entries.length);
});
