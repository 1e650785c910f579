import type { Target } from "../../model/endpoint.ts";
import { StoreUnavailable } from "../../model/errors.ts";
import { sleep } from "../../runtime/sleep.ts";
import { acknowledgeInvalidation, latestInvalidation } from "../../store/endpoints/invalidations.ts";
import { targetList } from "../../store/endpoints/routes.sql.ts";
import { ownQueues, queueFor, queueIn, sweep, type CellContext, type ClaimContext } from "../cell-context.ts";
import type { EndpointQueue } from "../dispatch/endpoint-queue.ts";

/** Endpoints read by one statement. */
const TARGETS_A_READ_MAX = 1_000;
/** Reads that wait or run. */
const REFRESHES_MAX = 1_000;

/** Applies an endpoint's state in the database to this node. */
export function refreshEndpoint(context: CellContext, accountId: string, endpointId: string): Promise<void> {
  const { engine, member } = context;
  return oneAtATime(context, async () => {
    engine.routes.invalidate(accountId);
    const [target] = await targetList(engine.database, member.cell, [endpointId]);
    // Again: a raise may have read the route before the change was committed.
    engine.routes.invalidate(accountId);
    // Open the queue even if nothing waits: a raise with an older route must find the current state.
    if (target !== undefined && engine.delivers) queueFor(context, target);
    const queue = queueIn(context, endpointId);
    if (queue !== undefined) applyTarget(context, queue, target ?? deletedTarget(queue));
    engine.dispatch.pump();
  });
}

/** Opens the queues of those endpoints that are active. */
export function openQueues(context: ClaimContext, endpointIds: readonly string[]): Promise<void> {
  const { engine, member } = context;
  return oneAtATime(context, async () => {
    const targets = await targetList(engine.database, member.cell, endpointIds);
    for (const target of targets) if (target.active) queueFor(context, target);
  });
}

/**
 * Refreshes the endpoint of every queue, after invalidations may have been missed, and retries until that
 * is done. Calls during a refresh share the next one; of several `caughtUp` the last one is called.
 */
export function refreshAll(context: CellContext, caughtUp?: () => void): void {
  const { fullRefresh } = context;
  fullRefresh.isWanted = true;
  if (caughtUp !== undefined) fullRefresh.caughtUp = caughtUp;
  if (!fullRefresh.isUnderWay) void runFullRefresh(context);
}

async function runFullRefresh(context: CellContext): Promise<void> {
  const { engine, fullRefresh } = context;
  fullRefresh.isUnderWay = true;
  while (fullRefresh.isWanted && !context.hasLeft) {
    fullRefresh.isWanted = false;
    try {
      await oneAtATime(context, () => refreshQueues(context));
      if (!fullRefresh.isWanted) fullRefresh.caughtUp();
    } catch (cause) {
      if (context.hasLeft) break;
      fullRefresh.isWanted = true;
      engine.log.warn({ err: cause }, "refreshing all endpoints failed; retrying");
      await sleep(engine.clock, engine.settings.heartbeatIntervalMs);
    }
  }
  fullRefresh.isUnderWay = false;
  if (context.hasLeft) return;
  await sweep(context);
  engine.dispatch.pump();
}

async function refreshQueues(context: CellContext): Promise<void> {
  const { engine, member } = context;
  const { database } = engine;
  const number = await latestInvalidation(database, member.cell);
  engine.routes.invalidateAll();
  const queues = ownQueues(context);
  for (let from = 0; from < queues.length; from += TARGETS_A_READ_MAX) {
    const some = queues.slice(from, from + TARGETS_A_READ_MAX);
    const ids = some.map((queue) => queue.target.id);
    const targets = await targetList(database, member.cell, ids);
    const byId = new Map(targets.map((target) => [target.id, target]));
    for (const queue of some) applyTarget(context, queue, byId.get(queue.target.id) ?? deletedTarget(queue));
  }
  await acknowledgeInvalidation(database, member.cell, member.node, number);
}

/** Reads run one after the other, so an older state never overwrites a newer one. */
function oneAtATime(context: ClaimContext, read: () => Promise<void>): Promise<void> {
  if (context.refreshCount >= REFRESHES_MAX) {
    const message = "too many changes of endpoints wait to be read";
    return Promise.reject(new StoreUnavailable(message, { commitUnknown: false, reason: "overloaded" }));
  }
  context.refreshCount += 1;
  const refresh = context.lastRefresh.then(read).finally(() => {
    context.refreshCount -= 1;
  });
  context.lastRefresh = refresh.catch(() => undefined);
  return refresh;
}

/** Applies an endpoint's new state to its queue: an inactive one releases its deliveries (spec 3.2: paused, resumed). */
export function applyTarget(
  { engine, inFlight, claimer }: CellContext,
  queue: EndpointQueue,
  target: Target,
): void {
  queue.target = target;
  if (target.active) {
    engine.dispatch.wake(queue);
    claimer.scheduleClaim(target.id, engine.clock.nowMs());
  } else {
    claimer.cancelClaim(target.id);
    void inFlight.release(engine.dispatch.takeWaiting(queue));
  }
}

/** The target of an endpoint that no longer exists. */
function deletedTarget(queue: EndpointQueue): Target {
  return { ...queue.target, active: false };
}
