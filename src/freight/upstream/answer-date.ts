/** An answer's `Date`, milliseconds since the epoch; null where it has none. */
export function answerDateMs(header: (name: string) => string | null): number | null {
  const ms = Date.parse(header("date") ?? "");
  return Number.isNaN(ms) ? null : ms;
}
