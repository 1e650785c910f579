import type { Log } from "../../runtime/log.ts";
import { bisect, type FailureKind } from "../statement-failure.ts";

/**
 * Deliveries on their way back to the queue.
 *
 *      added ─▶ given back
 *        ▲ └─ refused alone ─▶ set aside ─┐
 *        └──────── with the next sweep ◀──┘
 */
export type PendingReleases = {
  add(deliveryId: string): void;
  has(deliveryId: string): boolean;
  /** It need not go back any more. True: it was to. */
  remove(deliveryId: string): boolean;
  clear(): void;
  /** Gives back what was added, now or, if that fails, with a later call. */
  flush(): Promise<void>;
  /** Has those that were set aside tried once more. */
  retryRefused(): void;
  refusedCount(): number;
};

export type PendingReleasesPorts = {
  /** Gives those back that this node holds; the ids of some of them, or why that cannot be told now. */
  readonly release: (ids: readonly string[]) => Promise<readonly string[] | FailureKind>;
  readonly onReleased: (deliveryId: string) => void;
  readonly log: Log;
};

export const RELEASE_BATCH_MAX = 1_000;

export function createPendingReleases({ release, onReleased, log }: PendingReleasesPorts): PendingReleases {
  /** The window bounds how many these are: each held a place in it until it was added. */
  const waiting = new Set<string>();
  const refused = new Set<string>();
  let flushing: Promise<void> | null = null;
  let probes = 0;

  async function flushAll(): Promise<void> {
    // Whoever gives back many deliveries does so in one turn of the event loop.
    await Promise.resolve();
    for (;;) {
      const some = waiting
        .values()
        .filter((id) => !refused.has(id))
        .take(RELEASE_BATCH_MAX)
        .toArray();
      if (some.length === 0 || !(await flushSome(some))) return;
    }
  }

  /** False: the rest waits for the next sweep. */
  async function flushSome(some: readonly string[]): Promise<boolean> {
    const tried = await attempt(some);
    if (tried === "done") return true;
    if (tried === "unreachable") return false;
    // The fault may be the database's, or one row's: if a single one is taken back, it is a row's.
    const probe = some[++probes % some.length]!;
    if (tried === "server_fault" && (await attempt([probe])) !== "done") return false;
    const rest = some.filter((id) => waiting.has(id));
    const failing = rest.length === 0 ? [] : await bisect(rest, attempt);
    for (const id of failing ?? []) setAside(id);
    return failing !== null;
  }

  async function attempt(ids: readonly string[]): Promise<FailureKind | "done"> {
    const released = await release(ids);
    if (typeof released === "string") return released;
    for (const id of ids) {
      waiting.delete(id);
      onReleased(id);
    }
    return "done";
  }

  function setAside(id: string): void {
    refused.add(id);
    log.error({ delivery: id }, "the database refuses to take a delivery back; each sweep tries again");
  }

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
    /** One statement at a time, however many lanes give back at once; what comes meanwhile joins the next. */
    flush() {
      flushing ??= flushAll().finally(() => {
        flushing = null;
      });
      return flushing;
    },
    retryRefused: () => refused.clear(),
    refusedCount: () => refused.size,
  };
}
