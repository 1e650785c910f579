import type { Invariants } from "../invariants.ts";
import type { EngineSettings } from "../settings.ts";
import { mayStart, type EndpointQueue } from "./endpoint-queue.ts";
import { fifo, lengthOf, push, shift, takeAll, type Fifo } from "./fifo.ts";

/**
 * Round robin over endpoint queues, in two pools: healthy and degraded. Each turn starts one request of one
 * queue, so an endpoint with a thousand deliveries and one with a single delivery take turns. Each pool
 * bounds its open requests.
 */
export type HealthPools = ReturnType<typeof createHealthPools>;

type Pool = {
  readonly name: keyof EndpointQueue["inPool"];
  readonly queues: Fifo<EndpointQueue>;
  open: number;
  readonly openMax: number;
};

type Pools = { readonly healthy: Pool; readonly degraded: Pool };

export function createHealthPools(
  { openMax, degradedOpenMax }: Pick<EngineSettings, "openMax" | "degradedOpenMax">,
  invariants: Invariants,
) {
  const pools: Pools = {
    healthy: { name: "healthy", queues: fifo(), open: 0, openMax },
    degraded: { name: "degraded", queues: fifo(), open: 0, openMax: degradedOpenMax },
  };
  const { healthy, degraded } = pools;
  return {
    /** Adds the queue to its pool, if it has something to start. */
    enlist: (queue: EndpointQueue): void => enlist(pools, queue),
    /** Enlists every queue again, in case one has lost its place. */
    rebuild(queues: Iterable<EndpointQueue>): void {
      for (const pool of [healthy, degraded]) takeAll(pool.queues);
      for (const queue of queues) {
        queue.inPool.healthy = false;
        queue.inPool.degraded = false;
        enlist(pools, queue);
      }
    },
    /** Moves the queue and its open requests to the pool where it belongs now. */
    reassign(queue: EndpointQueue): void {
      const isDegraded = queue.failures > 0 || queue.stalled > 0;
      if (isDegraded === queue.degraded) return;
      poolOf(pools, queue).open -= queue.open;
      queue.degraded = isDegraded;
      poolOf(pools, queue).open += queue.open;
    },
    /** Starts what the bounds allow. */
    startNext(start: (queue: EndpointQueue) => void): void {
      startIn(pools, healthy, start);
      startIn(pools, degraded, start);
    },
    opened(queue: EndpointQueue): void {
      queue.open += 1;
      poolOf(pools, queue).open += 1;
    },
    closed(queue: EndpointQueue): void {
      const pool = poolOf(pools, queue);
      if (queue.open === 0 || pool.open === 0) {
        return invariants.report("open_count_not_negative", { endpoint: queue.target.id });
      }
      queue.open -= 1;
      pool.open -= 1;
    },
    /** True when the queue's pool may open another request. */
    hasCapacityFor(queue: EndpointQueue): boolean {
      const pool = poolOf(pools, queue);
      return pool.open < pool.openMax;
    },
    openCount: (): number => healthy.open + degraded.open,
  };
}

function poolOf({ healthy, degraded }: Pools, queue: EndpointQueue): Pool {
  return queue.degraded ? degraded : healthy;
}

function enlist(pools: Pools, queue: EndpointQueue): void {
  const pool = poolOf(pools, queue);
  if (queue.inPool[pool.name] || !mayStart(queue)) return;
  queue.inPool[pool.name] = true;
  push(pool.queues, queue);
}

function startIn(pools: Pools, pool: Pool, start: (queue: EndpointQueue) => void): void {
  // A queue whose member may not send keeps its place; the loop visits each queue once.
  for (let left = lengthOf(pool.queues); left > 0 && pool.open < pool.openMax; left--) {
    const queue = shift(pool.queues);
    if (queue === undefined) break;
    queue.inPool[pool.name] = false;
    if (poolOf(pools, queue) === pool && mayStart(queue) && queue.member.maySend()) {
      start(queue);
      if (mayStart(queue)) left++;
    }
    enlist(pools, queue);
  }
}
