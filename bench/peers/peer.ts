/** A service that is measured beside others, with all processes that it needs. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";

import type { Target } from "../processes/posting.ts";
import type { Bench } from "../setting/bench.ts";

export type Peer = {
  readonly name: string;
  /** On databases of its own that nobody has used, with one endpoint for each of the bench's ports. */
  start(bench: Bench): Promise<RunningPeer>;
};

export type RunningPeer = {
  readonly target: Target;
  /** Numbers of its processes by name. */
  readonly processes: Readonly<Record<string, number>>;
  /** How many deliveries its own record has as delivered. */
  recorded(): Promise<number>;
  stop(): Promise<void>;
};

export type Program = { readonly pid: number; stop(): Promise<void> };

/** Starts a program in a process group of its own, which ends with the bench; what it prints goes to a file. */
export async function startProgram(
  bench: Pick<Bench, "atEnd">,
  folder: string,
  [program, ...words]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>> = {},
): Promise<Program> {
  mkdirSync(folder, { recursive: true });
  const child = spawn(program, words, {
    cwd: folder,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  const log = createWriteStream(join(folder, "output.log"));
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  await once(child, "spawn");
  const exit = once(child, "exit");
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    // What it wrote goes with the folder.
    process.kill(-child.pid!, "SIGKILL");
    await exit;
  };
  bench.atEnd(stop);
  return { pid: child.pid!, stop };
}

/** Ports of the loopback that nothing listens on. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports: number[] = [];
  for (const server of servers) {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    ports.push((server.address() as AddressInfo).port);
  }
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
  return ports;
}

const TRY_EVERY_MS = 100;

/** Waits until `is` holds; errors are a no. */
export async function until(
  what: string,
  withinMs: number,
  is: () => Promise<boolean>,
  everyMs: number = TRY_EVERY_MS,
): Promise<void> {
  for (const untilMs = performance.now() + withinMs; performance.now() < untilMs;) {
    if (await is().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  throw new Error(`${what}: not within ${withinMs} ms`);
}
