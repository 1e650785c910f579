import { join } from "node:path";
import { createInterface } from "node:readline";

import type { ProcessContext } from "./process-context.ts";

/** Of a terminal that does not say how large it is. */
const USUAL_COLUMNS = 80;
const USUAL_LINES = 24;

/** Ctrl-C and service managers signal both this process and its parent, which passes it on: that is one signal, not two. */
const SAME_SIGNAL_MS_MAX = 500;

/** Call it once: it registers listeners. */
export function systemProcessContext(): ProcessContext {
  for (const stream of [process.stdout, process.stderr]) {
    // The reader has read enough: `boathook deliveries list | head`.
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit();
      throw error;
    });
  }
  return {
    environment: process.env,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    terminal: process.stdout.isTTY
      ? {
          columns: () => process.stdout.columns || USUAL_COLUMNS,
          lines: () => process.stdout.rows || USUAL_LINES,
          colours: process.stdout.hasColors(),
        }
      : null,
    async readLine() {
      for await (const text of createInterface({ input: process.stdin })) return text;
      return "";
    },
    async readInput() {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    },
    program: [process.execPath, join(import.meta.dirname, "..", "..", "bin", "boathook.js")],
    onCrash(report) {
      for (const event of ["uncaughtException", "unhandledRejection"] as const) {
        process.on(event, (cause: unknown) => {
          report(cause);
          process.exit(1);
        });
      }
    },
    exitNow: () => process.exit(1),
    untilSignal: () =>
      new Promise((resolve) => {
        let signalledMs: number | null = null;
        for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
          process.on(signal, () => {
            const nowMs = performance.now();
            if (signalledMs !== null && nowMs - signalledMs > SAME_SIGNAL_MS_MAX) process.exit(1);
            signalledMs ??= nowMs;
            resolve(signal);
          });
        }
      }),
  };
}
