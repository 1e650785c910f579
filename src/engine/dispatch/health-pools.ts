import { fifo, lengthOf, push, shift, takeAll, type Fifo } from "./fifo.ts";
import type { Invariants } from "../invariants.ts";
import { mayStart, type EndpointQueue } from "./endpoint-queue.ts";
import type { EngineSettings } from "../settings.ts";

/**
 * The turns that lanes take. Those with something ready wait in one of two rings, the well in one and the
 * suspect in the other, and each turn starts one request of one lane: an endpoint with a thousand deliveries
 * and one with a single delivery take turns. Each ring has a bound on its open requests.
 */
export type HealthPools = {
  /** Has the lane wait for its turn, if it has something to start. */
  enlist(lane: EndpointQueue): void;
  /** Gives every lane its place anew, should one have lost it. */
  rebuild(lanes: Iterable<EndpointQueue>): void;
  /** Moves the lane, and its open requests, to the ring where it belongs now. */
  reassign(lane: EndpointQueue): void;
  /** Starts what the bounds allow, one request of one lane after the other. */
  startNext(start: (lane: EndpointQueue) => void): void;
  opened(lane: EndpointQueue): void;
  closed(lane: EndpointQueue): void;
  /** True when the lane's ring may open another request. */
  hasCapacityFor(lane: EndpointQueue): boolean;
  openCount(): number;
};

type Pool = {
  readonly name: keyof EndpointQueue["inPool"];
  readonly queues: Fifo<EndpointQueue>;
  open: number;
  readonly openMax: number;
};

export function createHealthPools(
  { openMax, degradedOpenMax }: Pick<EngineSettings, "openMax" | "degradedOpenMax">,
  invariants: Invariants,
): HealthPools {
  const healthy: Pool = { name: "healthy", queues: fifo(), open: 0, openMax };
  const degraded: Pool = { name: "degraded", queues: fifo(), open: 0, openMax: degradedOpenMax };
  const ringOf = (lane: EndpointQueue) => (lane.degraded ? degraded : healthy);

  function list(lane: EndpointQueue): void {
    const ring = ringOf(lane);
    if (lane.inPool[ring.name] || !mayStart(lane)) return;
    lane.inPool[ring.name] = true;
    push(ring.queues, lane);
  }

  function turnOf(ring: Pool, start: (lane: EndpointQueue) => void): void {
    // A lane that may not send keeps its place for later; each is looked at once a turn.
    for (let left = lengthOf(ring.queues); left > 0 && ring.open < ring.openMax; left--) {
      const lane = shift(ring.queues);
      if (lane === undefined) break;
      lane.inPool[ring.name] = false;
      if (ringOf(lane) === ring && mayStart(lane) && lane.member.maySend()) {
        start(lane);
        if (mayStart(lane)) left++;
      }
      list(lane);
    }
  }

  return {
    enlist: list,
    rebuild(lanes) {
      for (const ring of [healthy, degraded]) takeAll(ring.queues);
      for (const lane of lanes) {
        lane.inPool.healthy = false;
        lane.inPool.degraded = false;
        list(lane);
      }
    },
    reassign(lane) {
      const isSuspect = lane.failures > 0 || lane.stalled > 0;
      if (isSuspect === lane.degraded) return;
      ringOf(lane).open -= lane.open;
      lane.degraded = isSuspect;
      ringOf(lane).open += lane.open;
    },
    startNext(start) {
      turnOf(healthy, start);
      turnOf(degraded, start);
    },
    opened(lane) {
      lane.open += 1;
      ringOf(lane).open += 1;
    },
    closed(lane) {
      const ring = ringOf(lane);
      if (lane.open === 0 || ring.open === 0) {
        return invariants.report("open_count_not_negative", { endpoint: lane.target.id });
      }
      lane.open -= 1;
      ring.open -= 1;
    },
    hasCapacityFor(lane) {
      const ring = ringOf(lane);
      return ring.open < ring.openMax;
    },
    openCount: () => healthy.open + degraded.open,
  };
}
