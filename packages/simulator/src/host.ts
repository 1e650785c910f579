/** The process that a simulation runs in, as an argument. */
import type { Clock } from "./world/clock.ts";

export type Host = {
  readonly clock: Clock;
  /** Writes to stdout: what is simulated, and where. */
  out(text: string): void;
  /** Writes to stderr: what a person should know beside that. */
  err(text: string): void;
  /** Resolves with the signal that ends the simulation. */
  untilSignal(): Promise<string>;
  /**
   * The error to throw for something that the user can correct; its message is one sentence. `status`: 1, it failed;
   * 2, wrong usage.
   */
  failure(message: string, status: 0 | 1 | 2): Error;
};

/** The text of a JSON answer: indented, because people read it as well. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
