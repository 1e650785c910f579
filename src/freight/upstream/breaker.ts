/**
 * Stops requests to an upstream that is down.
 *
 *     closed ─(so many faults in a row)─▶ open ─(its time is over)─▶ half-open: one probe passes
 *       ▲                                   ▲                              │
 *       └───────────(an answer)─────────────┼──────────────────────────────┤
 *                                           └──(a fault: twice as long)────┘
 *
 * What was asked before a change of state says nothing after it: ten requests that time out together
 * open the breaker once, and none of them ends the probe of a later time.
 */
import { MINUTE_MS } from "../../runtime/durations.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Random } from "../../runtime/random.ts";

export type BreakerSettings = {
  /** Faults in a row that open it. */
  readonly faultsMax: number;
  readonly openMs: number;
  /** How far the time doubles with every probe that fails. */
  readonly openMsMax: number;
};

export const BREAKER_DEFAULTS: BreakerSettings = { faultsMax: 5, openMs: 5_000, openMsMax: 5 * MINUTE_MS };

/** `fault`: the upstream's own (time-out, connection, 5xx). `answered`: it works. `not_sent`: it was not asked. */
export type BreakerResult = "answered" | "fault" | "not_sent";

export type BreakerPermit =
  | {
      readonly kind: "granted";
      /** Call it once, with the result and the upstream's `Retry-After`. */
      report(result: BreakerResult, retryAfterMs?: number | null): void;
    }
  | { readonly kind: "refused"; readonly retryAfterMs: number };

export type Breaker = {
  acquire(): BreakerPermit;
  /** Whether `acquire` would refuse. */
  isOpen(): boolean;
};

type State =
  | { readonly kind: "closed"; faults: number }
  | { readonly kind: "open"; readonly untilMs: number; readonly times: number }
  | { readonly kind: "half-open"; readonly times: number };

/** When to come back while a probe runs. */
const PROBE_WAIT_MS = 1_000;

export function createBreaker(
  clock: Clock,
  random: Pick<Random, "fraction">,
  settings: BreakerSettings = BREAKER_DEFAULTS,
): Breaker {
  let state: State = { kind: "closed", faults: 0 };

  const open = (times: number, retryAfterMs: number | null): State => {
    const grownMs = Math.min(settings.openMs * 2 ** (times - 1), settings.openMsMax);
    // From half to the whole, so that nodes that saw it go down together do not come back together.
    const jitteredMs = grownMs * (0.5 + random.fraction() / 2);
    const askedMs = Math.min(retryAfterMs ?? 0, settings.openMsMax);
    return { kind: "open", untilMs: clock.monotonicMs() + Math.max(jitteredMs, askedMs), times };
  };

  const passage = (asked: State): BreakerPermit => {
    let settled = false;
    return {
      kind: "granted",
      report(result, retryAfterMs = null) {
        if (settled || asked !== state) return;
        settled = true;
        state = after(state, result, retryAfterMs);
      },
    };
  };

  const after = (asked: State, result: BreakerResult, retryAfterMs: number | null): State => {
    if (asked.kind === "closed") {
      if (result === "answered") asked.faults = 0;
      if (result === "fault") asked.faults += 1;
      return asked.faults >= settings.faultsMax ? open(1, retryAfterMs) : asked;
    }
    if (result === "answered") return { kind: "closed", faults: 0 };
    if (result === "fault") return open(asked.times + 1, retryAfterMs);
    // The probe was never sent: the next one to ask is it.
    return { kind: "open", untilMs: clock.monotonicMs(), times: asked.times };
  };

  return {
    acquire() {
      if (state.kind === "open" && clock.monotonicMs() >= state.untilMs) {
        state = { kind: "half-open", times: state.times };
        return passage(state);
      }
      if (state.kind === "closed") return passage(state);
      const retryAfterMs = state.kind === "open" ? state.untilMs - clock.monotonicMs() : PROBE_WAIT_MS;
      return { kind: "refused", retryAfterMs: Math.ceil(retryAfterMs) };
    },
    isOpen: () =>
      state.kind === "half-open" || (state.kind === "open" && clock.monotonicMs() < state.untilMs),
  };
}
