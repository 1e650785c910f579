import type { KeyObject } from "node:crypto";

import {
  isSuccess,
  type AttemptError,
  type InFlightDelivery,
  type Outcome,
  type Peer,
  type SendDone,
  type SendResult,
} from "../../model/delivery.ts";
import type { Target } from "../../model/endpoint.ts";
import { MINUTE_MS } from "../../runtime/durations.ts";
import { TransientSet } from "../../runtime/transient.ts";
import type { Invariants } from "../invariants.ts";
import type { Member } from "../membership/member.ts";
import type { EngineSettings } from "../settings.ts";
import { buildAttemptRequest, type AttemptRequest } from "./attempt-request.ts";
import {
  createEndpointQueue,
  isIdle,
  mayStart,
  recordFailure,
  recordSuccess,
  shouldShed,
  takeExcess,
  type EndpointQueue,
} from "./endpoint-queue.ts";
import { push, shift, takeAll } from "./fifo.ts";
import { createHealthPools, type HealthPools } from "./health-pools.ts";
import { createWatchdog, type Watchdog } from "./watchdog.ts";
import type { NodeContext } from "../../store/node-context.ts";

/**
 * Starts attempts and passes on their outcomes, in no order between deliveries (spec 6.1: no_order).
 * `health-pools.ts` decides which endpoint is next.
 *
 *      enqueue ─▶ endpoint queue ─▶ health pool ─▶ open request ─▶ outcome ─▶ onEnded (settle.ts)
 *                       │                               └─ unsent ─▶ onUnsent, after a pause
 *                       └─ takeWaiting, onExcess: back to the queue table, not attempted
 */
export type Dispatch = ReturnType<typeof createDispatch>;

export type DispatchPorts = Pick<NodeContext, "clock" | "log"> & {
  readonly send: (request: AttemptRequest, done: SendDone) => void;
  /** The product's header tag, `Tracking` for `tracking` (spec 5.1). */
  readonly headerTag: (product: string) => string;
  readonly signingKey: (target: Target) => KeyObject;
  readonly onEnded: (
    queue: EndpointQueue,
    delivery: InFlightDelivery,
    outcome: Outcome,
    tookMs: number,
    peer: Peer | undefined,
  ) => void;
  /** This service could not send for its own fault, by the error's code. */
  readonly onPostponed?: ((reason: string) => void) | undefined;
  /** This service could not send the delivery; the endpoint queue pauses for a moment. */
  readonly onUnsent: (queue: EndpointQueue, delivery: InFlightDelivery) => void;
  readonly isMemoryShort: () => boolean;
  /** The endpoint makes no progress: `excess` is what it cannot send soon. */
  readonly onExcess: (queue: EndpointQueue, excess: readonly InFlightDelivery[]) => void;
  readonly invariants: Invariants;
};

type OpenAttempt = {
  readonly queue: EndpointQueue;
  readonly delivery: InFlightDelivery;
  readonly startedMs: number;
  hasEnded: boolean;
  isStalled: boolean;
};

type State = {
  readonly settings: EngineSettings;
  readonly ports: DispatchPorts;
  readonly queues: Map<string, EndpointQueue>;
  readonly pools: HealthPools;
  /** In the order of their start, oldest first. */
  readonly attempts: TransientSet<OpenAttempt>;
  readonly watchdog: Watchdog;
  /** Bound once: a pump starts many attempts. */
  readonly start: (queue: EndpointQueue) => void;
  isPumping: boolean;
  isStopped: boolean;
  unsentLoggedMs: number;
};

/** An endpoint queue pauses this long after a delivery could not be sent. */
const COOL_DOWN_MS = 1_000;
const UNSENT_LOGGED_EVERY_MS = MINUTE_MS;
/** Allowance beyond the attempt's time-out, for a slow machine. */
const OVERDUE_MS = 10_000;
const SENDER_THREW: AttemptError = { code: "internal_error", text: "The sender failed." };

