import type { KeyObject } from "node:crypto";

import type { AttemptError, InFlightDelivery, Outcome, SendResult } from "../../model/delivery.ts";
import type { Target } from "../../model/endpoint.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import { buildAttemptRequest, type AttemptRequest } from "./attempt-request.ts";
import { push, shift, takeAll } from "./fifo.ts";
import type { Invariants } from "../invariants.ts";
import {
  isIdle,
  shouldShed,
  mayStart,
  recordFailure,
  recordSuccess,
  createEndpointQueue,
  takeExcess,
  type EndpointQueue,
} from "./endpoint-queue.ts";
import type { Member } from "../membership/member.ts";
import { createHealthPools } from "./health-pools.ts";
import type { EngineSettings } from "../settings.ts";
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
  openQueue(target: Target, member: Member): EndpointQueue;
  queueOf(endpointId: string): EndpointQueue | undefined;
  queues(): IterableIterator<EndpointQueue>;
  /** Gives a delivery to its lane; it is sent as soon as the lane's turn comes. */
  enqueue(lane: EndpointQueue, delivery: InFlightDelivery): void;
  /** Looks at a lane again whose target has changed. */
  wake(lane: EndpointQueue): void;
  /** Takes what has not been started yet out of the lane. */
  takeWaiting(lane: EndpointQueue): InFlightDelivery[];
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
  unhealthyReason(): string | null;
};

export type DispatchPorts = {
  readonly send: (request: AttemptRequest, done: (result: SendResult) => void) => void;
  /** The product's header tag, `Tracking` for `tracking` (spec 5.1). */
  readonly headerTag: (product: string) => string;
  readonly signingKey: (target: Target) => KeyObject;
  readonly onEnded: (lane: EndpointQueue, delivery: InFlightDelivery, outcome: Outcome) => void;
  /** Could not be sent for want of something of our own; the lane rests a moment. */
  readonly onUnsent: (lane: EndpointQueue, delivery: InFlightDelivery) => void;
  /** True when memory is short for those that get on. */
  readonly isMemoryShort: () => boolean;
  /** The lane does not get on, and what it cannot send soon makes room for others. */
  readonly onExcess: (lane: EndpointQueue, surplus: readonly InFlightDelivery[]) => void;
  readonly invariants: Invariants;
  readonly clock: Clock;
  readonly log: Log;
};

/** After something could not be sent for want of a socket, its lane rests for so long. */
const COOL_DOWN_MS = 1_000;
/** And this is how often it is logged. */
const UNSENT_LOGGED_EVERY_MS = 10_000;

/** Beyond the time that an attempt has in all, for the machine to be slow. */
const OVERDUE_MS = 10_000;

type OpenAttempt = {
  readonly queue: EndpointQueue;
  readonly delivery: InFlightDelivery;
  readonly startedMs: number;
  ended: boolean;
  stalled: boolean;
};

/** What a delivery waits for after its sender threw. */
const SENDER_THREW: AttemptError = { code: "internal_error", text: "The sender failed." };

