/** A PostgreSQL of a test's own, with the settings that users get: furnished, started, and gone with the test. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { TestContext } from "node:test";

import { DATABASE_USER } from "../../src/store/embedded/cluster.ts";
import { startEmbedded, type EmbeddedPostgres } from "../../src/store/embedded/embedded.ts";
import type { SocketAddress } from "../../src/store/embedded/server-lock.ts";
import { isOurs, readPidFile } from "../../src/store/embedded/postmaster.ts";
import { PORT } from "../../src/store/embedded/settings.ts";
import { openStore, type Store } from "../../src/store/open.ts";
import { silentLog } from "../support/log.ts";
import { realClock } from "../support/real-clock.ts";
import { atEnd } from "./endings.ts";
import { until } from "./until.ts";

/** Makes the database of a data folder and puts into it what the test needs; nothing runs afterwards. */
export async function furnish(
  t: TestContext,
  dataFolder: string,
  put: (store: Store) => Promise<void>,
): Promise<void> {
  killLeftDatabase(t, dataFolder);
  const store = await openStore({
    databaseUrl: null,
    dataFolder,
    cells: 1,
    connectionsMax: 2,
    connectTimeoutMs: 5_000,
    clock: realClock,
    log: silentLog,
  });
  try {
    await put(store);
  } finally {
    await store.close();
  }
}

/** The database in an embedded PostgreSQL's folder. */
export function addressOf(folder: string): SocketAddress {
  return { socketFolder: folder, port: PORT, user: DATABASE_USER, database: "postgres" };
}

/** The same address as a URL, for services that use it as an external database. */
function urlOf({ socketFolder, port, user, database }: SocketAddress): string {
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(socketFolder)}`;
}

/** Starts what `furnish` has furnished, as somebody's external database. */
export async function startDatabase(
  dataFolder: string,
  onLost: () => void = () => undefined,
): Promise<{ readonly postgres: EmbeddedPostgres; readonly databaseUrl: string }> {
  const postgres = await startEmbedded({ dataFolder, clock: realClock, log: silentLog, onLost });
  return { postgres, databaseUrl: urlOf(postgres.address) };
}

/** The server and all its processes. */
export function processesOf(pid: number): number[] {
  return execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([one, parent]) => (one === pid || parent === pid ? [one!] : []));
}

/** Freezes the server with all its processes; returns what wakes them. */
export function freeze(pid: number): () => void {
  const all = processesOf(pid);
  for (const one of all) process.kill(one, "SIGSTOP");
  return () => {
    for (const one of all) {
      try {
        process.kill(one, "SIGCONT");
      } catch (cause) {
        // A session may have ended since.
        if ((cause as NodeJS.ErrnoException).code !== "ESRCH") throw cause;
      }
    }
  };
}

/** Ends what a test that failed left running in its data folder. */
export function killLeftDatabase(t: TestContext, dataFolder: string): void {
  const folder = join(dataFolder, "postgres");
  atEnd(t, async () => {
    const pid = readPidFile(folder)?.pid;
    if (pid === undefined || !isOurs(pid, folder)) return;
    process.kill(pid, "SIGQUIT");
    await until(() => !isOurs(pid, folder), "the server that was left ends");
  });
}
