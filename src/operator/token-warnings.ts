/**
 * Warns of requests with a wrong operator's token, in one line a minute and address.
 *
 *     quiet ─(a request)─▶ warned of at once ─▶ counted for WARN_EVERY_MS ─┬─ more came: warned of, with their number ─▶ counted
 *       ▲──────────────────────────────────────────────────────────────────┴─ none came
 */
import { networkOf } from "../http/network.ts";
import type { Cancel, Clock } from "../runtime/clock.ts";
import { MINUTE_MS } from "../runtime/durations.ts";
import type { Log } from "../runtime/log.ts";

const WARN_EVERY_MS = MINUTE_MS;
/** More addresses at once share one line. */
const ADDRESSES_MAX = 100;
const OTHERS = "other addresses";

export type TokenWarnings = {
  /** `address`: of the request. */
  readonly wrong: (address: string) => void;
  readonly close: () => void;
};

export function createTokenWarnings({
  clock,
  log,
}: {
  readonly clock: Clock;
  readonly log: Log;
}): TokenWarnings {
  // Requests since the last line.
  const counted = new Map<string, { requests: number; cancel: Cancel }>();

  function warn(address: string, requests: number): void {
    log.warn({ address, requests }, "a request carried a wrong operator's token");
    counted.set(address, { requests: 0, cancel: clock.after(WARN_EVERY_MS, () => next(address)) });
  }

  function next(address: string): void {
    const { requests } = counted.get(address)!;
    if (requests > 0) warn(address, requests);
    else counted.delete(address);
  }

  return {
    wrong(from) {
      const network = networkOf(from);
      const address = counted.has(network) || counted.size < ADDRESSES_MAX ? network : OTHERS;
      const known = counted.get(address);
      if (known === undefined) warn(address, 1);
      else known.requests += 1;
    },
    close() {
      for (const { cancel } of counted.values()) cancel();
    },
  };
}
