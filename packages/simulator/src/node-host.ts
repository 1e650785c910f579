/** The host of a program that is nothing but a simulation: Node's own clock, streams and signals. */
import type { Host } from "./host.ts";

export function nodeHost(): Host {
  return {
    clock: {
      nowMs: Date.now,
      monotonicMs: () => performance.now(),
      after(delayMs, action) {
        const timer = setTimeout(action, delayMs);
        return () => clearTimeout(timer);
      },
    },
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    untilSignal: () =>
      new Promise((resolve) => {
        for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => resolve(signal));
      }),
    failure: (message) => new Error(message),
  };
}
