import type { KeyObject } from "node:crypto";

import type { AttemptError, HeldDelivery, Outcome, SendResult } from "../model/delivery.ts";
import type { Target } from "../model/endpoint.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { requestFor, type AttemptRequest } from "./attempt-request.ts";
import { push, shift, takeAll } from "./fifo.ts";
import type { Invariants } from "./invariants.ts";
import {
  isIdle,
  isStuck,
  mayOpen,
  noteFailure,
  noteSuccess,
  openLane,
  surplusOf,
  type Lane,
} from "./lane.ts";
import type { Member } from "./member.ts";
import { createRings } from "./rings.ts";
import type { EngineSettings } from "./settings.ts";
import { createWatchdog } from "./watchdog.ts";

/**
 * Starts attempts, and hands on what became of them. Whose turn it is, `rings.ts` says.
 *
 *      hold ─▶ lane.ready ─▶ ring ─▶ open request ─▶ outcome ─▶ onEnded (settle.ts)
 *                 │
 *                 └─ park: back to the queue, unattempted
 */
export type Dispatch = {
  /** The lane of an endpoint, opened on first use. */
  lane(target: Target, member: Member): Lane;
  laneOf(endpointId: string): Lane | undefined;
  lanes(): IterableIterator<Lane>;
  /** Gives a delivery to its lane; it is sent as soon as the lane's turn comes. */
  hold(lane: Lane, delivery: HeldDelivery): void;
  /** Looks at a lane again whose target has changed. */
  wake(lane: Lane): void;
  /** Takes what has not been started yet out of the lane. */
  park(lane: Lane): HeldDelivery[];
  /** Starts what may be started; called whenever something may have changed. */
  pump(): void;
  /** Looks for requests that have been open for too long, and for attempts that do not start. To be called every so often. */
  watch(): void;
  /** Forgets lanes that have had nothing to do, when there are too many. */
  evict(): void;
  /** No further attempt is started; `openCount` falls to zero by itself. */
  stop(): void;
  openCount(): number;
  /** Why attempts do not get on although they could, or null. */
  illness(): string | null;
};

export type DispatchPorts = {
  readonly send: (request: AttemptRequest, done: (result: SendResult) => void) => void;
  /** The product's header tag, `Tracking` for `tracking` (spec 5.1). */
  readonly headerTag: (product: string) => string;
  readonly signingKey: (target: Target) => KeyObject;
  readonly onEnded: (lane: Lane, delivery: HeldDelivery, outcome: Outcome) => void;
  /** Could not be sent for want of something of our own; the lane rests a moment. */
  readonly onUnsent: (lane: Lane, delivery: HeldDelivery) => void;
  /** True when memory is short for those that get on. */
  readonly isCrowded: () => boolean;
  /** The lane does not get on, and what it cannot send soon makes room for others. */
  readonly onStuck: (lane: Lane, surplus: readonly HeldDelivery[]) => void;
  readonly invariants: Invariants;
  readonly clock: Clock;
  readonly log: Log;
};

/** After something could not be sent for want of a socket, its lane rests for so long. */
const REST_MS = 1_000;
/** And this is how often it is logged. */
const UNSENT_LOGGED_EVERY_MS = 10_000;

/** Beyond the time that an attempt has in all, for the machine to be slow. */
const OVERDUE_MS = 10_000;

type OpenAttempt = {
  readonly lane: Lane;
  readonly delivery: HeldDelivery;
  readonly startedMs: number;
  ended: boolean;
  stalled: boolean;
};

/** What a delivery waits for after its sender threw. */
const SENDER_THREW: AttemptError = { code: "internal_error", text: "The sender failed." };

