/** Time as an argument. */
export type Clock = {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Milliseconds since some fixed moment; never goes back. */
  monotonicMs(): number;
  /** Calls `action` once, after `delayMs` or more. */
  after(delayMs: number, action: () => void): Cancel;
};

/** Harmless after the timer has fired. */
export type Cancel = () => void;
