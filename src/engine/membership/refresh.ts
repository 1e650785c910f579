import type { Target } from "../../model/endpoint.ts";
import { StoreUnavailable } from "../../model/errors.ts";
import { sleep } from "../../runtime/sleep.ts";
import { latestInvalidation, acknowledgeInvalidation } from "../../store/endpoints/invalidations.ts";
import { readTargets } from "../../store/endpoints/routes.ts";
import type { EndpointQueue } from "../dispatch/endpoint-queue.ts";
import { queueFor, ownQueues, sweep, type ClaimContext, type CellContext } from "../cell-context.ts";

/** Endpoints read by one statement. */
const TARGETS_A_READ_MAX = 1_000;
/** Readings that wait for their turn or are under way. */
const REFRESHES_MAX = 1_000;

/** Makes this node act by an endpoint's state as it is in the database now. */
export function refreshEndpoint(presence: CellContext, accountId: string, endpointId: string): Promise<void> {
  const { engine, member } = presence;
  return oneAtATime(presence, async () => {
    engine.routes.invalidate(accountId);
    const [target] = await readTargets(engine.database, member.cell, [endpointId]);
    // Once more: a route may have been read, by somebody who raised, before the change was committed.
    engine.routes.invalidate(accountId);
    // Opened though nothing may wait in it: who raises by an older route is to find the state of now.
    if (target !== undefined && engine.delivers) queueFor(presence, target);
    const lane = engine.dispatch.queueOf(endpointId);
    if (lane !== undefined) applyTarget(presence, lane, target ?? deletedTarget(lane));
    engine.dispatch.pump();
  });
}

/** Opens the lanes of those of the endpoints that are active. */
export function openQueues(presence: ClaimContext, endpointIds: readonly string[]): Promise<void> {
  const { engine, member } = presence;
  return oneAtATime(presence, async () => {
    const targets = await readTargets(engine.database, member.cell, endpointIds);
    for (const target of targets) if (target.active) queueFor(presence, target);
  });
}

/**
 * Reads every lane's endpoint anew, after notices may have been missed, and tries until that is done. Whoever asks
 * while a reading is under way shares the next one; of several `caughtUp` the last one is told.
 */
export function refreshAll(presence: CellContext, caughtUp?: () => void): void {
  const { fullRefresh } = presence;
  fullRefresh.isWanted = true;
  if (caughtUp !== undefined) fullRefresh.caughtUp = caughtUp;
  if (!fullRefresh.isUnderWay) void runFullRefresh(presence);
}

async function runFullRefresh(presence: CellContext): Promise<void> {
  const { engine, fullRefresh } = presence;
  fullRefresh.isUnderWay = true;
  while (fullRefresh.isWanted && !presence.hasLeft) {
    fullRefresh.isWanted = false;
    try {
      await oneAtATime(presence, () => refreshQueues(presence));
      if (!fullRefresh.isWanted) fullRefresh.caughtUp();
    } catch (cause) {
      if (presence.hasLeft) break;
      fullRefresh.isWanted = true;
      engine.log.warn({ err: cause }, "reading the endpoints anew failed; trying again");
      await sleep(engine.clock, engine.settings.heartbeatIntervalMs);
    }
  }
  fullRefresh.isUnderWay = false;
  if (presence.hasLeft) return;
  await sweep(presence);
  engine.dispatch.pump();
}

async function refreshQueues(presence: CellContext): Promise<void> {
  const { engine, member } = presence;
  const { database } = engine;
  const number = await latestInvalidation(database, member.cell);
  engine.routes.invalidateAll();
  const lanes = ownQueues(presence);
  for (let from = 0; from < lanes.length; from += TARGETS_A_READ_MAX) {
    const some = lanes.slice(from, from + TARGETS_A_READ_MAX);
    const ids = some.map((lane) => lane.target.id);
    const targets = await readTargets(database, member.cell, ids);
    const byId = new Map(targets.map((target) => [target.id, target]));
    for (const lane of some) applyTarget(presence, lane, byId.get(lane.target.id) ?? deletedTarget(lane));
  }
  await acknowledgeInvalidation(database, member.cell, member.node, number);
}

/** One reading after the other, so that an older state never comes after a newer one. */
function oneAtATime(presence: ClaimContext, read: () => Promise<void>): Promise<void> {
  if (presence.refreshCount >= REFRESHES_MAX) {
    const message = "too many changes of endpoints wait to be read";
    return Promise.reject(new StoreUnavailable(message, { commitUnknown: false, reason: "overloaded" }));
  }
  presence.refreshCount += 1;
  const turn = presence.lastRefresh.then(read).finally(() => {
    presence.refreshCount -= 1;
  });
  presence.lastRefresh = turn.catch(() => undefined);
  return turn;
}

/** Makes a lane act by its endpoint's new state. */
export function applyTarget(
  { engine, inFlight, claimer }: CellContext,
  lane: EndpointQueue,
  target: Target,
): void {
  lane.target = target;
  if (target.active) {
    engine.dispatch.wake(lane);
    claimer.scheduleClaim(target.id, engine.clock.nowMs());
  } else {
    claimer.cancelClaim(target.id);
    void inFlight.release(engine.dispatch.takeWaiting(lane));
  }
}

/** The target of an endpoint that is not there any more. */
function deletedTarget(lane: EndpointQueue): Target {
  return { ...lane.target, active: false };
}
