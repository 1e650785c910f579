import assert from "node:assert/strict";
import { test } from "node:test";

import { openStore, type StoreOptions } from "../../src/store/open.ts";
import { StartupError } from "../../src/runtime/startup-error.ts";
import { createEmptyDatabase, query } from "../support/database.ts";
import { emptyFolder, initializedFolder, until } from "../support/embedded.ts";
import { recordingLog, silentLog } from "../support/log.ts";
import { realClock } from "../support/real-clock.ts";

const options: Omit<StoreOptions, "dataFolder"> = {
  databaseUrl: null,
  cells: 1,
  connectionsMax: 4,
  connectTimeoutMs: 5_000,
  clock: realClock,
  log: silentLog,
};

const one = { name: "one", text: "select 1 as one" };

test("the store opens on the embedded server, migrated, and stops it when it closes", async (t) => {
  const store = await openStore({ ...options, dataFolder: await initializedFolder(t) });
  assert.deepEqual(await store.database.rows(one, []), [{ one: 1 }]);
  const { rows } = await query(store.address, "select to_regclass($1) is not null as there", [
    `${store.cells[0].schema}.deliveries`,
  ]);
  assert.equal(rows[0].there, true);
  await store.close();
  assert.equal(store.embedded!.pid(), null);
});

test("two stores of one folder share its server, and the last closes it", async (t) => {
  const dataFolder = await initializedFolder(t);
  const [first, second] = await Promise.all([
    openStore({ ...options, dataFolder }),
    openStore({ ...options, dataFolder }),
  ]);
  assert.equal(first.embedded!.pid(), second.embedded!.pid());
  await first.close();
  assert.deepEqual(await second.database.rows(one, []), [{ one: 1 }]);
  await second.close();
  assert.equal(second.embedded!.pid(), null);
});

test("the embedded server is started again when it dies, and the pool finds it at the same address", async (t) => {
  const log = recordingLog();
  const store = await openStore({ ...options, log, dataFolder: await initializedFolder(t) });
  t.after(store.close);
  const before = store.embedded!.pid()!;
  process.kill(before, "SIGKILL");
  await until(() => log.lines.some(({ message }) => message.includes("was lost")), "the loss is noticed");
  await store.embedded!.ensureRunning();
  assert.notEqual(store.embedded!.pid(), before);
  // A connection of the pool that died with the server may be met once.
  const rows = await store.database.rows(one, []).catch(() => store.database.rows(one, []));
  assert.deepEqual(rows, [{ one: 1 }]);
});

test("a store that cannot be migrated leaves no server behind", async (t) => {
  const dataFolder = emptyFolder(t);
  const store = await openStore({ ...options, dataFolder });
  await query(
    store.address,
    "insert into boathook.migrations (name, run_on) values ('999_later', '2030-01-01')",
  );
  await store.close();
  await assert.rejects(openStore({ ...options, dataFolder }), StartupError);
  assert.equal(store.embedded!.pid(), null);
});

test("an external server takes the place of the embedded one", async (t) => {
  const { address, drop } = await createEmptyDatabase();
  t.after(drop);
  // The driver takes a socket's folder in a URL as well: ?host=.
  const databaseUrl = "url" in address ? address.url : socketUrl(address);
  const store = await openStore({ ...options, databaseUrl, dataFolder: "/nonexistent/never-made" });
  assert.equal(store.embedded, null);
  assert.deepEqual(await store.database.rows(one, []), [{ one: 1 }]);
  await store.close();
});

function socketUrl(address: { socketFolder: string; port: number; user: string; database: string }): string {
  const { socketFolder, port, user, database } = address;
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(socketFolder)}`;
}