export function createDispatch(settings: EngineSettings, ports: DispatchPorts) {
  const state: State = {
    settings,
    ports,
    queues: new Map(),
    pools: createHealthPools(settings, ports.invariants),
    attempts: new TransientSet(),
    watchdog: createWatchdog(ports.clock, ports.log),
    start: (queue) => start(state, queue),
    isPumping: false,
    isStopped: false,
    unsentLoggedMs: Number.NEGATIVE_INFINITY,
  };
  const { queues, pools, watchdog } = state;
  return {
    /** The endpoint's queue, opened on first use. */
    openQueue: (target: Target, member: Member): EndpointQueue => openQueue(state, target, member),
    queueOf: (endpointId: string): EndpointQueue | undefined => queues.get(endpointId),
    queues: (): IterableIterator<EndpointQueue> => queues.values(),
    /** Adds a delivery to the endpoint's queue; `pump` starts it. */
    enqueue(queue: EndpointQueue, delivery: InFlightDelivery): void {
      push(queue.ready, delivery);
      pools.enlist(queue);
    },
    /** Call after the queue's target has changed. */
    wake: pools.enlist,
    /** Takes the deliveries that have not started out of the queue. */
    takeWaiting: (queue: EndpointQueue): InFlightDelivery[] => takeAll(queue.ready),
    /** Starts the attempts that may start. Call it whenever that may have changed. */
    pump: (): void => pump(state),
    /** Looks for stalled requests and for attempts that do not start. Call it at an interval. */
    watch: (): void => watch(state),
    /** Drops idle endpoint queues when there are too many. */
    evict(): void {
      if (queues.size <= settings.endpointQueuesMax) return;
      for (const [id, queue] of queues) if (isIdle(queue)) queues.delete(id);
    },
    /** Starts no further attempt; `openCount` falls to zero. */
    stop(): void {
      state.isStopped = true;
    },
    openCount: pools.openCount,
    /** Why attempts make no progress although they could, or null. */
    unhealthyReason: (): string | null => watchdog.unhealthyReason() ?? overdueReason(state),
  };
}

function openQueue({ queues, ports }: State, target: Target, member: Member): EndpointQueue {
  const known = queues.get(target.id);
  if (known?.member === member) return known;
  // The node has joined the cell again: what was sent before has ended.
  if (known !== undefined && !isIdle(known)) throw new Error("the endpoint is busy in another cell");
  const opened = createEndpointQueue(target, member, ports.signingKey(target));
  queues.set(target.id, opened);
  return opened;
}

function pump(state: State): void {
  // `send` may end an attempt before it returns, which pumps again; this loop serves both.
  if (state.isPumping || state.isStopped) return;
  state.isPumping = true;
  try {
    state.pools.startNext(state.start);
  } catch (cause) {
    state.ports.log.error({ err: cause }, "starting attempts failed; the next pump goes on");
    state.pools.rebuild(state.queues.values());
  } finally {
    state.isPumping = false;
  }
}

function start(state: State, queue: EndpointQueue): void {
  const { ports, pools, watchdog } = state;
  const delivery = shift(queue.ready);
  if (delivery === undefined) {
    ports.invariants.report("turn_has_delivery", { endpoint: queue.target.id });
    return;
  }
  const startedMs = ports.clock.monotonicMs();
  const attempt: OpenAttempt = { queue, delivery, startedMs, hasEnded: false, isStalled: false };
  pools.opened(queue);
  state.attempts.add(attempt);
  try {
    const request = buildAttemptRequest(queue, delivery, ports.headerTag(queue.target.product));
    ports.send(request, (result, peer) => finish(state, attempt, result, { peer }));
    watchdog.started();
  } catch (cause) {
    watchdog.threw();
    finish(state, attempt, { kind: "unsent", error: SENDER_THREW }, { cause });
  }
}

