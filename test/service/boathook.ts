/** `boathook` as its users run it: a process of its own, from `bin/`, controlled by signals and over HTTP. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, type TestContext } from "node:test";

import { isOurs, readPidFile } from "../../src/store/embedded/postmaster.ts";
import { databaseFolder } from "../support/database-folder.ts";
import { copyPreparedDatabase } from "../support/prepared-database.ts";
import { realClock } from "../support/real-clock.ts";

const PROGRAM = join(import.meta.dirname, "..", "..", "bin", "boathook.js");

/** For every service that a test starts: a killed node is found in a second, not in five to ten. */
export const QUICK_HEARTBEATS = {
  NODE_OPTIONS: `--import=${import.meta.resolve("../support/quick-heartbeats.ts")}`,
};

export type Settings = Readonly<Record<string, string>>;

export type BoathookProcess = {
  readonly pid: number;
  /** What it has written so far. */
  readonly out: () => string;
  readonly err: () => string;
  signal(signal: NodeJS.Signals): void;
  /** The exit status; null when a signal ended it. */
  readonly ended: Promise<number | null>;
};

/** Starts a command; whatever the test leaves running is killed at its end. */
export function start(
  t: Pick<TestContext, "after">,
  words: readonly string[],
  settings: Settings = {},
): BoathookProcess {
  const environment = Object.entries(process.env).filter(([name]) => !name.startsWith("BOATHOOK_"));
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    // One process, however many cores: a test of workers names them.
    env: { ...Object.fromEntries(environment), BOATHOOK_WORKERS: "1", ...QUICK_HEARTBEATS, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => void (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => void (err += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  t.after(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return {
    pid: child.pid!,
    out: () => out,
    err: () => err,
    signal: (signal) => void child.kill(signal),
    ended,
  };
}

export type Addresses = { readonly publicUrl: string; readonly opsUrl: string };

export type Serving = BoathookProcess & Addresses;

export type Served = Serving & {
  /** SIGTERM; throws unless it ends well. */
  stop(): Promise<void>;
};

/** Starts `serve` on free ports and waits until it listens. */
export async function serve(t: Pick<TestContext, "after">, settings: Settings): Promise<Served> {
  const served = start(t, ["serve"], {
    BOATHOOK_LISTEN: "127.0.0.1:0",
    BOATHOOK_OPS_LISTEN: "127.0.0.1:0",
    ...settings,
  });
  let status: number | null | undefined;
  void served.ended.then((ended) => (status = ended));
  await until(() => served.out().includes("\n") || status !== undefined, "the service listens");
  if (status !== undefined) throw new Error(`serve ended with ${status}:\n${served.err()}`);
  const said = JSON.parse(served.out()) as { public: string; ops: string };
  return {
    ...served,
    publicUrl: said.public,
    opsUrl: said.ops,
    async stop() {
      served.signal("SIGTERM");
      assert.equal(await served.ended, 0, served.err());
    },
  };
}

/**
 * A data folder for all tests of a file, empty or with a database. What is left of the database is ended with the
 * file.
 */
export function makeDataFolder({ withDatabase = false } = {}): string {
  const folder = mkdtempSync(join(databaseFolder(), "boathook-service-"));
  if (withDatabase) copyPreparedDatabase(folder);
  after(async () => {
    const database = join(folder, "postgres");
    const pid = readPidFile(database)?.pid;
    if (pid !== undefined && isOurs(pid, database)) {
      process.kill(pid, "SIGQUIT");
      await until(() => !isOurs(pid, database), "the database that was left ends");
    }
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** The process of the embedded database, null when there is none. */
export function databasePid(folder: string): number | null {
  const database = join(folder, "postgres");
  const pid = readPidFile(database)?.pid;
  return pid !== undefined && isOurs(pid, database) ? pid : null;
}

export function operatorToken(folder: string): string {
  return readFileSync(join(folder, "operator.token"), "utf8").trim();
}

export type Answered = {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- what is wrong with it, the assertions say
  readonly body: any;
};

export async function ask(
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  url: string,
  token: string,
  body?: object,
  waitMsMax = WAIT_MS_MAX,
): Promise<Answered> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    signal: AbortSignal.timeout(waitMsMax),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  return { status: response.status, body: isJson ? JSON.parse(text) : text };
}

/** Of what hangs: a busy machine takes long, and a test ends after five minutes. */
const WAIT_MS_MAX = 150_000;
const LOOK_MS = 10;

/** Waits for what real processes do, for a bounded time. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  waitMsMax: number = WAIT_MS_MAX,
): Promise<void> {
  const startedMs = realClock.monotonicMs();
  while (!(await condition())) {
    if (realClock.monotonicMs() - startedMs > waitMsMax) throw new Error(`waited too long: ${what}`);
    await new Promise<void>((resolve) => realClock.after(LOOK_MS, resolve));
  }
}

/** Repeats SIGTERM until the process ends, which it does with 1: a signal within a moment of the first is the same one. */
export async function endAtSecondSignal(process: BoathookProcess): Promise<void> {
  let status: number | null | undefined;
  void process.ended.then((ended) => (status = ended));
  await until(() => {
    process.signal("SIGTERM");
    return status !== undefined;
  }, "it ends at the second signal");
  assert.equal(status, 1);
}
