/** `boathook backup` and `restore` where they have nothing to do. That they do it: test/service/backup.faults.ts. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { takeBackup } from "../../src/store/backup/take-backup.ts";
import { insertCell } from "../../src/store/homes/cells.ts";
import { createTestDatabase, query } from "../support/database.ts";
import { run } from "./run.ts";

test("backup and restore name the tools for another server, and backup refuses a folder without a store", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "boathook-backup-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "boathook.tar");
  for (const words of [
    ["backup", file],
    ["restore", file],
  ]) {
    const environment = { BOATHOOK_DATABASE_URL: "postgres://u@127.0.0.1:1/x", BOATHOOK_DATA_DIR: folder };
    const { status, out, err } = await run(words, { environment });
    assert.deepEqual([status, out], [1, ""]);
    assert.match(err, /for the embedded PostgreSQL.*pg_dump.*Keep BOATHOOK_MASTER_KEY apart/s);
  }
  const environment = { BOATHOOK_DATA_DIR: folder };
  const none = await run(["backup", file], { environment });
  assert.match(none.err, /^There is no Boathook in/);
  const absent = await run(["restore", file], { environment });
  assert.equal(absent.status, 1);
  assert.match(absent.err, /boathook\.tar cannot be restored: ENOENT/);
  assert.deepEqual(readdirSync(folder), []);
});

test("a backup that would lack cells is refused", async (t) => {
  const { database, cells, address, drop } = await createTestDatabase({ cells: 2 });
  t.after(drop);
  await insertCell(database, cells[0]!, { number: 99, open: false }, new Date(0));
  await query(address, "update boathook.cells set server = 'east' where number = 99");
  assert.ok("socketFolder" in address);
  const [folder, signal] = [tmpdir(), new AbortController().signal];
  const backup = takeBackup(address, {
    ...{ file: join(folder, "never.tar"), overwrite: false, dataFolder: folder, secretFiles: [], signal },
    ...{ made: { boathook: "0.1.0", postgresql: 18, platform: "linux-x64" }, atMs: 0, pid: process.pid },
  });
  await assert.rejects(backup, /Cells live on east, and a backup cannot hold them/);
});
