/**
 * A migrated database to put into a data folder that is to be a process's own: making one takes a second or two,
 * copying it a tenth. The run of the tests makes it once (`global-setup.ts`), and it stays for the next runs. Another
 * checkout with other migrations has its own, also while both run.
 */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { DAY_MS } from "../../src/runtime/durations.ts";
import { products } from "../../src/products/index.ts";
import { openStore } from "../../src/store/open.ts";
import { silentLog } from "./log.ts";
import { realClock } from "./real-clock.ts";
import { migrationsHash } from "./test-server.ts";

const cacheFolder = join(tmpdir(), `boathook-test-${process.getuid?.() ?? 0}-made`);

function preparedFolder(): string {
  return join(cacheFolder, migrationsHash());
}

/** Makes the database, with one cell, unless it is there. */
export async function prepareDatabase(): Promise<void> {
  const now = new Date(realClock.nowMs());
  if (existsSync(preparedFolder())) return utimesSync(preparedFolder(), now, now);
  mkdirSync(cacheFolder, { recursive: true, mode: 0o711 });
  const draft = mkdtempSync(join(cacheFolder, "draft-"));
  try {
    const store = await openStore({
      databaseUrl: null,
      dataFolder: draft,
      cells: 1,
      products,
      connectionsMax: 1,
      connectTimeoutMs: 10_000,
      clock: realClock,
      log: silentLog,
    });
    // What the system has been given it keeps, whichever process is killed: only a machine that fails would lose it.
    await store.database.rows({ name: "test_fsync", text: "alter system set fsync = off" }, []);
    await store.close();
    for (const name of readdirSync(cacheFolder)) {
      const folder = join(cacheFolder, name);
      const usedAtMs = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (now.getTime() - usedAtMs > DAY_MS) rmSync(folder, { recursive: true, force: true });
    }
    renameSync(draft, preparedFolder());
  } catch (cause) {
    // Another process was as quick.
    if (!existsSync(preparedFolder())) throw cause;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Where it is not to be had, the folder stays empty, and its first start makes a database. */
export function copyPreparedDatabase(dataFolder: string): void {
  const folder = join(dataFolder, "postgres");
  // With its owner, who is not root's.
  const { status } = spawnSync("cp", ["-Rp", join(preparedFolder(), "postgres"), folder], {
    stdio: "ignore",
  });
  if (status !== 0) rmSync(folder, { recursive: true, force: true });
}
