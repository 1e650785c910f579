import type { KeyObject } from "node:crypto";

import type { InFlightDelivery } from "../../model/delivery.ts";
import type { Target } from "../../model/endpoint.ts";
import type { Member } from "../membership/member.ts";
import { fifo, lengthOf, type Fifo } from "./fifo.ts";

/**
 * The deliveries of one endpoint that wait in memory, its open requests, and how many may be open. Its
 * concurrency starts low and grows with every success while more waits; a failure halves it.
 *
 *              failure, or a request open for longer than stallMs
 *      healthy ───────────────────────────────────────────────────▶ degraded
 *              ◀───────────────────────────────────────────────────
 *              success, and no open request is stalled
 *
 * Degraded queues share a bounded number of open requests of their own, so endpoints that hang or fail
 * take no capacity from healthy ones (docs/architecture.md, guarantee 8).
 */
export type EndpointQueue = {
  target: Target;
  /** The node's membership in the cell of the endpoint. */
  readonly member: Member;
  readonly key: KeyObject;
  readonly ready: Fifo<InFlightDelivery>;
  /** Deliveries whose commit is open. */
  reserved: number;
  open: number;
  /** Requests that may be open at once. */
  concurrencyMax: number;
  /** Consecutive failures that this node has seen. */
  failures: number;
  /** Requests that have been open for longer than `stallMs`. */
  stalled: number;
  degraded: boolean;
  /** Starts nothing for a moment: this service could not send. */
  coolingDown: boolean;
  /** In which pools it is enlisted; one that it no longer belongs to skips it. */
  readonly inPool: { healthy: boolean; degraded: boolean };
  /** A claim found no capacity for it. */
  blocked: boolean;
  /** The last success, and the one that the database knows (`settle.ts`). */
  lastDeliveredAtMs: number;
  lastWrittenAtMs: number;
};

const START_CONCURRENCY = 4;
const DEGRADED_CONCURRENCY_MAX = 2;
/** Deliveries that a degraded queue may keep in memory beside those being sent. */
const DEGRADED_READY_MAX = 4;
const SHED_AFTER_FAILURES = 3;
/** The share of the free capacity that one queue may fill: Choudhury and Hahne's dynamic threshold. */
const CAPACITY_SHARE = 1 / 4;
const READY_MIN = 8;

export function createEndpointQueue(target: Target, member: Member, key: KeyObject): EndpointQueue {
  return {
    target,
    member,
    key,
    ready: fifo(),
    reserved: 0,
    open: 0,
    concurrencyMax: target.failureCount > 0 ? 1 : START_CONCURRENCY,
    failures: target.failureCount,
    stalled: 0,
    degraded: target.failureCount > 0,
    coolingDown: false,
    inPool: { healthy: false, degraded: false },
    blocked: false,
    lastDeliveredAtMs: 0,
    lastWrittenAtMs: 0,
  };
}

/** How many more deliveries the queue may take into memory, given the memory budget's free capacity. */
export function capacityOf(queue: EndpointQueue, freeCapacity: number): number {
  if (!queue.target.active) return 0;
  const share = queue.degraded ? DEGRADED_READY_MAX : READY_MIN + Math.floor(freeCapacity * CAPACITY_SHARE);
  return Math.max(0, Math.min(share - lengthOf(queue.ready) - queue.reserved, freeCapacity));
}

/** True when the queue's own bounds let it start another request. */
export function mayStart(queue: EndpointQueue): boolean {
  const openMax = queue.degraded
    ? Math.min(queue.concurrencyMax, DEGRADED_CONCURRENCY_MAX)
    : queue.concurrencyMax;
  return queue.target.active && !queue.coolingDown && queue.open < openMax && lengthOf(queue.ready) > 0;
}

export function recordSuccess(queue: EndpointQueue, concurrencyMax: number): void {
  queue.failures = 0;
  // Grow only while something waits: every further open request is a connection to keep.
  if (lengthOf(queue.ready) > 0) queue.concurrencyMax = Math.min(concurrencyMax, queue.concurrencyMax + 1);
}

export function recordFailure(queue: EndpointQueue): void {
  queue.failures += 1;
  queue.concurrencyMax = Math.max(1, queue.concurrencyMax >> 1);
}

/** True when the queue should keep no more in memory than it is about to send. */
export function shouldShed(queue: EndpointQueue): boolean {
  return queue.stalled > 0 || queue.failures >= SHED_AFTER_FAILURES;
}

/** Takes what a degraded queue has in memory beyond its share, youngest deliveries first. */
export function takeExcess(queue: EndpointQueue): InFlightDelivery[] {
  return queue.ready.items.splice(queue.ready.head + DEGRADED_READY_MAX);
}

export function isIdle(queue: EndpointQueue): boolean {
  return queue.open === 0 && queue.reserved === 0 && lengthOf(queue.ready) === 0 && !queue.blocked;
}
