/** Runs one test file in a process of its own, as far as its first failure. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export type Ended =
  | { readonly kind: "passed"; readonly tookMs: number }
  | { readonly kind: "failed"; readonly test: string }
  | { readonly kind: "timed out" };

const here = (file: string) => pathToFileURL(join(import.meta.dirname, file)).href;
const OUTPUT_CHARACTERS_MAX = 200;

/** `hook` is a file beside this one. The process loads it, and so does every process that the test starts. */
export function runTestFile(
  file: string,
  options: {
    readonly hook: string;
    readonly environment: Readonly<Record<string, string>>;
    readonly timeoutMs: number;
  },
): Promise<Ended> {
  const { hook, environment, timeoutMs } = options;
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [`--test-reporter=${here("first-failure.ts")}`, file], {
      // A group of its own: what the test started ends with it.
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, ...environment, NODE_OPTIONS: `--import=${here(hook)}` },
    });
    let output = "";
    let isLate = false;
    child.stdout.on("data", (chunk: Buffer) => {
      if (output.length < OUTPUT_CHARACTERS_MAX) output += chunk.toString();
    });
    const bound = setTimeout(() => {
      isLate = true;
      killGroup(child.pid);
    }, timeoutMs);
    child.on("error", reject);
    // Not `close`: what the test left running may hold the pipe open.
    child.on("exit", (code) => {
      clearTimeout(bound);
      killGroup(child.pid);
      if (isLate) resolve({ kind: "timed out" });
      else if (code === 0) resolve({ kind: "passed", tookMs: Math.round(performance.now() - startedMs) });
      else resolve({ kind: "failed", test: output.slice(0, OUTPUT_CHARACTERS_MAX) });
    });
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // None of it is left.
  }
}
