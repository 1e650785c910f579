import type { Target } from "../model/endpoint.ts";
import { StoreUnavailable } from "../model/errors.ts";
import { pause } from "../runtime/pause.ts";
import { latestChange, seeChange } from "../store/endpoints/changes.ts";
import { readTargets } from "../store/endpoints/routes.ts";
import type { Lane } from "./lane.ts";
import { laneFor, ownLanes, sweep, type Holding, type Presence } from "./presence.ts";

/** Endpoints read by one statement. */
const TARGETS_A_READ_MAX = 1_000;
/** Readings that wait for their turn or are under way. */
const READINGS_MAX = 1_000;

/** Makes this node act by an endpoint's state as it is in the database now. */
export function takeIn(presence: Presence, accountId: string, endpointId: string): Promise<void> {
  const { parts, member } = presence;
  return inTurn(presence, async () => {
    parts.routes.forget(accountId);
    const [target] = await readTargets(parts.database, member.cell, [endpointId]);
    // Once more: a route may have been read, by somebody who raised, before the change was committed.
    parts.routes.forget(accountId);
    // Opened though nothing may wait in it: who raises by an older route is to find the state of now.
    if (target !== undefined && parts.delivers) laneFor(presence, target);
    const lane = parts.dispatch.laneOf(endpointId);
    if (lane !== undefined) applyTarget(presence, lane, target ?? gone(lane));
    parts.dispatch.pump();
  });
}

/** Opens the lanes of those of the endpoints that are active. */
export function openLanes(presence: Holding, endpointIds: readonly string[]): Promise<void> {
  const { parts, member } = presence;
  return inTurn(presence, async () => {
    const targets = await readTargets(parts.database, member.cell, endpointIds);
    for (const target of targets) if (target.active) laneFor(presence, target);
  });
}

/**
 * Reads every lane's endpoint anew, after notices may have been missed, and tries until that is done. Whoever asks
 * while a reading is under way shares the next one; of several `caughtUp` the last one is told.
 */
export function takeInAll(presence: Presence, caughtUp?: () => void): void {
  const { rereading } = presence;
  rereading.isWanted = true;
  if (caughtUp !== undefined) rereading.caughtUp = caughtUp;
  if (!rereading.isUnderWay) void rereadAll(presence);
}

async function rereadAll(presence: Presence): Promise<void> {
  const { parts, rereading } = presence;
  rereading.isUnderWay = true;
  while (rereading.isWanted && !presence.hasLeft) {
    rereading.isWanted = false;
    try {
      await inTurn(presence, () => readAll(presence));
      if (!rereading.isWanted) rereading.caughtUp();
    } catch (cause) {
      if (presence.hasLeft) break;
      rereading.isWanted = true;
      parts.log.warn({ err: cause }, "reading the endpoints anew failed; trying again");
      await pause(parts.clock, parts.settings.beatIntervalMs);
    }
  }
  rereading.isUnderWay = false;
  if (presence.hasLeft) return;
  await sweep(presence);
  parts.dispatch.pump();
}

async function readAll(presence: Presence): Promise<void> {
  const { parts, member } = presence;
  const { database } = parts;
  const number = await latestChange(database, member.cell);
  parts.routes.forgetAll();
  const lanes = ownLanes(presence);
  for (let from = 0; from < lanes.length; from += TARGETS_A_READ_MAX) {
    const some = lanes.slice(from, from + TARGETS_A_READ_MAX);
    const ids = some.map((lane) => lane.target.id);
    const targets = await readTargets(database, member.cell, ids);
    const byId = new Map(targets.map((target) => [target.id, target]));
    for (const lane of some) applyTarget(presence, lane, byId.get(lane.target.id) ?? gone(lane));
  }
  await seeChange(database, member.cell, member.node, number);
}

/** One reading after the other, so that an older state never comes after a newer one. */
function inTurn(presence: Holding, read: () => Promise<void>): Promise<void> {
  if (presence.readings >= READINGS_MAX) {
    const message = "too many changes of endpoints wait to be read";
    return Promise.reject(new StoreUnavailable(message, { inDoubt: false, reason: "overloaded" }));
  }
  presence.readings += 1;
  const turn = presence.reading.then(read).finally(() => {
    presence.readings -= 1;
  });
  presence.reading = turn.catch(() => undefined);
  return turn;
}

/** Makes a lane act by its endpoint's new state. */
export function applyTarget({ parts, held, claimer }: Presence, lane: Lane, target: Target): void {
  lane.target = target;
  if (target.active) {
    parts.dispatch.wake(lane);
    claimer.expect(target.id, parts.clock.nowMs());
  } else {
    claimer.forget(target.id);
    void held.release(parts.dispatch.park(lane));
  }
}

/** The target of an endpoint that is not there any more. */
function gone(lane: Lane): Target {
  return { ...lane.target, active: false };
}
