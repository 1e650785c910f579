/** The drill: a backup of a service at work, the loss of its machine, and its life on another. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { run } from "../cli/run.ts";
import { databaseFolder } from "../support/database-folder.ts";
import {
  databasePid,
  makeDataFolder,
  operatorToken,
  serve,
  start,
  until,
  type Settings,
} from "./boathook.ts";
import { newClient, raise, startReceiver } from "./client.ts";

const PROGRAM = join(import.meta.dirname, "..", "..", "bin", "boathook.js");
const WAITS = { BOATHOOK_RETRY_WAITS: "2s,2s,2s,2s,2s", BOATHOOK_SWEEP_INTERVAL: "500ms" };

/** Data folders. */
const machines = {
  served: makeDataFolder({ withDatabase: true }),
  afterwards: makeDataFolder(),
  full: makeDataFolder({ withDatabase: true }),
  stopped: makeDataFolder({ withDatabase: true }),
  killed: makeDataFolder(),
};

/** For backups; the tests check the names in it. */
function outside(t: TestContext): string {
  const folder = mkdtempSync(join(databaseFolder(), "boathook-backups-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A file may have 10 MB: to a process that is what a full disk is. */
function onFullDisk(words: readonly string[], settings: Settings) {
  const limited = ["-c", 'ulimit -f 10000; exec "$0" "$@"', process.execPath, PROGRAM, ...words];
  return spawnSync("bash", limited, { env: { ...process.env, ...settings }, encoding: "utf8" });
}

/** As a machine is lost: no process ends well, and nothing of the folder is left. */
async function lose(service: { signal(signal: "SIGKILL"): void; ended: Promise<unknown> }, folder: string) {
  service.signal("SIGKILL");
  await service.ended;
  process.kill(databasePid(folder)!, "SIGQUIT");
  await until(() => databasePid(folder) === null, "its database ends");
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
}

test("after the loss of the machine a backup taken under load delivers, elsewhere, all that was accepted before it", async (t) => {
  const [first, second] = [machines.served, machines.afterwards];
  const file = join(outside(t), "boathook.tar");
  const receiver = await startReceiver(t);
  const usual = { ...receiver.settings, ...WAITS };
  const service = await serve(t, { BOATHOOK_DATA_DIR: first, ...usual });
  const token = operatorToken(first);
  const client = await newClient(service, token, receiver);
  for (const path of ["steady", "flaky"]) await client.register(service, "rates", path);
  const tried = new Set<string>();
  const delivered = new Set<string>();
  let isLost = false;
  receiver.behave(({ id, path, data }) => {
    if (path === "flaky" && !isLost) {
      if (data.number % 7 === 0) return null;
      if (data.number % 2 === 0 && !tried.has(id)) {
        tried.add(id);
        return 503;
      }
    }
    delivered.add(`${path} ${data.number}`);
    return 204;
  });

  const accepted: number[] = [];
  let isRaising = true;
  const raising = (async () => {
    for (let number = 0; isRaising; number += 20) {
      const numbers = Array.from({ length: 20 }, (_, index) => number + index);
      if (await raise(service, token, client.accountId, numbers)) accepted.push(...numbers);
    }
  })();
  await until(() => accepted.length >= 400, "there is load");
  const before = [...accepted];
  const backup = await run(["backup", file, "--json"], { environment: { BOATHOOK_DATA_DIR: first } });
  assert.equal(backup.status, 0, backup.err);
  assert.ok(accepted.length > before.length, "events were accepted during the backup");
  isRaising = false;
  await raising;
  await lose(service, first);
  const due = before.filter((number) => !delivered.has(`flaky ${number}`));
  assert.ok(due.length > 0, "some were due");
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const said = JSON.parse(backup.out);
  assert.deepEqual(said.secrets, ["master.key", "operator.token"]);
  assert.equal(said.bytes, statSync(file).size);
  assert.match(backup.err, /holds the master key: encrypt it/);

  isLost = true;
  const restore = await run(["restore", file], { environment: { BOATHOOK_DATA_DIR: second } });
  assert.equal(restore.status, 0, restore.err);
  assert.match(restore.out, /^Restored /);
  const again = await serve(t, { BOATHOOK_DATA_DIR: second, ...usual });
  assert.equal(operatorToken(second), token);
  const missing = () =>
    before.flatMap((number) =>
      ["steady", "flaky"].map((path) => `${path} ${number}`).filter((one) => !delivered.has(one)),
    );
  await until(() => missing().length === 0, "all that was accepted before is delivered", 45_000);
  assert.deepEqual(receiver.wrong, [], "with the secrets that the clients have");
  assert.ok(await raise(again, token, client.accountId, [-1]), "it takes new events");
  await until(() => delivered.has("steady -1"), "and delivers them");
});

test("a backup leaves a whole file or none: a disk that fills up, Ctrl-C, a name that is taken; what a kill leaves goes with the next", async (t) => {
  const folder = machines.full;
  const backups = outside(t);
  const file = join(backups, "boathook.tar");
  await serve(t, { BOATHOOK_DATA_DIR: folder });
  const settings = { BOATHOOK_DATA_DIR: folder };
  const take = (...options: string[]) => run(["backup", file, ...options], { environment: settings });

  const full = onFullDisk(["backup", file], settings);
  assert.equal(full.status, 1, full.stderr);
  assert.match(full.stderr, /backup .*boathook\.tar cannot be written: EFBIG.*Nothing is left of it\.$/m);
  assert.deepEqual(readdirSync(backups), []);

  const partial = () => readdirSync(backups).some((name) => name.endsWith(".partial"));
  for (const [signal, left] of [
    ["SIGTERM", 0],
    ["SIGKILL", 1],
  ] as const) {
    const ended = start(t, ["backup", file], settings);
    await until(partial, "it is writing");
    ended.signal(signal);
    assert.notEqual(await ended.ended, 0);
    assert.equal(readdirSync(backups).length, left, `${signal}: ${ended.err()}`);
  }
  const whole = await take("--without-keys");
  assert.equal(whole.status, 0, whole.err);
  assert.deepEqual(readdirSync(backups), ["boathook.tar"]);
  assert.match(whole.err, /does not hold the master key/);

  const bytes = readFileSync(file);
  const taken = await take();
  assert.equal(taken.status, 1);
  assert.match(taken.err, /is there already\. Name another file, or say --overwrite/);
  assert.ok(readFileSync(file).equals(bytes));
  const over = await take("--overwrite");
  assert.equal(over.status, 0, over.err);
  assert.ok(!readFileSync(file).equals(bytes));
});

test("a restore that a full disk stops leaves nothing, and one that is killed a folder that nothing starts on: a second one completes it", async (t) => {
  const [from, to] = [machines.stopped, machines.killed];
  const file = join(outside(t), "boathook.tar");
  const backup = await run(["backup", file], { environment: { BOATHOOK_DATA_DIR: from } });
  assert.equal(backup.status, 0, backup.err);
  assert.equal(databasePid(from), null, "a database that it started is stopped");

  const settings = { BOATHOOK_DATA_DIR: to };
  const full = onFullDisk(["restore", file], settings);
  assert.equal(full.status, 1, full.stderr);
  assert.match(full.stderr, /backup .*boathook\.tar cannot be restored: EFBIG.*Nothing is left of it\.$/m);
  assert.deepEqual(readdirSync(to), []);

  const killed = start(t, ["restore", file], settings);
  await until(() => existsSync(join(to, "postgres", "PG_VERSION")), "it writes");
  killed.signal("SIGKILL");
  assert.equal(await killed.ended, null);
  for (const words of [["serve"], ["accounts", "list"], ["backup", `${file}.2`]]) {
    const refused = await run(words, { environment: settings });
    assert.equal(refused.status, 1);
    assert.match(refused.err, /A restore into .* did not end\. Run boathook restore again/);
  }
  const restore = await run(["restore", file], { environment: settings });
  assert.equal(restore.status, 0, restore.err);
  const service = await serve(t, settings);
  await service.stop();

  const twice = await run(["restore", file], { environment: settings });
  assert.equal(twice.status, 1);
  assert.match(twice.err, /data folder .* is not empty .*: move it away first/);
});
