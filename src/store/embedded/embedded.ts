/**
 * A PostgreSQL of Boathook's own, in the data folder.
 *
 *            found running ─────────────┐
 *   start ──┤                           ├──▶ held ──▶ lost ──▶ held again (ensureRunning)
 *            not there ──▶ launched ────┘     │
 *                                             └──▶ stopped, or left to the others that hold it
 *
 * Every process holds the server by a connection of its own with a shared advisory lock. A process that
 * leaves releases the lock and tries for it alone: the one that gets it is the last, and stops the server. A process
 * that dies releases it too. The socket is in the database's folder, which is its user's alone: what answers there is
 * the right server, even in another container.
 */
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { sleep } from "../../runtime/sleep.ts";
import { MINUTE_MS } from "../../runtime/durations.ts";
import type { Clock } from "../../runtime/clock.ts";
import { makeFolder } from "../../runtime/make-folder.ts";
import { thisHost, type Host } from "../../runtime/host.ts";
import type { Log } from "../../runtime/log.ts";
import { StartupError } from "../../runtime/startup-error.ts";
import { findBinaries, type Binaries } from "./binaries.ts";
import { DATABASE_USER, prepareCluster, requireRestored, type Installation } from "./cluster.ts";
import type { ServerLock, ServerLockAttempt, SocketAddress } from "./server-lock.ts";
import { clearStaleLocks, isOurs, launch, readPidFile } from "./postmaster.ts";
import { PORT } from "./settings.ts";
import { accessibleBinaries, postgresUser, programFolders } from "./user.ts";

export type EmbeddedPostgres = {
  /** The same as long as the data folder stays in its place. */
  readonly address: SocketAddress;
  /** PostgreSQL's major version. */
  readonly major: number;
  /** The postmaster; changes when the server is started again. Null while there is none. */
  pid(): number | null;
  /** True when the server was running before us. */
  readonly adopted: boolean;
  /** Finds or starts the server again after it was lost; does nothing while it runs. */
  ensureRunning(): Promise<void>;
  /** Lets go of the server, and stops it when nobody else holds it. */
  stop(): Promise<"stopped" | "left_running">;
};

export type EmbeddedOptions = {
  /** Made when it is not there. */
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Called each time the running server is lost: it crashed, or somebody stopped it. */
  readonly onLost?: (cause: Error) => void;
  readonly host?: Host;
  readonly binaries?: Binaries;
  /** Settings of PostgreSQL that differ from ours; for tests. */
  readonly settings?: Readonly<Record<string, string>>;
};

/** How long a server that is there may leave us without an answer. */
const ANSWER_WAIT_MS_MAX = MINUTE_MS;
const RETRY_EVERY_MS = 20;
/** The longest path of a socket that every system takes, its NUL included (macOS; Linux takes 108). */
const SOCKET_PATH_BYTES_MAX = 104;
const STOP_WAIT_MS_MAX = 30_000;

