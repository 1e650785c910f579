import type { Clock } from "./clock.ts";

export function sleep(clock: Pick<Clock, "after">, delayMs: number): Promise<void> {
  return new Promise((resolve) => void clock.after(delayMs, resolve));
}
