/** Time as an argument: the whole system runs under any clock that has this shape. */
export type Clock = {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Milliseconds since some fixed moment; never goes back, and no wall clock moves it. */
  monotonicMs(): number;
  /** Calls `action` once, after `delayMs` or more. */
  after(delayMs: number, action: () => void): Cancel;
};

/** Takes a timer back; harmless after it has fired. */
export type Cancel = () => void;
