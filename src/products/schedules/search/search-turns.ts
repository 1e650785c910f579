/**
 * Searches of connections take turns, so that many at once hold up nothing else that the process does:
 *
 *     asked ─┬─▶ running ─▶ found
 *            ├─▶ waiting ─┬─(one has ended)─▶ running
 *            │            └─(too long)─▶ busy
 *            └─(too many wait, or too many of one address)─▶ busy
 */
import { SECOND_MS } from "../../../runtime/durations.ts";
import type { Clock } from "../../../runtime/clock.ts";

/** While one reads, the other computes. */
const RUNNING_MAX = 2;
const WAITING_MAX = 20;
/** Of one address, running and waiting. */
const OF_ADDRESS_MAX = 4;
const WAIT_MS_MAX = 10 * SECOND_MS;

export type SearchBusy = { readonly kind: "busy"; readonly reason: "address_limit" | "queue_full" };

export type SearchTurns = {
  /** Runs `search` in its turn. */
  take<Found>(
    address: string,
    search: () => Promise<Found>,
  ): Promise<{ readonly kind: "done"; readonly found: Found } | SearchBusy>;
};

export function createSearchTurns(clock: Pick<Clock, "after">): SearchTurns {
  const waiting: (() => void)[] = [];
  const ofAddress = new Map<string, number>();
  let running = 0;

  /** False: it took too long. */
  function turn(): Promise<boolean> {
    if (running < RUNNING_MAX) {
      running += 1;
      return Promise.resolve(true);
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const cancel = clock.after(WAIT_MS_MAX, () => {
      waiting.splice(waiting.indexOf(begin), 1);
      resolve(false);
    });
    const begin = (): void => {
      cancel();
      resolve(true);
    };
    waiting.push(begin);
    return promise;
  }

  function end(): void {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }

  return {
    async take(address, search) {
      const own = ofAddress.get(address) ?? 0;
      if (own >= OF_ADDRESS_MAX) return { kind: "busy", reason: "address_limit" };
      if (waiting.length >= WAITING_MAX) return { kind: "busy", reason: "queue_full" };
      ofAddress.set(address, own + 1);
      try {
        if (!(await turn())) return { kind: "busy", reason: "queue_full" };
        try {
          return { kind: "done", found: await search() };
        } finally {
          end();
        }
      } finally {
        const left = ofAddress.get(address)! - 1;
        if (left === 0) ofAddress.delete(address);
        else ofAddress.set(address, left);
      }
    },
  };
}
