/** The service under test: `boathook serve`, a process of its own, on a data folder. */
import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { MASTER_KEY } from "./accounts.ts";
import type { Bench } from "./bench.ts";

export const OPERATOR_TOKEN = "bench-operator-token-0123456789abcdef";

export type Service = {
  readonly pid: number;
  /** Origins of the two listeners. */
  readonly public: string;
  readonly ops: string;
  /** Resident memory at this moment, bytes. */
  residentBytes(): number;
  stop(): Promise<void>;
  /** Without a word. */
  kill(): Promise<void>;
};

/** Environment variables of the service besides those of every run. */
export type Settings = Readonly<Record<string, string>>;

export const ROOT = join(import.meta.dirname, "..", "..");
const START_MS_MAX = 30_000;
const STOP_MS_MAX = 40_000;

/** `BENCH_SERVICE` names another program with the same listening line; `BENCH_NODE_ARGS` is for profiles. */
const PROGRAM = process.env["BENCH_SERVICE"] ?? "src/main.ts serve";
const NODE_ARGUMENTS = process.env["BENCH_NODE_ARGS"] ?? "";

export async function startService(
  bench: Pick<Bench, "caFile" | "atEnd">,
  dataFolder: string,
  settings: Settings,
  root: string = ROOT,
): Promise<Service> {
  const child = spawn(process.execPath, [...words(NODE_ARGUMENTS), ...words(PROGRAM)], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      BOATHOOK_DATA_DIR: dataFolder,
      BOATHOOK_WORKERS: "1",
      BOATHOOK_LISTEN: "127.0.0.1:0",
      BOATHOOK_OPS_LISTEN: "127.0.0.1:0",
      BOATHOOK_OPERATOR_TOKEN: OPERATOR_TOKEN,
      BOATHOOK_MASTER_KEY: MASTER_KEY.toString("base64"),
      BOATHOOK_ALLOW_PRIVATE_TARGETS: "127.0.0.0/8",
      BOATHOOK_EXTRA_CA_FILE: bench.caFile,
      BOATHOOK_LOG_LEVEL: "error",
      ...settings,
    },
  });
  bench.atEnd(() => end(child, "SIGKILL"));
  const listening = await listeningLine(child);
  return {
    pid: child.pid!,
    public: listening.public,
    ops: listening.ops,
    residentBytes: () => residentBytes(child.pid!),
    stop: () => end(child, "SIGTERM"),
    kill: () => end(child, "SIGKILL"),
  };
}

const words = (text: string) => text.split(" ").filter((word) => word !== "");

type Listening = { readonly event: string; readonly public: string; readonly ops: string };

function listeningLine(child: ChildProcess): Promise<Listening> {
  const { promise, resolve, reject } = Promise.withResolvers<Listening>();
  const timer = setTimeout(() => {
    child.kill("SIGKILL");
    reject(new Error("the service did not say that it listens"));
  }, START_MS_MAX);
  child.once("exit", (code, signal) => reject(new Error(`the service ended with ${code ?? signal}`)));
  createInterface(child.stdout!).on("line", (line) => {
    const said = JSON.parse(line) as Listening;
    if (said.event !== "listening") return;
    clearTimeout(timer);
    resolve(said);
  });
  return promise;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill(signal);
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS_MAX);
  await exit;
  clearTimeout(timer);
}

function residentBytes(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(line?.[1]) * 1024;
}