export function createDispatch(settings: EngineSettings, ports: DispatchPorts): Dispatch {
  const lanes = new Map<string, EndpointQueue>();
  const rings = createHealthPools(settings, ports.invariants);
  const { enlist, reassign } = rings;
  /** In the order of their start, which is the order in which they grow old; no more than `openCount`. */
  const attempts = new Set<OpenAttempt>();
  const watchdog = createWatchdog(ports.clock, ports.log);
  let stopped = false;
  let loggedMs = Number.NEGATIVE_INFINITY;

  function start(lane: EndpointQueue): void {
    const delivery = shift(lane.ready);
    if (delivery === undefined) {
      ports.invariants.report("turn_has_delivery", { endpoint: lane.target.id });
      return;
    }
    const startedMs = ports.clock.monotonicMs();
    const attempt: OpenAttempt = { queue: lane, delivery, startedMs, ended: false, stalled: false };
    rings.opened(lane);
    attempts.add(attempt);
    try {
      const request = buildAttemptRequest(lane, delivery, ports.headerTag(lane.target.product));
      ports.send(request, (result) => finish(attempt, result));
      watchdog.started();
    } catch (cause) {
      watchdog.threw();
      finish(attempt, { kind: "unsent", error: SENDER_THREW }, cause);
    }
  }

  /** `cause` is what the sender threw. */
  function finish(attempt: OpenAttempt, result: SendResult, cause?: unknown): void {
    const { queue, delivery } = attempt;
    if (attempt.ended) return ports.invariants.report("attempt_ends_once", { delivery: delivery.id });
    close(attempt);
    try {
      if (result.kind === "unsent") postpone(queue, delivery, result.error, cause);
      else end(queue, delivery, result);
    } catch (fault) {
      // Sending it once more is the lesser evil: a delivery whose result is lost would never end.
      ports.log.error({ err: fault, delivery: delivery.id }, "the result of an attempt was not taken");
      ports.onUnsent(queue, delivery);
    }
    pump();
  }

  function close(attempt: OpenAttempt): void {
    const { queue } = attempt;
    attempt.ended = true;
    attempts.delete(attempt);
    rings.closed(queue);
    if (attempt.stalled) queue.stalled -= 1;
  }

  /** The fault is ours, and counts for nobody. */
  function postpone(
    lane: EndpointQueue,
    delivery: InFlightDelivery,
    error: AttemptError,
    cause: unknown,
  ): void {
    const nowMs = ports.clock.monotonicMs();
    if (nowMs - loggedMs >= UNSENT_LOGGED_EVERY_MS) {
      loggedMs = nowMs;
      const fields = { err: cause, error: error.code, delivery: delivery.id };
      ports.log.error(fields, `attempts cannot be made, and wait: ${error.text}`);
    }
    reassign(lane);
    if (!lane.coolingDown) {
      lane.coolingDown = true;
      ports.clock.after(COOL_DOWN_MS, () => {
        lane.coolingDown = false;
        enlist(lane);
        pump();
      });
    }
    ports.onUnsent(lane, delivery);
  }

  function end(lane: EndpointQueue, delivery: InFlightDelivery, outcome: Outcome): void {
    if (isSuccess(outcome)) recordSuccess(lane, settings.openPerEndpointMax);
    else recordFailure(lane);
    reassign(lane);
    enlist(lane);
    ports.onEnded(lane, delivery, outcome);
  }

  function makeRoom(): void {
    for (const lane of lanes.values()) {
      if (!shouldShed(lane)) continue;
      const surplus = takeExcess(lane);
      if (surplus.length > 0) ports.onExcess(lane, surplus);
    }
  }

  let pumping = false;
  function pump(): void {
    // `send` may end an attempt at once, which pumps; the loop below is enough for both.
    if (pumping || stopped) return;
    pumping = true;
    try {
      rings.startNext(start);
    } catch (cause) {
      ports.log.error({ err: cause }, "a turn of the endpoints broke off; the next one goes on");
      rings.rebuild(lanes.values());
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
      attempt.queue.stalled += 1;
      reassign(attempt.queue);
      enlist(attempt.queue);
    }
  }

  /** A delivery waits whose attempt nothing stops. */
  function couldStart(): boolean {
    if (stopped) return false;
    for (const lane of lanes.values()) {
      if (rings.hasCapacityFor(lane) && mayStart(lane) && lane.member.maySend()) return true;
    }
    return false;
  }

  function overdue(): string | null {
    const [oldest] = attempts;
    const openMs = oldest === undefined ? 0 : ports.clock.monotonicMs() - oldest.startedMs;
    return openMs > settings.attemptTimeoutMs + OVERDUE_MS ? "an attempt has outlived its time-out" : null;
  }

  return {
    openQueue(target, member) {
      const known = lanes.get(target.id);
      if (known !== undefined) return known;
      const made = createEndpointQueue(target, member, ports.signingKey(target));
      lanes.set(target.id, made);
      return made;
    },
    queueOf: (endpointId) => lanes.get(endpointId),
    queues: () => lanes.values(),
    enqueue(lane, delivery) {
      push(lane.ready, delivery);
      enlist(lane);
    },
    wake: enlist,
    takeWaiting: (lane) => takeAll(lane.ready),
    pump,
    watch() {
      markStalled(ports.clock.monotonicMs());
      if (ports.isMemoryShort()) makeRoom();
      pump();
      watchdog.check(couldStart);
      if (watchdog.unhealthyReason() !== null) rings.rebuild(lanes.values());
    },
    evict() {
      if (lanes.size <= settings.endpointQueuesMax) return;
      for (const [id, lane] of lanes) if (isIdle(lane)) lanes.delete(id);
    },
    stop() {
      stopped = true;
    },
    openCount: rings.openCount,
    unhealthyReason: () => watchdog.unhealthyReason() ?? overdue(),
  };
}

function isSuccess(outcome: Outcome): boolean {
  return outcome.kind === "answered" && outcome.statusCode >= 200 && outcome.statusCode <= 299;
}
