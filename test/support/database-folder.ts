/**
 * Where the databases of tests lie: in memory, where the system keeps a folder there and it has room. A database is
 * some 400 files; a file system on a disk takes up to a millisecond of processor time to make one of them, and a run
 * makes hundreds of databases.
 */
import { chmodSync, constants, accessSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { isAlive } from "../../src/store/embedded/cluster.ts";

/** Tells the processes of a run where its databases lie; set it to put them elsewhere. */
const FOLDER_VARIABLE = "BOATHOOK_TEST_FOLDER";
const MEMORY = "/dev/shm";
/** A run takes half of this at most. */
const MEMORY_BYTES_MIN = 2 * 1024 ** 3;

/** The folder to make data folders in. */
export function databaseFolder(): string {
  return process.env[FOLDER_VARIABLE] ?? tmpdir();
}

/** Makes this process and its children use memory until `remove`. Changes nothing if there is no memory folder. */
export function useMemoryFolder(): { remove(): void } {
  if (process.env[FOLDER_VARIABLE] !== undefined || !hasMemory()) return { remove: () => undefined };
  const prefix = `boathook-test-${process.getuid?.() ?? 0}-`;
  removeLeftovers(prefix);
  const folder = mkdtempSync(join(MEMORY, `${prefix}${process.pid}-`));
  // PostgreSQL may run as another user, who has to pass through.
  chmodSync(folder, 0o711);
  process.env[FOLDER_VARIABLE] = folder;
  return {
    remove() {
      delete process.env[FOLDER_VARIABLE];
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function hasMemory(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= MEMORY_BYTES_MIN;
  } catch {
    return false;
  }
}

/** Removes what runs that were killed left. A server whose folder is gone ends by itself. */
function removeLeftovers(prefix: string): void {
  for (const name of readdirSync(MEMORY)) {
    if (!name.startsWith(prefix) || isAlive(Number(name.slice(prefix.length).split("-")[0]))) continue;
    rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}
