/** The embedded PostgreSQL as tests of itself need it: many folders, and nothing left of them. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";

import {
  startEmbedded,
  type EmbeddedOptions,
  type EmbeddedPostgres,
} from "../../src/store/embedded/embedded.ts";
import { isOurs, readPidFile } from "../../src/store/embedded/postmaster.ts";
import { databaseFolder } from "./database-folder.ts";
import { silentLog } from "./log.ts";
import { realClock } from "./real-clock.ts";

/** What a test has started in this process, to be stopped before its folders go. */
const servers = new WeakMap<TestContext, EmbeddedPostgres[]>();

/** A folder of the test's own, with nothing in it. */
export function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(join(databaseFolder(), "boathook-embedded-"));
  t.after(async () => {
    await stopAll(t, folder);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

let initialized: Promise<string> | null = null;

/**
 * A data folder whose database is made, and stopped or killed: the same for all tests of a file, since
 * making one takes a second.
 */
export async function initializedFolder(t: TestContext): Promise<string> {
  initialized ??= initializeFolder();
  const folder = await initialized;
  t.after(() => stopAll(t, folder));
  return folder;
}

async function initializeFolder(): Promise<string> {
  const folder = mkdtempSync(join(databaseFolder(), "boathook-embedded-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const postgres = await startEmbedded({ dataFolder: folder, clock: realClock, log: silentLog });
  await postgres.stop();
  return folder;
}

/** Stops what the test started, and kills what a process that it killed has left. */
async function stopAll(t: TestContext, folder: string): Promise<void> {
  for (const server of servers.get(t) ?? []) await server.stop();
  const database = join(folder, "postgres");
  const pid = readPidFile(database)?.pid;
  if (pid === undefined || !isOurs(pid, database)) return;
  process.kill(pid, "SIGQUIT");
  await until(() => !isOurs(pid, database), "the server that was left ends");
}

/** Holds the server of the folder until the test stops it, or ends. */
export async function start(
  t: TestContext,
  folder: string,
  options: Partial<EmbeddedOptions> = {},
): Promise<EmbeddedPostgres> {
  const postgres = await startEmbedded({ dataFolder: folder, clock: realClock, log: silentLog, ...options });
  let stopping: ReturnType<EmbeddedPostgres["stop"]> | null = null;
  const server = { ...postgres, stop: () => (stopping ??= postgres.stop()) };
  servers.set(t, [...(servers.get(t) ?? []), server]);
  return server;
}

/** Waits for a real process or file, for a bounded time. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const startedMs = realClock.monotonicMs();
  while (!(await condition())) {
    if (realClock.monotonicMs() - startedMs > UNTIL_MS_MAX)
      throw new Error(`did not happen in time: ${what}`);
    await new Promise<void>((resolve) => realClock.after(5, resolve));
  }
}

const UNTIL_MS_MAX = 30_000;

/** Another process that holds the server of the folder (`embedded-process.ts`). */
export type OtherProcess = {
  readonly child: ChildProcess;
  /** What it says when it holds the server; rejects when it ends before. */
  readonly started: Promise<{ readonly pid: number; readonly adopted: boolean }>;
  /** Ends as if the machine had taken it. */
  kill(): Promise<void>;
};

export function startInOtherProcess(t: TestContext, folder: string): OtherProcess {
  const child = spawn(process.execPath, [join(import.meta.dirname, "embedded-process.ts"), folder], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const started = new Promise<{ pid: number; adopted: boolean }>((resolve, reject) => {
    createInterface(child.stdout).once("line", (line) => resolve(JSON.parse(line)));
    void ended.then(() => reject(new Error("the other process ended")));
  });
  started.catch(() => undefined);
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  t.after(kill);
  return { child, started, kill };
}
