/** Time as an argument: every world runs under any clock that has this shape. */
export type Clock = {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Milliseconds since some fixed moment; never goes back. */
  monotonicMs(): number;
  /** Calls `action` once, after `delayMs` or more. Returns how to cancel it. */
  after(delayMs: number, action: () => void): () => void;
};