export function createDispatch(settings: EngineSettings, ports: DispatchPorts): Dispatch {
  const lanes = new Map<string, Lane>();
  const rings = createRings(settings, ports.invariants);
  const { list, judge } = rings;
  /** In the order of their start, which is the order in which they grow old; no more than `openCount`. */
  const attempts = new Set<OpenAttempt>();
  const watchdog = createWatchdog(ports.clock, ports.log);
  let stopped = false;
  let loggedMs = Number.NEGATIVE_INFINITY;

  function start(lane: Lane): void {
    const delivery = shift(lane.ready);
    if (delivery === undefined) {
      ports.invariants.report("turn_has_delivery", { endpoint: lane.target.id });
      return;
    }
    const startedMs = ports.clock.monotonicMs();
    const attempt: OpenAttempt = { lane, delivery, startedMs, ended: false, stalled: false };
    rings.opened(lane);
    attempts.add(attempt);
    try {
      const request = requestFor(lane, delivery, ports.headerTag(lane.target.product));
      ports.send(request, (result) => finish(attempt, result));
      watchdog.started();
    } catch (cause) {
      watchdog.threw();
      finish(attempt, { kind: "unsent", error: SENDER_THREW }, cause);
    }
  }

  /** `cause` is what the sender threw. */
  function finish(attempt: OpenAttempt, result: SendResult, cause?: unknown): void {
    const { lane, delivery } = attempt;
    if (attempt.ended) return ports.invariants.report("attempt_ends_once", { delivery: delivery.id });
    close(attempt);
    try {
      if (result.kind === "unsent") postpone(lane, delivery, result.error, cause);
      else end(lane, delivery, result);
    } catch (fault) {
      // Sending it once more is the lesser evil: a delivery whose result is lost would never end.
      ports.log.error({ err: fault, delivery: delivery.id }, "the result of an attempt was not taken");
      ports.onUnsent(lane, delivery);
    }
    pump();
  }

  function close(attempt: OpenAttempt): void {
    const { lane } = attempt;
    attempt.ended = true;
    attempts.delete(attempt);
    rings.closed(lane);
    if (attempt.stalled) lane.stalled -= 1;
  }

  /** The fault is ours, and counts for nobody. */
  function postpone(lane: Lane, delivery: HeldDelivery, error: AttemptError, cause: unknown): void {
    const nowMs = ports.clock.monotonicMs();
    if (nowMs - loggedMs >= UNSENT_LOGGED_EVERY_MS) {
      loggedMs = nowMs;
      const fields = { err: cause, error: error.code, delivery: delivery.id };
      ports.log.error(fields, `attempts cannot be made, and wait: ${error.text}`);
    }
    judge(lane);
    if (!lane.resting) {
      lane.resting = true;
      ports.clock.after(REST_MS, () => {
        lane.resting = false;
        list(lane);
        pump();
      });
    }
    ports.onUnsent(lane, delivery);
  }

  function end(lane: Lane, delivery: HeldDelivery, outcome: Outcome): void {
    if (isSuccess(outcome)) noteSuccess(lane, settings.openPerEndpointMax);
    else noteFailure(lane);
    judge(lane);
    list(lane);
    ports.onEnded(lane, delivery, outcome);
  }

  function makeRoom(): void {
    for (const lane of lanes.values()) {
      if (!isStuck(lane)) continue;
      const surplus = surplusOf(lane);
      if (surplus.length > 0) ports.onStuck(lane, surplus);
    }
  }

  let pumping = false;
  function pump(): void {
    // `send` may end an attempt at once, which pumps; the loop below is enough for both.
    if (pumping || stopped) return;
    pumping = true;
    try {
      rings.turn(start);
    } catch (cause) {
      ports.log.error({ err: cause }, "a turn of the endpoints broke off; the next one goes on");
      rings.relist(lanes.values());
    } finally {
      pumping = false;
    }
  }

  /** Marks the lanes of requests that have been open for too long. */
  function markStalled(nowMs: number): void {
    for (const attempt of attempts) {
      if (nowMs - attempt.startedMs < settings.stallMs) break;
      if (attempt.stalled) continue;
      attempt.stalled = true;
      attempt.lane.stalled += 1;
      judge(attempt.lane);
      list(attempt.lane);
    }
  }

  /** A delivery waits whose attempt nothing stops. */
  function couldStart(): boolean {
    if (stopped) return false;
    for (const lane of lanes.values()) {
      if (rings.hasRoomFor(lane) && mayOpen(lane) && lane.member.maySend()) return true;
    }
    return false;
  }

  function overdue(): string | null {
    const [oldest] = attempts;
    const openMs = oldest === undefined ? 0 : ports.clock.monotonicMs() - oldest.startedMs;
    return openMs > settings.attemptTimeoutMs + OVERDUE_MS ? "an attempt has outlived its time-out" : null;
  }

  return {
    lane(target, member) {
      const known = lanes.get(target.id);
      if (known !== undefined) return known;
      const made = openLane(target, member, ports.signingKey(target));
      lanes.set(target.id, made);
      return made;
    },
    laneOf: (endpointId) => lanes.get(endpointId),
    lanes: () => lanes.values(),
    hold(lane, delivery) {
      push(lane.ready, delivery);
      list(lane);
    },
    wake: list,
    park: (lane) => takeAll(lane.ready),
    pump,
    watch() {
      markStalled(ports.clock.monotonicMs());
      if (ports.isCrowded()) makeRoom();
      pump();
      watchdog.look(couldStart);
      if (watchdog.illness() !== null) rings.relist(lanes.values());
    },
    evict() {
      if (lanes.size <= settings.lanesMax) return;
      for (const [id, lane] of lanes) if (isIdle(lane)) lanes.delete(id);
    },
    stop() {
      stopped = true;
    },
    openCount: rings.openCount,
    illness: () => watchdog.illness() ?? overdue(),
  };
}

function isSuccess(outcome: Outcome): boolean {
  return outcome.kind === "answered" && outcome.statusCode >= 200 && outcome.statusCode <= 299;
}
