import { HOUR_MS } from "../../runtime/durations.ts";

/** The longest wait that an upstream can ask for. */
const RETRY_AFTER_MS_MAX = 6 * HOUR_MS;

/** `Retry-After` (RFC 9110, 10.2.3), seconds or a date, in milliseconds from `nowMs` on; null: it says nothing. */
export function readRetryAfter(written: string | null, nowMs: number): number | null {
  if (written === null) return null;
  const ms = /^\d+$/.test(written) ? Number(written) * 1000 : Date.parse(written) - nowMs;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), RETRY_AFTER_MS_MAX);
}
