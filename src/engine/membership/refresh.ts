import type { Target } from "../../model/endpoint.ts";
import { sleep } from "../../runtime/sleep.ts";
import { acknowledgeInvalidation, latestInvalidation } from "../../store/endpoints/invalidations.ts";
import { targetList } from "../../store/endpoints/routes.sql.ts";
import type { CellParts } from "../cell-queues.ts";
import type { Claimer } from "../claim/claim.ts";
import type { EndpointQueue } from "../dispatch/endpoint-queue.ts";

/**
 * Applies the state of endpoints in the database to this node: of one that has changed, or of all, after invalidations
 * may have been missed.
 *
 *      wanted ─▶ all are read ─▶ caught up
 *        ▲            │ wanted again, or the database cannot be reached: after heartbeatIntervalMs
 *        └────────────┘
 */
export type Refresh = ReturnType<typeof createRefresh>;

type Parts = CellParts & { readonly claimer: Claimer };

type State = Parts & {
  isUnderWay: boolean;
  isWanted: boolean;
  isStopped: boolean;
  caughtUp: () => void;
};

/** Endpoints read by one statement. */
const TARGETS_A_READ_MAX = 1_000;

export function createRefresh(parts: Parts) {
  const state: State = {
    ...parts,
    isUnderWay: false,
    isWanted: false,
    isStopped: false,
    caughtUp: () => undefined,
  };
  return {
    /** Refreshes one endpoint. */
    one: (accountId: string, endpointId: string): Promise<void> => refreshOne(state, accountId, endpointId),
    /**
     * Refreshes the endpoint of every queue, and retries until that is done. Calls during a refresh share the next one;
     * of several `caughtUp` the last one is called.
     */
    all: (caughtUp?: () => void): void => refreshAll(state, caughtUp),
    /** The node has applied every invalidation up to this one. */
    async acknowledge(number: number): Promise<void> {
      const { engine, member } = parts;
      // Earlier invalidations may have been missed: a refresh of all acknowledges them, and this one too.
      if (state.isUnderWay) refreshAll(state);
      else await acknowledgeInvalidation(engine.database, member.cell, member.node, number);
    },
    /** The endpoint is inactive, or gone. */
    deactivate: (queue: EndpointQueue): void => apply(state, queue, undefined),
    /** The node has left the cell. */
    stop(): void {
      state.isStopped = true;
    },
  };
}

function refreshOne(state: State, accountId: string, endpointId: string): Promise<void> {
  const { engine, member, queues } = state;
  return queues.oneAtATime(async () => {
    engine.routes.invalidate(accountId);
    const [target] = await targetList(engine.database, member.cell, [endpointId]);
    // Again: a raise may have read the route before the change was committed.
    engine.routes.invalidate(accountId);
    // Open the queue even if nothing waits: a raise with an older route must find the current state.
    if (target !== undefined && engine.delivers) queues.open(target);
    const queue = queues.queueOf(endpointId);
    if (queue !== undefined) apply(state, queue, target);
    engine.dispatch.pump();
  });
}

function refreshAll(state: State, caughtUp?: () => void): void {
  state.isWanted = true;
  if (caughtUp !== undefined) state.caughtUp = caughtUp;
  if (!state.isUnderWay) void runFullRefresh(state);
}

async function runFullRefresh(state: State): Promise<void> {
  const { engine, queues, claimer } = state;
  state.isUnderWay = true;
  while (state.isWanted && !state.isStopped) {
    state.isWanted = false;
    try {
      await queues.oneAtATime(() => readAll(state));
      if (!state.isWanted) state.caughtUp();
    } catch (cause) {
      if (state.isStopped) break;
      state.isWanted = true;
      engine.log.warn({ err: cause }, "refreshing all endpoints failed; retrying");
      await sleep(engine.clock, engine.settings.heartbeatIntervalMs);
    }
  }
  state.isUnderWay = false;
  if (state.isStopped) return;
  await claimer.sweep();
  engine.dispatch.pump();
}

async function readAll(state: State): Promise<void> {
  const { engine, member, queues } = state;
  const { database, routes } = engine;
  const number = await latestInvalidation(database, member.cell);
  routes.invalidateAll();
  const own = queues.own();
  for (let from = 0; from < own.length; from += TARGETS_A_READ_MAX) {
    const some = own.slice(from, from + TARGETS_A_READ_MAX);
    const ids = some.map((queue) => queue.target.id);
    const targets = await targetList(database, member.cell, ids);
    const byId = new Map(targets.map((target) => [target.id, target]));
    for (const queue of some) apply(state, queue, byId.get(queue.target.id));
  }
  await acknowledgeInvalidation(database, member.cell, member.node, number);
}

/** An endpoint that is inactive, or gone (undefined), releases its deliveries (spec 3.2: paused, resumed). */
function apply({ engine, inFlight, claimer }: State, queue: EndpointQueue, target: Target | undefined): void {
  queue.target = target ?? { ...queue.target, active: false };
  const { id, active } = queue.target;
  if (active) {
    engine.dispatch.wake(queue);
    claimer.scheduleClaim(id, engine.clock.nowMs());
  } else {
    claimer.cancelClaim(id);
    void inFlight.release(engine.dispatch.takeWaiting(queue));
  }
}
