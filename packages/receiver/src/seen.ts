import { systemClock, type Clock } from "./clock.ts";

/**
 * Remembers which deliveries were handled, so a duplicate is answered and not handled again (spec 5.1:
 * replay; 6.1: at_least_once).
 *
 *     (unknown) → claim → busy → complete → done → (unknown), after its time to live
 *                          ├───→ release  → (unknown)
 *                          └───→ (unknown), when the lease ends
 */
export type SeenStore = {
  /**
   * One atomic step: `claimed` makes the id busy for `leaseMs` and lets the caller handle it; `busy`
   * and `done` change nothing. In Redis: `SET id busy NX PX <leaseMs>`, and on refusal `GET id`.
   */
  claim(id: string, leaseMs: number): Claim | Promise<Claim>;
  /** The delivery was handled: remember its id for longer than the sender retries ({@link SEEN_TTL_MS}). */
  complete(id: string): void | Promise<void>;
  /** The delivery was not handled: forget its id, so the retry is handled. */
  release(id: string): void | Promise<void>;
};

export type Claim = "claimed" | "busy" | "done";

export type MemorySeenOptions = {
  /** Ids remembered at most, about 150 bytes each; the oldest goes first. Default 100,000. */
  readonly entriesMax?: number;
  /** Default {@link SEEN_TTL_MS}. */
  readonly ttlMs?: number;
  readonly clock?: Clock;
};

const HOUR_MS = 3_600_000;

/**
 * Four days. Retries take nine hours at most, and a delivery of an inactive endpoint waits up to three days
 * before its next attempt.
 */
export const SEEN_TTL_MS = 96 * HOUR_MS;

export const SEEN_ENTRIES_MAX = 100_000;

type Entry = { readonly state: "busy" | "done"; readonly endsAtMs: number };

/** A store in this process's memory: bounded, and gone with the process. */
export function memorySeen(options: MemorySeenOptions = {}): SeenStore {
  const { entriesMax = SEEN_ENTRIES_MAX, ttlMs = SEEN_TTL_MS, clock = systemClock } = options;
  const entries = new Map<string, Entry>();

  const put = (id: string, state: Entry["state"], forMs: number): void => {
    const nowMs = clock.monotonicMs();
    // Delete first: a Map keeps the order of insertion, so the first entry is the oldest.
    entries.delete(id);
    for (const [oldest, entry] of entries) {
      if (entry.endsAtMs > nowMs && entries.size < entriesMax) break;
      entries.delete(oldest);
    }
    entries.set(id, { state, endsAtMs: nowMs + forMs });
  };

  return {
    claim(id, leaseMs) {
      const entry = entries.get(id);
      if (entry !== undefined && entry.endsAtMs > clock.monotonicMs()) return entry.state;
      put(id, "busy", leaseMs);
      return "claimed";
    },
    complete: (id) => put(id, "done", ttlMs),
    release: (id) => void entries.delete(id),
  };
}