/** Starts the server of the data folder, or finds it running. Throws `StartupError` when neither can be. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  try {
    return await startOrFind(options);
  } catch (cause) {
    // The disk is full, the folder is read-only, an owner is wrong: the system's own words say which.
    if (!(cause instanceof Error && "syscall" in cause)) throw cause;
    throw new StartupError(
      `The data folder ${options.dataFolder} cannot be used: ${cause.message}. ` +
        "Choose another with BOATHOOK_DATA_DIR, or point BOATHOOK_DATABASE_URL at your own PostgreSQL.",
      { cause },
    );
  }
}

async function startOrFind(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { clock, log } = options;
  requireRestored(options.dataFolder);
  const host = options.host ?? thisHost();
  // PostgreSQL's user has to pass through root's folder; an ordinary user's is his own.
  makeFolder(options.dataFolder, host.uid === 0 ? 0o711 : 0o700);
  const links = join(realpathSync(options.dataFolder), "postgres-libraries");
  const found = options.binaries ?? findBinaries(host, links);
  const folder = join(realpathSync(options.dataFolder), "postgres");
  const user = postgresUser(host, folder);
  const binaries = accessibleBinaries(user, found, programFolders(host), log);
  const installation = { binaries, user, folder, host, settings: options.settings ?? {} };
  const { made } = await prepareCluster(installation);
  const socket = shortPath(folder, host);
  const address = { socketFolder: socket.path, port: PORT, user: DATABASE_USER, database: "postgres" };

  let hold: ServerLock | null = null;
  let starting: Promise<"adopted" | "started"> | null = null;
  const take = async () => {
    const taken = await findOrLaunch(installation, address, clock, log, (cause) => {
      hold = null;
      log.warn({ cause: cause.message }, "the embedded PostgreSQL was lost");
      options.onLost?.(cause);
    });
    hold = taken.hold;
    return taken.how;
  };
  let how: "adopted" | "started";
  try {
    how = await take();
  } catch (cause) {
    socket.remove();
    throw cause;
  }
  log.info({ folder, made, how, pid: readPidFile(folder)?.pid }, "the embedded PostgreSQL runs");

  return {
    address,
    major: binaries.major,
    adopted: how === "adopted",
    pid: () => readPidFile(folder)?.pid ?? null,
    async ensureRunning() {
      if (hold !== null) return;
      starting ??= take().finally(() => {
        starting = null;
      });
      await starting;
    },
    async stop() {
      await starting?.catch(() => undefined);
      hold ??= await reacquireServerLock(address, clock);
      const last = (await hold?.release()) === "last";
      const stopped = last && (await stopServer(folder, clock, log));
      await hold?.close();
      hold = null;
      socket.remove();
      return stopped ? "stopped" : "left_running";
    },
  };
}

/** Repeats until the server is held, whichever process started it. */
async function findOrLaunch(
  installation: Installation,
  address: SocketAddress,
  clock: Clock,
  log: Log,
  onLost: (cause: Error) => void,
): Promise<{ readonly hold: ServerLock; readonly how: "adopted" | "started" }> {
  const { folder } = installation;
  let sinceMs = clock.monotonicMs();
  let how: "adopted" | "started" = "adopted";
  for (;;) {
    const held = await tryServerLock(address, onLost);
    if (held.kind === "acquired") return { hold: held.hold, how };
    if (held.kind === "transitioning") sinceMs = clock.monotonicMs();
    if (held.kind === "not_running") {
      clearStaleLocks(folder);
      if ((await launch(installation, clock, log)) === "ready") {
        how = "started";
        continue;
      }
    }
    if (clock.monotonicMs() - sinceMs > ANSWER_WAIT_MS_MAX) {
      const pid = readPidFile(folder)?.pid;
      throw new StartupError(
        `The PostgreSQL in ${folder} (process ${pid ?? "unknown"}) is there and does not answer: ` +
          `${held.cause.message}. Its messages are in ${join(folder, "..", "postgres.log")}.`,
        { cause: held.cause },
      );
    }
    await sleep(clock, RETRY_EVERY_MS);
  }
}

/** Without a socket there is no server: the driver loads while one starts. */
async function tryServerLock(
  address: SocketAddress,
  onLost: (cause: Error) => void,
): Promise<ServerLockAttempt> {
  const socket = join(address.socketFolder, `.s.PGSQL.${PORT}`);
  if (!existsSync(socket)) return { kind: "not_running", cause: new Error(`${socket} is not there`) };
  const { acquireServerLock } = await import("./server-lock.ts");
  return acquireServerLock(address, onLost);
}

/** A share in a server that was just lost and may be there again; null when it is not. */
async function reacquireServerLock(address: SocketAddress, clock: Clock): Promise<ServerLock | null> {
  const startedMs = clock.monotonicMs();
  while (clock.monotonicMs() - startedMs < STOP_WAIT_MS_MAX) {
    const held = await tryServerLock(address, () => undefined);
    if (held.kind === "acquired") return held.hold;
    if (held.kind !== "transitioning") return null;
    await sleep(clock, RETRY_EVERY_MS);
  }
  return null;
}

async function stopServer(folder: string, clock: Clock, log: Log): Promise<boolean> {
  const pid = readPidFile(folder)?.pid;
  if (pid === undefined) return true;
  if (!isOurs(pid, folder)) {
    log.warn({ pid, folder }, "the embedded PostgreSQL is not a process of this machine; it is left running");
    return false;
  }
  // Fast: open sessions are ended and everything is written out. Immediate when that takes too long:
  // the next start recovers.
  for (const signal of ["SIGINT", "SIGQUIT"] as const) {
    try {
      process.kill(pid, signal);
    } catch (cause) {
      log.debug({ pid, signal, cause }, "the embedded PostgreSQL ended by itself");
    }
    const deadlineMs = clock.monotonicMs() + STOP_WAIT_MS_MAX;
    while (clock.monotonicMs() < deadlineMs) {
      // Its file goes before it does; and of a dead process that nobody fetches only the number is left.
      if (readPidFile(folder)?.pid !== pid && !isOurs(pid, folder)) return true;
      await sleep(clock, 2);
    }
  }
  log.warn({ pid }, "the embedded PostgreSQL does not stop; it is left running");
  return false;
}

/** The folder by a path that is short enough for a socket in it. */
function shortPath(folder: string, host: Host): { readonly path: string; remove(): void } {
  if (Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) < SOCKET_PATH_BYTES_MAX) {
    return { path: folder, remove: () => undefined };
  }
  const parent = mkdtempSync(join(host.temporaryFolder, "boathook-"));
  const path = join(parent, "db");
  symlinkSync(folder, path);
  return {
    path,
    remove() {
      if (existsSync(parent)) rmSync(parent, { recursive: true });
    },
  };
}
