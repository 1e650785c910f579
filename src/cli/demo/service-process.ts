/** The service of the demo: `boathook serve` in a process of its own, as a user would start it. */
import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

import type { Clock } from "../../runtime/clock.ts";
import type { Surroundings } from "../../runtime/surroundings.ts";
import { CommandRefused } from "../command.ts";

export type ServiceProcess = {
  readonly publicUrl: string;
  readonly opsUrl: string;
  /** Resolves when it ends, however it does; `told` when it was asked to. */
  readonly ended: Promise<void>;
  /** Asks it to end, and waits until it has. */
  stop(): Promise<void>;
};

/** A new database takes a second or two, on a slow machine several. */
const START_MS_MAX = 60_000;
/** Longer than the service takes to drain. */
const STOP_MS_MAX = 45_000;
const LOG_LINES_KEPT = 15;

export async function startServiceProcess(
  settings: Readonly<Record<string, string>>,
  at: Surroundings,
  clock: Clock,
): Promise<ServiceProcess> {
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
  const line = await firstLine(child, ended, clock);
  if (line === null) {
    child.kill("SIGKILL");
    throw new CommandRefused(`The service did not start. Its last words:\n${log.join("\n")}`, 1);
  }
  const said = JSON.parse(line) as { readonly public: string; readonly ops: string };
  return {
    publicUrl: said.public,
    opsUrl: said.ops,
    ended,
    async stop() {
      child.kill("SIGTERM");
      const cancel = clock.after(STOP_MS_MAX, () => child.kill("SIGKILL"));
      await ended;
      cancel();
    },
  };
}

/** What it says when it listens; null when it ended or took too long. */
async function firstLine(child: ChildProcess, ended: Promise<void>, clock: Clock): Promise<string | null> {
  let cancel = () => {};
  const line = await Promise.race([
    new Promise<string>((resolve) => createInterface(child.stdout!).once("line", resolve)),
    ended.then(() => null),
    new Promise<null>((resolve) => {
      cancel = clock.after(START_MS_MAX, () => resolve(null));
    }),
  ]);
  cancel();
  return line;
}

/** The demo is the same whatever is set here. */
function withoutOwnSettings(environment: Surroundings["environment"]): Record<string, string> {
  const kept = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith("BOATHOOK_"),
  );
  return Object.fromEntries(kept);
}
