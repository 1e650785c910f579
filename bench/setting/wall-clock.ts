/** The wall clock, finer than its milliseconds: what to add to `performance.now()`. Waits for the next millisecond. */
export function wallOffset(): number {
  const fromMs = Date.now();
  while (Date.now() === fromMs);
  return fromMs + 1 - performance.now();
}
