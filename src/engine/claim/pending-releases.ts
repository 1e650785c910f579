import type { Log } from "../../runtime/log.ts";
import { bisect, type FailureKind } from "../statement-failure.ts";

/**
 * Deliveries to be released into the queue table.
 *
 *      added ─▶ released
 *        ▲ └─ refused alone ─▶ set aside ─┐
 *        └───────── next sweep ◀──────────┘
 */
export type PendingReleases = {
  add(deliveryId: string): void;
  has(deliveryId: string): boolean;
  /** The delivery need not be released any more. Returns whether it was pending. */
  remove(deliveryId: string): boolean;
  clear(): void;
  /** Releases what was added, now or, if that fails, with a later call. */
  flush(): Promise<void>;
  /** Lets the next flush retry those set aside. */
  retryRefused(): void;
  refusedCount(): number;
};

export type PendingReleasesPorts = {
  /** Releases this node's deliveries; returns the ids of some of them, or why that is not known now. */
  readonly release: (ids: readonly string[]) => Promise<readonly string[] | FailureKind>;
  readonly onReleased: (deliveryId: string) => void;
  readonly log: Log;
};

type State = {
  readonly ports: PendingReleasesPorts;
  /** Bounded by the memory budget: each counted in it until it was added. */
  readonly waiting: Set<string>;
  readonly refused: Set<string>;
  flushing: Promise<void> | null;
  probes: number;
};

export const RELEASE_BATCH_MAX = 1_000;

export function createPendingReleases(ports: PendingReleasesPorts): PendingReleases {
  const state: State = { ports, waiting: new Set(), refused: new Set(), flushing: null, probes: 0 };
  const { waiting, refused } = state;
  return {
    add: (id) => void waiting.add(id),
    has: (id) => waiting.has(id),
    remove(id) {
      refused.delete(id);
      return waiting.delete(id);
    },
    clear() {
      waiting.clear();
      refused.clear();
    },
    /** One statement at a time, however many callers release at once; later ones join the next statement. */
    flush() {
      state.flushing ??= flushAll(state).finally(() => {
        state.flushing = null;
      });
      return state.flushing;
    },
    retryRefused: () => refused.clear(),
    refusedCount: () => refused.size,
  };
}

async function flushAll(state: State): Promise<void> {
  // Callers that release many deliveries do so in one turn of the event loop.
  await Promise.resolve();
  for (;;) {
    const some = state.waiting
      .values()
      .filter((id) => !state.refused.has(id))
      .take(RELEASE_BATCH_MAX)
      .toArray();
    if (some.length === 0 || !(await flushSome(state, some))) return;
  }
}

/** Returns false when the rest waits for the next sweep. */
async function flushSome(state: State, some: readonly string[]): Promise<boolean> {
  const result = await attempt(state, some);
  if (result === "done") return true;
  if (result === "unreachable") return false;
  // The database is at fault, or one row is. If a single delivery can be released, a row is.
  const probe = some[++state.probes % some.length]!;
  if (result === "server_fault" && (await attempt(state, [probe])) !== "done") return false;
  const rest = some.filter((id) => state.waiting.has(id));
  const failing = rest.length === 0 ? [] : await bisect(rest, (ids) => attempt(state, ids));
  for (const id of failing ?? []) {
    state.refused.add(id);
    state.ports.log.error(
      { delivery: id },
      "the database refuses to release a delivery; every sweep retries it",
    );
  }
  return failing !== null;
}

async function attempt({ ports, waiting }: State, ids: readonly string[]): Promise<FailureKind | "done"> {
  const released = await ports.release(ids);
  if (typeof released === "string") return released;
  for (const id of ids) {
    waiting.delete(id);
    ports.onReleased(id);
  }
  return "done";
}
