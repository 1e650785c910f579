/** `boathook try` as a process of its own, for what reads the answers of a service on a simulated world. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type TryVariables = Readonly<
  Record<"API" | "OPS" | "TOKEN" | "ACCOUNT" | "KEY" | "SCHEDULES_KEY" | "LOADING_KEY" | "RECEIVER", string>
>;

const PROGRAM = join(import.meta.dirname, "..", "..", "bin", "boathook.js");

/** Runs `work` on a world, which ends with it. */
export async function onTryWorld<Done>(work: (world: TryVariables) => Promise<Done>): Promise<Done> {
  const folder = mkdtempSync(join(tmpdir(), "boathook-examples-"));
  const file = join(folder, "try.env");
  const child = spawn(process.execPath, [PROGRAM, "try", "--port", "0", "--variables", file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const ready = new Promise<void>((resolve) => {
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => {
      out = (out + chunk.toString()).slice(-10_000);
      if (out.includes("Retry waits are cut")) resolve();
    });
  });
  try {
    await Promise.race([ready, ended.then(() => Promise.reject(new Error("the world has ended")))]);
    return await work(variablesIn(file));
  } finally {
    child.kill("SIGINT");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

export function variablesIn(file: string): TryVariables {
  const written = [...readFileSync(file, "utf8").matchAll(/^(\w+)='(.*)'$/gm)];
  return Object.fromEntries(written.map(([, name, value]) => [name!, value!])) as TryVariables;
}
