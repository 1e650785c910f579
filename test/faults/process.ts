/** Processes that tests kill and freeze: `node.ts` with its channel, and what every such process needs. */
import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import type { TestContext } from "node:test";

import type { RaisedEvent } from "../../src/model/event.ts";
import { atEnd } from "./endings.ts";
import type { NodeCall, NodeOptions } from "./node.ts";

/** How a process ended. */
export type End = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/**
 * What became of events: `accepted` is durable; `unavailable` is not accepted; `unknown`: the process
 * ended before it answered, and they may have been accepted or not.
 */
export type RaiseAnswer = "accepted" | "unavailable" | "unknown";

/** Accepts events: a node over its channel, a service over HTTP. */
export type Raising = { raise(events: readonly RaisedEvent[]): Promise<RaiseAnswer> };

export type NodeProcess = Raising & {
  readonly pid: number;
  readonly ended: Promise<End>;
  call<T>(call: Called): Promise<T | "gone">;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  freeze(): void;
  wake(): void;
  /** Drains and ends; throws unless it ends well. */
  stop(): Promise<void>;
};

type Called = NodeCall | { readonly stop: true };

const LOG_LINES_MAX = 40;
const LOG_LINE_LENGTH_MAX = 400;

/** Starts `node.ts`; resolves when it delivers. Whatever the test leaves of it is killed. */
export async function startNode(t: TestContext, options: NodeOptions): Promise<NodeProcess> {
  const child = fork(join(import.meta.dirname, "node.ts"), [JSON.stringify(options)], {
    stdio: ["ignore", "inherit", "pipe", "ipc"],
  });
  const waiting = new Map<number, (answer: unknown) => void>();
  let calls = 0;
  const { promise: ready, resolve: isReady, reject: isNotReady } = Promise.withResolvers<void>();
  const ended = watch(t, child);
  void ended.then((end) => {
    for (const resolve of waiting.values()) resolve("gone");
    waiting.clear();
    isNotReady(new Error(`the node ended before it was ready: ${JSON.stringify(end)}`));
  });
  child.on("message", (message: "ready" | { call: number; answer: unknown }) => {
    if (message === "ready") return isReady();
    waiting.get(message.call)?.(message.answer);
    waiting.delete(message.call);
  });
  const call = <T>(what: Called): Promise<T | "gone"> =>
    new Promise((resolve) => {
      if (!child.connected) return resolve("gone");
      const number = calls++;
      waiting.set(number, resolve as (answer: unknown) => void);
      // A process that dies at this moment answers with its end.
      child.send({ call: number, ...what }, () => undefined);
    });
  await ready;
  return {
    pid: child.pid!,
    ended,
    call,
    async raise(events) {
      const answer = await call<string>({ raise: events });
      if (answer === "accepted") return "accepted";
      if (answer === "gone") return "unknown";
      if (answer === "StoreUnavailable") return "unavailable";
      throw new Error(`raising ended in ${answer}`);
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    freeze: () => void child.kill("SIGSTOP"),
    wake: () => void child.kill("SIGCONT"),
    async stop() {
      await call({ stop: true });
      const end = await ended;
      if (end.code !== 0) throw new Error(`the node did not end well: ${JSON.stringify(end)}`);
    },
  };
}

/** Keeps the last lines that the process says, for a test that fails, and kills what is left at its end. */
export function watch(t: TestContext, child: ChildProcess): Promise<End> {
  const { promise: ended, resolve } = Promise.withResolvers<End>();
  child.once("exit", (code, signal) => resolve({ code, signal }));
  const lines: string[] = [];
  child.stderr!.setEncoding("utf8").on("data", (text: string) => {
    lines.push(
      ...text
        .trimEnd()
        .split("\n")
        .map((line) => line.slice(0, LOG_LINE_LENGTH_MAX)),
    );
    lines.splice(0, lines.length - LOG_LINES_MAX);
  });
  atEnd(t, async () => {
    // Also wakes one that was frozen.
    child.kill("SIGKILL");
    await ended;
    if (!t.passed) t.diagnostic(`process ${child.pid} said:\n${lines.join("\n")}`);
  });
  return ended;
}
