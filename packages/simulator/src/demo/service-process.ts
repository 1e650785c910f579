/** The service of the demo: `boathook serve` in a process of its own, as a user would start it. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

import type { Clock } from "../../../../src/runtime/clock.ts";
import type { ProcessContext } from "../../../../src/runtime/process-context.ts";
import { CommandError } from "../../../../src/cli/command.ts";

export type ServiceProcess = {
  /** Resolves once it listens; rejects with `CommandRefused` when it ends first, or takes too long. */
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
  at: ProcessContext,
  clock: Clock,
): ServiceProcess {
  const [program, ...first] = at.program;
  const child = spawn(program, [...first, "serve"], {
    env: { ...withoutOwnSettings(at.environment), ...settings },
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
    throw new CommandError(`The service has ended. Its last words:\n${log.join("\n")}`, 1);
  });

  async function firstLine(): Promise<{ publicUrl: string; opsUrl: string }> {
    let cancel = () => {};
    const late = new Promise<never>((_, reject) => {
      const refusal = new CommandError(`The service did not start in ${START_MS_MAX / 1000} seconds.`, 1);
      cancel = clock.after(START_MS_MAX, () => reject(refusal));
    });
    const line = new Promise<string>((resolve) => createInterface(child.stdout!).once("line", resolve));
    const said = await Promise.race([line, lost, late]).finally(() => cancel());
    const { public: publicUrl, ops: opsUrl } = JSON.parse(said) as Record<"public" | "ops", string>;
    return { publicUrl, opsUrl };
  }

  const listening = firstLine();
  // Whoever stops it waits for neither any more.
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
function withoutOwnSettings(environment: ProcessContext["environment"]): Record<string, string> {
  const kept = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith("BOATHOOK_"),
  );
  return Object.fromEntries(kept);
}
