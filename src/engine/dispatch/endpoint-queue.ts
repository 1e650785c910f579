import type { KeyObject } from "node:crypto";

import type { InFlightDelivery } from "../../model/delivery.ts";
import type { Target } from "../../model/endpoint.ts";
import { fifo, lengthOf, type Fifo } from "./fifo.ts";
import type { Member } from "../membership/member.ts";

/**
 * One endpoint as this node sees it: what waits for it, how many requests are open, and how many may
 * be. A lane starts slowly and widens with every success while more waits; a failure halves it.
 *
 *             failure, or a request open for longer than stallMs
 *      well ────────────────────────────────────────────────────▶ suspect
 *           ◀────────────────────────────────────────────────────
 *             success, and nothing stalled any more
 *
 * Suspect lanes share a bounded number of open requests of their own, so that endpoints that hang or
 * fail take no room from those that are well (design 4, guarantee 8).
 */
export type EndpointQueue = {
  target: Target;
  /** The node's membership in the cell of the endpoint. */
  readonly member: Member;
  readonly key: KeyObject;
  readonly ready: Fifo<InFlightDelivery>;
  /** Room promised to deliveries whose commit is under way. */
  reserved: number;
  open: number;
  /** Requests that may be open at once. */
  concurrencyMax: number;
  /** Failures in a row, as far as this node knows. */
  failures: number;
  /** Open requests that have been open for longer than `stallMs`. */
  stalled: number;
  degraded: boolean;
  /** Nothing is started for a moment: this service has no socket to spare. */
  coolingDown: boolean;
  /** In which rings it waits for its turn; one that it does not belong to any more passes it over. */
  readonly inPool: { healthy: boolean; degraded: boolean };
  /** Something was due in the queue and there was no room for it. */
  blocked: boolean;
  /** Waiting to be written: the last success (`settle.ts`). */
  lastDeliveredAtMs: number;
  lastWrittenAtMs: number;
};

const START_CONCURRENCY = 4;
const DEGRADED_CONCURRENCY_MAX = 2;
/** Deliveries that a suspect lane may keep in memory beside those being sent. */
const DEGRADED_READY_MAX = 4;
const SHED_AFTER_FAILURES = 3;
/** The part of the free window that one lane may fill: Choudhury and Hahne's dynamic threshold. */
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

/** How many more deliveries the lane may take into memory, given what is free in the window. */
export function capacityOf(lane: EndpointQueue, windowFree: number): number {
  if (!lane.target.active) return 0;
  const share = lane.degraded ? DEGRADED_READY_MAX : READY_MIN + Math.floor(windowFree * CAPACITY_SHARE);
  return Math.max(0, Math.min(share - lengthOf(lane.ready) - lane.reserved, windowFree));
}

/** True when the lane may start another request, its own bounds alone considered. */
export function mayStart(lane: EndpointQueue): boolean {
  const width = lane.degraded ? Math.min(lane.concurrencyMax, DEGRADED_CONCURRENCY_MAX) : lane.concurrencyMax;
  return lane.target.active && !lane.coolingDown && lane.open < width && lengthOf(lane.ready) > 0;
}

export function recordSuccess(lane: EndpointQueue, widthMax: number): void {
  lane.failures = 0;
  // Wider only where something waits: every further request open at once is a connection to keep.
  if (lengthOf(lane.ready) > 0) lane.concurrencyMax = Math.min(widthMax, lane.concurrencyMax + 1);
}

export function recordFailure(lane: EndpointQueue): void {
  lane.failures += 1;
  lane.concurrencyMax = Math.max(1, lane.concurrencyMax >> 1);
}

/** True when the lane should not keep more in memory than it is about to send. */
export function shouldShed(lane: EndpointQueue): boolean {
  return lane.stalled > 0 || lane.failures >= SHED_AFTER_FAILURES;
}

/** What a stuck lane has in memory beyond what it may keep, the youngest first to go. */
export function takeExcess(lane: EndpointQueue): InFlightDelivery[] {
  return lane.ready.items.splice(lane.ready.head + DEGRADED_READY_MAX);
}

export function isIdle(lane: EndpointQueue): boolean {
  return lane.open === 0 && lane.reserved === 0 && lengthOf(lane.ready) === 0 && !lane.blocked;
}
