/** The processes that share the listeners of one service, on node:cluster. */
import cluster from "node:cluster";
import { availableParallelism } from "node:os";

import type { MessagePort } from "./process-channel.ts";

export type WorkerProcess = {
  readonly pid: number | undefined;
  readonly port: MessagePort;
  readonly ended: Promise<WorkerEnd>;
  /** Ends it at once, even if it is frozen. */
  kill(): void;
};

/** The exit status, or the signal that ended it. */
export type WorkerEnd = { readonly status: number | null; readonly signal: string | null };

/** Tells a worker its number. Not a setting: no BOATHOOK_ name. */
const NUMBER_VARIABLE = "WORKER_NUMBER";

/** The cores that this process may use. */
export const coreCount = availableParallelism;

/** Starts `program` again, with these words, as the worker of this number. */
export function startWorkerProcess(
  [, file, ...first]: readonly string[],
  words: readonly string[],
  number: number,
): WorkerProcess {
  // Shared sockets: a connection goes to a worker that runs, not to one that the primary believes to run.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  // SIGUSR1 would open a debugger.
  const execArgv = [...new Set([...process.execArgv, "--disable-sigusr1"])];
  cluster.setupPrimary({
    ...(file === undefined ? {} : { exec: file }),
    args: [...first, ...words],
    execArgv,
  });
  const worker = cluster.fork({ [NUMBER_VARIABLE]: number });
  const ended = new Promise<WorkerEnd>((resolve) => {
    worker.once("exit", (status: number | null, signal: string | null) => resolve({ status, signal }));
    // It could not be started, or not be sent a message; in the latter case it ends as well.
    worker.on("error", () => void (worker.process.pid === undefined && resolve({ status: 1, signal: null })));
  });
  return {
    pid: worker.process.pid,
    port: {
      send: (message) => void (worker.isConnected() && worker.send(message, () => undefined)),
      onMessage: (take) => void worker.on("message", take),
    },
    ended,
    kill: () => void worker.process.kill("SIGKILL"),
  };
}

/** This process's number among the workers, and its way to the primary; null: it is no worker. */
export function thisWorker(): { readonly number: number; readonly port: MessagePort } | null {
  const number = Number(process.env[NUMBER_VARIABLE]);
  if (!cluster.isWorker || !Number.isInteger(number)) return null;
  return {
    number,
    port: {
      send: (message) => void (process.connected && process.send?.(message, () => undefined)),
      onMessage: (take) => void process.on("message", take),
    },
  };
}
