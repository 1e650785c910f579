/** The process at the head of PostgreSQL: started, found by its `postmaster.pid`, and stopped. */
import { spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

import { sleep } from "../../runtime/sleep.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import { StartupError } from "../../runtime/startup-error.ts";
import { environmentOf, isAlive, pathFor, writeSettings, type Installation } from "./cluster.ts";
import { PORT } from "./settings.ts";

/**
 * How a launch ended. `lost_race`: another start of the same moment was first. `old_processes`: processes
 * of a postmaster that was killed have not ended yet.
 */
export type LaunchResult = "ready" | "lost_race" | "old_processes";

/** How often the launch looks whether PostgreSQL is ready. */
const CHECK_EVERY_MS = 4;
/** How often a long recovery is mentioned. */
const LOG_EVERY_MS = 10_000;
const LOG_BYTES_MAX = 5_000_000;

/**
 * Starts PostgreSQL and waits until it takes statements, as long as recovering takes. The process leads
 * a session of its own, so that a Ctrl-C meant for us does not reach it, and it outlives us.
 */
export async function launch(installation: Installation, clock: Clock, log: Log): Promise<LaunchResult> {
  const { binaries, user, folder } = installation;
  writeSettings(installation);
  const logFile = join(dirname(folder), "postgres.log");
  if (existsSync(logFile) && statSync(logFile).size > LOG_BYTES_MAX) renameSync(logFile, `${logFile}.1`);
  const output = openSync(logFile, "a", 0o600);
  const before = statSync(logFile).size;
  let ended: { readonly cause: Error | null } | null = null;
  // Our own setting only names the folder, for a list of processes (isOurs).
  const child = spawn(
    join(binaries.folder, "bin", "postgres"),
    ["-D", pathFor(user, folder), "-c", `boathook.folder=${folder}`],
    { ...user, cwd: folder, env: environmentOf(binaries), detached: true, stdio: ["ignore", output, output] },
  );
  closeSync(output);
  child.on("exit", () => (ended ??= { cause: null }));
  child.on("error", (cause) => (ended ??= { cause }));
  child.unref();

  const startedMs = clock.monotonicMs();
  let mentionedMs = startedMs;
  for (;;) {
    if (ended !== null)
      return explainEnd(ended, readFileSync(logFile).subarray(before).toString(), installation);
    const file = readPidFile(folder);
    if (file?.pid === child.pid && file?.ready === true) return "ready";
    if (clock.monotonicMs() - mentionedMs > LOG_EVERY_MS) {
      mentionedMs = clock.monotonicMs();
      log.info(
        { forMs: mentionedMs - startedMs },
        "the embedded PostgreSQL is still starting; it may be recovering",
      );
    }
    await sleep(clock, CHECK_EVERY_MS);
  }
}

function explainEnd(
  ended: { readonly cause: Error | null },
  said: string,
  { folder, binaries }: Installation,
): LaunchResult {
  if (ended.cause !== null) {
    throw new StartupError(`PostgreSQL cannot be started from ${binaries.folder}: ${ended.cause.message}`, {
      cause: ended.cause,
    });
  }
  const isLocked = said.includes('" already exists') || said.includes('" is empty');
  if (isLocked && said.includes('lock file "')) return "lost_race";
  if (said.includes("pre-existing shared memory block")) return "old_processes";
  throw new StartupError(`PostgreSQL does not start in ${folder}: it said\n${said.trim().slice(-2000)}`);
}

/** `postmaster.pid` of a database's folder; null when there is none, or it is still being written. */
export function readPidFile(folder: string): { readonly pid: number; readonly ready: boolean } | null {
  return readLock(join(folder, PID_FILE));
}

const PID_FILE = "postmaster.pid";
const LOCK_FILES = [PID_FILE, `.s.PGSQL.${PORT}.lock`];

/** Both of PostgreSQL's lock files begin with the number of the process; the first ends with its state. */
function readLock(file: string): { readonly pid: number; readonly ready: boolean } | null {
  let lines: string[];
  try {
    lines = readFileSync(file, "utf8").split("\n");
  } catch {
    return null;
  }
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return { pid, ready: lines[7]?.trim() === "ready" };
}

/**
 * Removes PostgreSQL's lock files when the process that they name is no postmaster of this folder: the
 * machine or the container was started again and has given the number to another, or the process is dead
 * and nobody has fetched it. PostgreSQL itself only sees that the number is taken. What a dead postmaster
 * may have left in shared memory it still finds, by the folder's inode.
 */
export function clearStaleLocks(folder: string): void {
  for (const name of LOCK_FILES) {
    const file = join(folder, name);
    const lock = readLock(file);
    if (lock === null || !isAlive(lock.pid) || isOurs(lock.pid, folder)) continue;
    if (readLock(file)?.pid === lock.pid) rmSync(file, { force: true });
  }
}

/** Whether a process of this machine is the postmaster of this folder. */
export function isOurs(pid: number, folder: string): boolean {
  return commandLine(pid).includes(`boathook.folder=${folder}`);
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return spawnSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" }).stdout ?? "";
  }
}
