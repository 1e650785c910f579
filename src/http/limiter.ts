import type { Clock } from "../runtime/clock.ts";
import { SECOND_MS } from "../runtime/durations.ts";

/** Counts requests in windows, of a minute by default. A window opens with a caller's first request, so that windows end apart. */
export type Limiter = {
  readonly quota: number;
  readonly windowS: number;
  /** `uses`: 1, or 0 to ask only. */
  take(caller: string, uses?: 0 | 1): QuotaState;
};

/** Takes how to count what other processes allowed; returns how to tell them what this one did. */
export type ShareUses = (add: (caller: string, uses: number) => void) => (caller: string) => void;

export type QuotaState = {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly resetS: number;
};

const MINUTE_S = 60;

/** Callers remembered; beyond it, the limiter forgets those whose windows opened first. */
const CALLERS_MAX = 50_000;

type Window = { readonly endsAtMs: number; used: number };

export function createLimiter(
  clock: Clock,
  quota: number,
  { share, windowS = MINUTE_S }: { readonly share?: ShareUses | undefined; readonly windowS?: number } = {},
): Limiter {
  // Windows end in the order in which they opened, which is the map's.
  const windows = new Map<string, Window>();

  function windowOf(caller: string, nowMs: number): Window {
    const known = windows.get(caller);
    if (known !== undefined && known.endsAtMs > nowMs) return known;
    windows.delete(caller);
    forget(nowMs);
    const opened = { endsAtMs: nowMs + windowS * SECOND_MS, used: 0 };
    windows.set(caller, opened);
    return opened;
  }

  function forget(nowMs: number): void {
    for (const [caller, window] of windows) {
      if (window.endsAtMs > nowMs && windows.size < CALLERS_MAX) return;
      windows.delete(caller);
    }
  }

  const tell = share?.((caller, uses) => {
    windowOf(caller, clock.monotonicMs()).used += uses;
  });

  return {
    quota,
    windowS,
    take(caller, uses = 1) {
      const nowMs = clock.monotonicMs();
      const window = windowOf(caller, nowMs);
      const allowed = window.used < quota;
      if (allowed && uses > 0) {
        window.used += uses;
        tell?.(caller);
      }
      return {
        allowed,
        remaining: Math.max(0, quota - window.used),
        resetS: Math.max(1, Math.ceil((window.endsAtMs - nowMs) / SECOND_MS)),
      };
    },
  };
}
