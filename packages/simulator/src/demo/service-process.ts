/** The service of the demo: `boathook serve` in a process of its own, as a user would start it. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

import type { DemoHost } from "./host.ts";

export type ServiceProcess = {
  /** Resolves once it listens; rejects when it ends first, or takes too long. */
  readonly listening: Promise<{ readonly publicUrl: string; readonly opsUrl: string }>;
  /** Rejects when it ends. */
  readonly exited: Promise<never>;
  /** Asks it to end, and waits until it has. */
  stop(): Promise<void>;
};

/** A new database takes a second or two, on a slow machine several. */
const START_MS_MAX = 60_000;
/** Longer than the service takes to drain. */
const STOP_MS_MAX = 45_000;
const LOG_LINES_KEPT = 15;

export function startServiceProcess(
  settings: Readonly<Record<string, string>>,
  { program, environment, clock, failure }: DemoHost,
): ServiceProcess {
  const [file, ...first] = program;
  const child = spawn(file, [...first, "serve"], {
    env: { ...withoutOwnSettings(environment), ...settings },
    // The channel carries nothing: the service ends when it closes, so that it cannot outlive the demo.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // Ctrl-C is for the demo, which then stops the service.
    detached: true,
  });
  const log: string[] = [];
  createInterface(child.stderr!).on("line", (line) => {
    log.push(line);
    if (log.length > LOG_LINES_KEPT) log.shift();
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const lost = ended.then(() => {
    throw failure(`The service has ended. Its last words:\n${log.join("\n")}`, 1);
  });

  async function firstLine(): Promise<{ publicUrl: string; opsUrl: string }> {
    let cancel = () => {};
    const late = new Promise<never>((_, reject) => {
      const refusal = failure(`The service did not start in ${START_MS_MAX / 1000} seconds.`, 1);
      cancel = clock.after(START_MS_MAX, () => reject(refusal));
    });
    const line = new Promise<string>((resolve) => createInterface(child.stdout!).once("line", resolve));
    const listening = await Promise.race([line, lost, late]).finally(() => cancel());
    const { public: publicUrl, ops: opsUrl } = JSON.parse(listening) as Record<"public" | "ops", string>;
    return { publicUrl, opsUrl };
  }

  const listening = firstLine();
  // Nobody waits for these after stop().
  for (const promise of [lost, listening]) promise.catch(() => {});

  return {
    listening,
    exited: lost,
    async stop() {
      child.kill("SIGTERM");
      const cancel = clock.after(STOP_MS_MAX, () => child.kill("SIGKILL"));
      await ended;
      cancel();
    },
  };
}

/** The demo is the same whatever is set here. */
function withoutOwnSettings(environment: DemoHost["environment"]): Record<string, string> {
  const kept = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith("BOATHOOK_"),
  );
  return Object.fromEntries(kept);
}
