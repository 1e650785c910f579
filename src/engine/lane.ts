import type { KeyObject } from "node:crypto";

import type { HeldDelivery } from "../model/delivery.ts";
import type { Target } from "../model/endpoint.ts";
import { fifo, lengthOf, type Fifo } from "./fifo.ts";
import type { Member } from "./member.ts";

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
export type Lane = {
  target: Target;
  /** The node's membership in the cell of the endpoint. */
  readonly member: Member;
  readonly key: KeyObject;
  readonly ready: Fifo<HeldDelivery>;
  /** Room promised to deliveries whose commit is under way. */
  reserved: number;
  open: number;
  /** Requests that may be open at once. */
  width: number;
  /** Failures in a row, as far as this node knows. */
  failures: number;
  /** Open requests that have been open for longer than `stallMs`. */
  stalled: number;
  suspect: boolean;
  /** Nothing is started for a moment: this service has no socket to spare. */
  resting: boolean;
  /** In which rings it waits for its turn; one that it does not belong to any more passes it over. */
  readonly listed: { well: boolean; suspect: boolean };
  /** Something was due in the queue and there was no room for it. */
  blocked: boolean;
  /** Waiting to be written: the last success (`settle.ts`). */
  lastDeliveredAtMs: number;
  lastWrittenAtMs: number;
};

const START_WIDTH = 4;
const SUSPECT_WIDTH_MAX = 2;
/** Deliveries that a suspect lane may keep in memory beside those being sent. */
const SUSPECT_READY_MAX = 4;
const STUCK_FAILURES = 3;
/** The part of the free window that one lane may fill: Choudhury and Hahne's dynamic threshold. */
const WINDOW_SHARE = 1 / 4;
const READY_MIN = 8;

export function openLane(target: Target, member: Member, key: KeyObject): Lane {
  return {
    target,
    member,
    key,
    ready: fifo(),
    reserved: 0,
    open: 0,
    width: target.failureCount > 0 ? 1 : START_WIDTH,
    failures: target.failureCount,
    stalled: 0,
    suspect: target.failureCount > 0,
    resting: false,
    listed: { well: false, suspect: false },
    blocked: false,
    lastDeliveredAtMs: 0,
    lastWrittenAtMs: 0,
  };
}

/** How many more deliveries the lane may take into memory, given what is free in the window. */
export function roomIn(lane: Lane, windowFree: number): number {
  if (!lane.target.active) return 0;
  const share = lane.suspect ? SUSPECT_READY_MAX : READY_MIN + Math.floor(windowFree * WINDOW_SHARE);
  return Math.max(0, Math.min(share - lengthOf(lane.ready) - lane.reserved, windowFree));
}

/** True when the lane may start another request, its own bounds alone considered. */
export function mayOpen(lane: Lane): boolean {
  const width = lane.suspect ? Math.min(lane.width, SUSPECT_WIDTH_MAX) : lane.width;
  return lane.target.active && !lane.resting && lane.open < width && lengthOf(lane.ready) > 0;
}

export function noteSuccess(lane: Lane, widthMax: number): void {
  lane.failures = 0;
  // Wider only where something waits: every further request open at once is a connection to keep.
  if (lengthOf(lane.ready) > 0) lane.width = Math.min(widthMax, lane.width + 1);
}

export function noteFailure(lane: Lane): void {
  lane.failures += 1;
  lane.width = Math.max(1, lane.width >> 1);
}

/** True when the lane should not keep more in memory than it is about to send. */
export function isStuck(lane: Lane): boolean {
  return lane.stalled > 0 || lane.failures >= STUCK_FAILURES;
}

/** What a stuck lane has in memory beyond what it may keep, the youngest first to go. */
export function surplusOf(lane: Lane): HeldDelivery[] {
  return lane.ready.items.splice(lane.ready.head + SUSPECT_READY_MAX);
}

export function isIdle(lane: Lane): boolean {
  return lane.open === 0 && lane.reserved === 0 && lengthOf(lane.ready) === 0 && !lane.blocked;
}
