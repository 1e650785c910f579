/** Time as an argument: only this file reads a clock or sets a timer. */
export type Clock = {
  /** Milliseconds since some fixed moment; no wall clock moves it. */
  monotonicMs(): number;
  /** Calls `action` once, after `delayMs` or more; the returned function cancels it. */
  after(delayMs: number, action: () => void): () => void;
};

export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  after: (delayMs, action) => {
    const timer: unknown = setTimeout(action, delayMs);
    // Node and Bun return an object, browsers and Deno a number.
    (timer as { unref?: () => void }).unref?.();
    return () => clearTimeout(timer as number);
  },
};
