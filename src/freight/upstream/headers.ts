/** Headers of requests to upstreams and of their answers. */
import { HOUR_MS } from "../../runtime/durations.ts";

/** An answer's `Date`, milliseconds since the epoch; null where it has none. */
export function answerDateMs(header: (name: string) => string | null): number | null {
  const ms = Date.parse(header("date") ?? "");
  return Number.isNaN(ms) ? null : ms;
}

/** The longest wait that an upstream can ask for. */
const RETRY_AFTER_MS_MAX = 6 * HOUR_MS;

/** `Retry-After` (RFC 9110, 10.2.3), seconds or a date, in milliseconds from `nowMs` on; null: it says nothing. */
export function readRetryAfter(written: string | null, nowMs: number): number | null {
  if (written === null) return null;
  const ms = /^\d+$/.test(written) ? Number(written) * 1000 : Date.parse(written) - nowMs;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), RETRY_AFTER_MS_MAX);
}

type Headers = Readonly<Record<string, string>>;

/** An upstream's own headers override ours, however they are capitalised. */
export function mergeHeaders(ours: Headers, own: Headers | undefined): Headers {
  const lower = Object.entries(own ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { ...ours, ...Object.fromEntries(lower) };
}
