import assert from "node:assert/strict";
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { isAlive } from "../../src/store/embedded/cluster.ts";
import type { EmbeddedPostgres } from "../../src/store/embedded/embedded.ts";
import { query } from "../support/database.ts";
import { emptyFolder, initializedFolder, start, until } from "../support/embedded.ts";

async function setting(postgres: EmbeddedPostgres, name: string): Promise<string> {
  return (await query(postgres.address, "select current_setting($1) as value", [name])).rows[0].value;
}

test("what was deleted becomes a new durable database that nobody else can reach", async (t) => {
  const folder = await initializedFolder(t);
  rmSync(join(folder, "postgres"), { recursive: true });
  const postgres = await start(t, folder);
  assert.equal(postgres.adopted, false);
  for (const [name, value] of Object.entries({
    ...{ fsync: "on", synchronous_commit: "on", full_page_writes: "on", data_checksums: "on" },
    ...{ listen_addresses: "", server_encoding: "UTF8", timezone: "UTC" },
  }))
    assert.equal(await setting(postgres, name), value, name);
  assert.equal(statSync(postgres.address.socketFolder).mode & 0o777, 0o700);
});

test("only processes of root and of its own user are admitted, and nobody over TCP", async (t) => {
  const folder = await initializedFolder(t);
  // As initdb wrote it in folders that older versions made.
  writeFileSync(
    join(folder, "postgres", "pg_hba.conf"),
    "local all all trust\nhost all all 127.0.0.1/32 trust\n",
  );
  const file = join(folder, "postgres", "postgresql.conf");
  const text = readFileSync(file, "utf8");
  t.after(() => writeFileSync(file, text));
  // Of loopback, and no other server's.
  const host = `127.77.${process.pid % 250}.7`;
  appendFileSync(file, `listen_addresses = '${host}'\nmax_connections = 33\n`);
  const postgres = await start(t, folder);
  const { address } = postgres;
  assert.equal(
    await setting(postgres, "max_connections"),
    "33",
    "what stands below the include wins over ours",
  );
  const { rows } = await query(address, "select distinct type, auth_method from pg_hba_file_rules");
  assert.deepEqual(rows, [{ type: "local", auth_method: "peer" }]);
  await assert.rejects(query({ url: `postgres://boathook@${host}:5432/postgres` }, "select 1"), {
    message: /no pg_hba.conf entry/,
  });
});

test("the first of two users leaves the server running, the last stops it, and what was written is there at the next start", async (t) => {
  const folder = await initializedFolder(t);
  const first = await start(t, folder);
  const second = await start(t, folder);
  assert.deepEqual([second.adopted, second.pid()], [true, first.pid()]);
  assert.equal(await first.stop(), "left_running");
  await query(second.address, "drop table if exists kept; create table kept as select 7 as number");
  const pid = second.pid()!;
  assert.equal(await second.stop(), "stopped");
  assert.equal(second.pid(), null);
  await until(() => !isAlive(pid), "the server's process ends");
  const third = await start(t, folder);
  assert.equal(third.adopted, false);
  assert.deepEqual((await query(third.address, "select number from kept")).rows, [{ number: 7 }]);
});

test("of two users who stop at once exactly one stops the server", async (t) => {
  const folder = await initializedFolder(t);
  const users = [await start(t, folder), await start(t, folder)];
  const ends = await Promise.all(users.map((user) => user.stop()));
  assert.deepEqual(ends.toSorted(), ["left_running", "stopped"]);
});

test("a start while the server stops ends with a running server", async (t) => {
  const folder = await initializedFolder(t);
  const first = await start(t, folder);
  const [, second] = await Promise.all([first.stop(), start(t, folder)]);
  assert.deepEqual((await query(second.address, "select 1 as one")).rows, [{ one: 1 }]);
});

test("a folder whose path is too long for a socket still works", async (t) => {
  const home = join(await initializedFolder(t), "postgres");
  const folder = join(emptyFolder(t), "d".repeat(60), "e".repeat(60));
  mkdirSync(folder, { recursive: true });
  renameSync(home, join(folder, "postgres"));
  const postgres = await start(t, folder);
  assert.deepEqual((await query(postgres.address, "select 1 as one")).rows, [{ one: 1 }]);
  assert.equal(await postgres.stop(), "stopped");
  renameSync(join(folder, "postgres"), home);
});
