/** Time as an argument: the one file of this package that reads a clock or sets a timer. */
export type Clock = {
  /** Milliseconds since some fixed moment; no wall clock moves it. */
  monotonicMs(): number;
  /** Calls `action` once, after `delayMs` or more; the returned function takes it back. */
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
