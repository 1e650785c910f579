import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import pg from "pg";

import { connectionConfig } from "../../src/store/database.ts";
import { isAlive } from "../../src/store/embedded/cluster.ts";
import { query } from "../support/database.ts";
import { emptyFolder, initializedFolder, start, startInOtherProcess, until } from "../support/embedded.ts";

test("a server whose process is killed is reported, and starts again with all that was committed", async (t) => {
  const lost: Error[] = [];
  const postgres = await start(t, await initializedFolder(t), { onLost: (cause) => lost.push(cause) });
  await query(postgres.address, "drop table if exists kept; create table kept as select 7 as number");
  const pid = postgres.pid()!;
  process.kill(pid, "SIGKILL");
  await until(() => lost.length > 0, "the loss is reported");
  await postgres.ensureRunning();
  assert.notEqual(postgres.pid(), pid);
  assert.deepEqual((await query(postgres.address, "select number from kept")).rows, [{ number: 7 }]);
  assert.equal(lost.length, 1);
  assert.equal(await postgres.stop(), "stopped");
});

test("a server that loses one of its processes recovers by itself and is held again", async (t) => {
  const lost: Error[] = [];
  const postgres = await start(t, await initializedFolder(t), { onLost: (cause) => lost.push(cause) });
  const victim = new pg.Client(connectionConfig(postgres.address));
  victim.on("error", () => undefined);
  await victim.connect();
  const { rows } = await victim.query<{ pid: number }>("select pg_backend_pid() as pid");
  const pid = postgres.pid();
  process.kill(rows[0]!.pid, "SIGKILL");
  await until(() => lost.length > 0, "the loss is reported");
  await Promise.all([postgres.ensureRunning(), postgres.ensureRunning()]);
  assert.equal(postgres.pid(), pid);
  assert.equal(await postgres.stop(), "stopped");
});

test("a server that outlived its owner is found again and belongs to the next", async (t) => {
  const folder = await initializedFolder(t);
  const owner = startInOtherProcess(t, folder);
  const { pid, adopted } = await owner.started;
  assert.equal(adopted, false);
  await owner.kill();
  const next = await start(t, folder);
  assert.deepEqual([next.adopted, next.pid()], [true, pid]);
  assert.equal(await next.stop(), "stopped");
  await until(() => !isAlive(pid), "the adopted server ends");
});

test("an owner and a server that are killed together leave a folder that starts", async (t) => {
  const folder = await initializedFolder(t);
  const owner = startInOtherProcess(t, folder);
  const { pid } = await owner.started;
  process.kill(pid, "SIGKILL");
  await owner.kill();
  const next = await start(t, folder);
  assert.equal(next.adopted, false);
  assert.deepEqual((await query(next.address, "select 1 as one")).rows, [{ one: 1 }]);
});

test("a server that runs on for a killed owner is left to the others who hold it", async (t) => {
  const folder = await initializedFolder(t);
  const owner = startInOtherProcess(t, folder);
  await owner.started;
  const other = startInOtherProcess(t, folder);
  assert.equal((await other.started).adopted, true);
  await owner.kill();
  const mine = await start(t, folder);
  assert.equal(await mine.stop(), "left_running");
});

test("two processes that start at once on a new folder share one server", async (t) => {
  const folder = emptyFolder(t);
  const processes = [1, 2].map(() => startInOtherProcess(t, folder));
  const started = await Promise.all(processes.map((process) => process.started));
  assert.equal(new Set(started.map(({ pid }) => pid)).size, 1);
  assert.equal(started.filter(({ adopted }) => !adopted).length, 1);
  assert.deepEqual(readdirSync(folder).toSorted(), ["postgres", "postgres.log"]);
});

test("four processes that start at once after a crash share one server", async (t) => {
  const folder = await initializedFolder(t);
  const first = startInOtherProcess(t, folder);
  process.kill((await first.started).pid, "SIGKILL");
  await first.kill();
  const processes = [1, 2, 3, 4].map(() => startInOtherProcess(t, folder));
  const started = await Promise.all(processes.map((process) => process.started));
  assert.equal(new Set(started.map(({ pid }) => pid)).size, 1);
});

test("a start that was killed while it made the database leaves nothing in the way", async (t) => {
  const folder = emptyFolder(t);
  const killed = startInOtherProcess(t, folder);
  const drafts = () => readdirSync(folder).filter((name) => name.startsWith("postgres-new-"));
  await until(
    () => drafts().some((name) => existsSync(join(folder, name, "base"))),
    "the database is half made",
  );
  await killed.kill();
  assert.equal(existsSync(join(folder, "postgres")), false);
  const postgres = await start(t, folder);
  assert.deepEqual((await query(postgres.address, "select 1 as one")).rows, [{ one: 1 }]);
  // The initdb that the killed one had started may write a little longer: a later start clears it away.
  for (let starts = 0; starts < 50 && drafts().length > 0; starts++) await (await start(t, folder)).stop();
  assert.deepEqual(drafts(), []);
});

test("lock files whose number has gone to another process are no obstacle", async (t) => {
  const folder = await initializedFolder(t);
  const first = await start(t, folder);
  const files = ["postmaster.pid", ".s.PGSQL.5432.lock"].map((name) => join(folder, "postgres", name));
  const left = files.map((file) => readFileSync(file, "utf8"));
  await first.stop();
  // Of the user that PostgreSQL runs as, or PostgreSQL would see for itself that it is none of it.
  const { uid, gid } = statSync(join(folder, "postgres"));
  const stranger = spawn("sleep", ["60"], process.getuid?.() === 0 ? { uid, gid } : {});
  t.after(() => stranger.kill());
  files.forEach((file, i) => writeFileSync(file, left[i]!.replace(/^\d+/, String(stranger.pid))));
  const second = await start(t, folder);
  assert.deepEqual((await query(second.address, "select 1 as one")).rows, [{ one: 1 }]);
  assert.notEqual(second.pid(), stranger.pid);
});

test("processes that outlive a killed server are waited for, and the next start recovers", async (t) => {
  const folder = await initializedFolder(t);
  const first = await start(t, folder);
  const client = new pg.Client(connectionConfig(first.address));
  client.on("error", () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const backend = rows[0]!.pid;
  process.kill(backend, "SIGSTOP");
  process.kill(first.pid()!, "SIGKILL");
  let started = false;
  const starting = start(t, folder).then((postgres) => {
    started = true;
    return postgres;
  });
  await until(
    () => readFileSync(join(folder, "postgres.log"), "utf8").includes("pre-existing shared memory block"),
    "PostgreSQL sees the process that is left",
  );
  assert.equal(started, false);
  process.kill(backend, "SIGCONT");
  assert.deepEqual((await query((await starting).address, "select 1 as one")).rows, [{ one: 1 }]);
});