/** `cause` is what the sender threw. */
function finish(
  state: State,
  attempt: OpenAttempt,
  result: SendResult,
  { peer, cause }: { readonly peer?: Peer | undefined; readonly cause?: unknown },
): void {
  const { queue, delivery } = attempt;
  const { ports } = state;
  if (attempt.hasEnded) return ports.invariants.report("attempt_ends_once", { delivery: delivery.id });
  attempt.hasEnded = true;
  state.attempts.delete(attempt);
  state.pools.closed(queue);
  if (attempt.isStalled) queue.stalled -= 1;
  try {
    if (result.kind === "unsent") postpone(state, attempt, result.error, cause);
    else end(state, attempt, result, peer);
  } catch (fault) {
    // A second send is the lesser evil: a delivery whose result is lost never ends.
    ports.log.error({ err: fault, delivery: delivery.id }, "the result of an attempt was not recorded");
    ports.onUnsent(queue, delivery);
  }
  pump(state);
}

function end(state: State, { queue, delivery, startedMs }: OpenAttempt, outcome: Outcome, peer?: Peer): void {
  const { settings, ports, pools } = state;
  if (isSuccess(outcome)) recordSuccess(queue, settings.openPerEndpointMax);
  else recordFailure(queue);
  pools.reassign(queue);
  pools.enlist(queue);
  ports.onEnded(queue, delivery, outcome, ports.clock.monotonicMs() - startedMs, peer);
}

/** The fault is this service's own: no attempt is counted. */
function postpone(state: State, { queue, delivery }: OpenAttempt, error: AttemptError, cause: unknown): void {
  const { ports, pools } = state;
  const nowMs = ports.clock.monotonicMs();
  ports.onPostponed?.(error.code);
  if (nowMs - state.unsentLoggedMs >= UNSENT_LOGGED_EVERY_MS) {
    state.unsentLoggedMs = nowMs;
    const fields = { err: cause, error: error.code, delivery: delivery.id };
    ports.log.error(fields, `attempts cannot be made, and wait: ${error.text}`);
  }
  pools.reassign(queue);
  if (!queue.coolingDown) {
    queue.coolingDown = true;
    ports.clock.after(COOL_DOWN_MS, () => {
      queue.coolingDown = false;
      pools.enlist(queue);
      pump(state);
    });
  }
  ports.onUnsent(queue, delivery);
}

function watch(state: State): void {
  const { ports, pools, watchdog } = state;
  markStalled(state);
  if (ports.isMemoryShort()) shedExcess(state);
  pump(state);
  watchdog.check(() => couldStart(state));
  if (watchdog.unhealthyReason() !== null) pools.rebuild(state.queues.values());
}

/** Degrades the endpoint queues of requests that have been open for too long. */
function markStalled({ settings, ports, pools, attempts }: State): void {
  const nowMs = ports.clock.monotonicMs();
  for (const attempt of attempts) {
    if (nowMs - attempt.startedMs < settings.stallMs) break;
    if (attempt.isStalled) continue;
    attempt.isStalled = true;
    attempt.queue.stalled += 1;
    pools.reassign(attempt.queue);
    pools.enlist(attempt.queue);
  }
}

function shedExcess({ queues, ports }: State): void {
  for (const queue of queues.values()) {
    if (!shouldShed(queue)) continue;
    const excess = takeExcess(queue);
    if (excess.length > 0) ports.onExcess(queue, excess);
  }
}

/** True when a delivery waits whose attempt nothing prevents. */
function couldStart({ isStopped, queues, pools }: State): boolean {
  if (isStopped) return false;
  for (const queue of queues.values()) {
    if (pools.hasCapacityFor(queue) && mayStart(queue) && queue.member.maySend()) return true;
  }
  return false;
}

function overdueReason({ settings, ports, attempts }: State): string | null {
  const [oldest] = attempts;
  const openMs = oldest === undefined ? 0 : ports.clock.monotonicMs() - oldest.startedMs;
  return openMs > settings.attemptTimeoutMs + OVERDUE_MS ? "an attempt has outlived its time-out" : null;
}
