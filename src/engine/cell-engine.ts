import type { HeldDelivery } from "../model/delivery.ts";
import type { Target } from "../model/endpoint.ts";
import type { Cell } from "../store/cell.ts";
import { latestChange, seeChange, tellDue } from "../store/changes.ts";
import { readTargets } from "../store/routes.ts";
import type { FailingEndpoint } from "../store/settling.ts";
import { createClaimer } from "./claim.ts";
import type { EngineParts } from "./parts.ts";
import { createHeld, type Held } from "./held.ts";
import { roomIn, type Lane } from "./lane.ts";
import { createNodeLife } from "./node.ts";
import { createNotices } from "./notices.ts";
import { createPruner } from "./prune.ts";
import { createRaiser, type Raiser } from "./raise.ts";
import { createSettler, type Ended } from "./settle.ts";
import { freeIn } from "./window.ts";

/** The engine's work in one cell: membership, raising, claiming, settling, and what ties them. */
export type CellEngine = {
  readonly cell: Cell;
  readonly raiser: Raiser;
  /** Takes the result of an attempt of one of the cell's endpoints. */
  ended: ReturnType<typeof createSettler>["ended"];
  /** Puts what a lane cannot send soon back into the queue. */
  giveBack(lane: Lane, surplus: readonly HeldDelivery[]): void;
  /** See `Engine.endpointChanged`. */
  changed(accountId: string, endpointId: string): Promise<void>;
  start(): Promise<void>;
  sweep(): Promise<void>;
  /** Gives back all that has not been started. */
  park(): Promise<void>;
  stopClaiming(): Promise<void>;
  /** Resolves when all results are written. */
  written(): Promise<void>;
  /** Leaves the cell; with `clean` false others take over what is left. */
  leave(clean: boolean): Promise<void>;
};

const TARGETS_A_READ_MAX = 1_000;

export function createCellEngine(cell: Cell, parts: EngineParts): CellEngine {
  const { settings, database, clock, log, dispatch, window, routes } = parts;

  const life = createNodeLife(settings, {
    ...parts,
    cell,
    oldestHeld: () => held.oldest(),
    onNotice: (payload) => notices.hear(payload),
    onRelinked: () => void refresh(),
    onReplaced: () => {
      for (const lane of ownLanes()) held.lose(dispatch.park(lane));
    },
    onTakenOver: () => void sweep(),
  });
  const { member } = life;
  const held: Held = createHeld(window, member, database, clock, log);

  const laneFor = (target: Target): Lane | null => {
    try {
      return dispatch.lane(target, member);
    } catch (cause) {
      log.error({ err: cause, endpoint: target.id }, "an endpoint cannot be delivered to; its deliveries wait");
      return null;
    }
  };
  const room = (lane: Lane) => (member.maySend() ? roomIn(lane, freeIn(window)) : 0);

  const notices = createNotices(settings, {
    database,
    member,
    clock,
    takeIn,
    onDue: expectAll,
    onFault: (cause) => {
      log.warn({ err: cause }, "a change of an endpoint could not be taken in; reading all anew");
      void refresh();
    },
  });

  const claimer = createClaimer(settings, {
    database,
    member,
    clock,
    log,
    laneOf: dispatch.laneOf,
    openLane: laneFor,
    roomIn: room,
    hold: (deliveries) => {
      for (const delivery of deliveries) {
        held.claim(delivery);
        hold(delivery);
      }
      dispatch.pump();
    },
  });

  const settler = createSettler(settings, {
    database,
    cell,
    clock,
    log,
    onWritten,
    onRefused: (batch) => {
      for (const { delivery } of batch) held.stuck(delivery);
    },
    onFailing: (endpoints) => {
      for (const endpoint of endpoints) if (endpoint.disabled) onDisabled(endpoint);
    },
  });

  const raiser = createRaiser(settings, {
    ...parts,
    cell,
    reserve(target, deliveryId, bytes) {
      if (!parts.delivers || !member.maySend()) return null;
      const lane = laneFor(target);
      if (lane === null || room(lane) === 0) return null;
      lane.reserved += 1;
      held.take(deliveryId, bytes);
      return member.node;
    },
    hold(delivery) {
      const lane = dispatch.laneOf(delivery.endpointId)!;
      lane.reserved -= 1;
      hold(delivery);
      parts.pumpSoon();
    },
    cancel(delivery, unknown) {
      dispatch.laneOf(delivery.endpointId)!.reserved -= 1;
      if (unknown) held.doubtful(delivery.id, delivery.body.length);
      else held.withdrawn(delivery.id, delivery.body.length);
    },
    onQueued(endpointIds) {
      if (parts.delivers) expectAll(endpointIds);
      else tellOthers([...new Set(endpointIds)]);
    },
  });

  const pruner = createPruner(settings, database, cell, clock, log);

  /** A delivery that this node holds goes to its lane, or back when it must not be sent any more. */
  function hold(delivery: HeldDelivery): void {
    const lane = dispatch.laneOf(delivery.endpointId);
    if (lane === undefined || !lane.target.active) void held.release([delivery]);
    else if (delivery.node !== member.node) held.lose([delivery]);
    else dispatch.hold(lane, delivery);
  }

  function expectAll(endpointIds: readonly string[]): void {
    const nowMs = clock.nowMs();
    if (parts.delivers) for (const endpointId of endpointIds) claimer.expect(endpointId, nowMs);
  }

  function tellOthers(endpointIds: readonly string[]): void {
    tellDue(database, cell, endpointIds).catch((cause: unknown) =>
      log.warn({ err: cause }, "other nodes were not told of what is due; their next sweep finds it"),
    );
  }

  function onWritten(batch: readonly Ended[]): void {
    for (const { lane, delivery, settlement } of batch) {
      held.settled(delivery);
      if (settlement.dueAtMs !== null) claimer.expect(lane.target.id, settlement.dueAtMs);
    }
    claimer.roomy();
    parts.roomMade();
  }

  function onDisabled({ id, accountId, failureCount }: FailingEndpoint): void {
    log.info({ endpoint: id, account: accountId, failures: failureCount }, "endpoint disabled after consecutive failures");
    const lane = dispatch.laneOf(id);
    if (lane !== undefined) apply(lane, { ...lane.target, active: false });
    changed(accountId, id).catch((cause: unknown) =>
      log.warn({ err: cause, endpoint: id }, "other nodes were not told that an endpoint was disabled"),
    );
  }

  /** Makes the lane act by the target's new state. */
  function apply(lane: Lane, target: Target): void {
    lane.target = target;
    if (target.active) {
      dispatch.wake(lane);
      claimer.expect(target.id, clock.nowMs());
    } else {
      claimer.forget(target.id);
      void held.release(dispatch.park(lane));
    }
  }

  async function takeIn(accountId: string, endpointId: string): Promise<void> {
    routes.forget(accountId);
    const [target] = await readTargets(database, cell, [endpointId]);
    routes.forget(accountId);
    const lane = dispatch.laneOf(endpointId);
    if (lane !== undefined) apply(lane, target ?? { ...lane.target, active: false });
    else if (target?.active === true && parts.delivers) claimer.expect(endpointId, clock.nowMs());
    dispatch.pump();
  }

  async function changed(accountId: string, endpointId: string): Promise<void> {
    await notices.tell(accountId, endpointId);
  }

  /** Reads every lane's endpoint anew, after notices may have been missed. */
  async function refresh(): Promise<void> {
    try {
      const number = await latestChange(database, cell);
      routes.forgetAll();
      const lanes = ownLanes();
      for (let from = 0; from < lanes.length; from += TARGETS_A_READ_MAX) {
        const some = lanes.slice(from, from + TARGETS_A_READ_MAX);
        const targets = await readTargets(database, cell, some.map((lane) => lane.target.id));
        const byId = new Map(targets.map((target) => [target.id, target]));
        for (const lane of some) apply(lane, byId.get(lane.target.id) ?? { ...lane.target, active: false });
      }
      await seeChange(database, cell, member.node, number);
      await held.releaseLate();
      await sweep();
      dispatch.pump();
    } catch (cause) {
      log.warn({ err: cause }, "reading the endpoints anew failed; trying again");
      clock.after(settings.beatIntervalMs, () => void refresh());
    }
  }

  const ownLanes = () => [...dispatch.lanes()].filter((lane) => lane.member === member);

  async function sweep(): Promise<void> {
    try {
      await held.releaseLate();
      if (parts.delivers) await claimer.sweep();
    } catch (cause) {
      log.warn({ err: cause, cell: cell.number }, "the sweep failed; the next one makes up for it");
    }
  }

  return {
    cell,
    raiser,
    ended: settler.ended,
    giveBack(lane, surplus) {
      void held.release(surplus).then(() => claimer.expect(lane.target.id, clock.nowMs()));
    },
    changed,
    async start() {
      await pruner.prepare();
      await life.join();
      await sweep();
    },
    async sweep() {
      await sweep();
      await pruner.step();
    },
    async park() {
      const parked = ownLanes().map((lane) => ({ id: lane.target.id, deliveries: dispatch.park(lane) }));
      await held.release(parked.flatMap((lane) => lane.deliveries));
      tellOthers(parked.filter((lane) => lane.deliveries.length > 0).map((lane) => lane.id));
    },
    stopClaiming: claimer.stop,
    written: settler.idle,
    async leave(clean) {
      settler.giveUp();
      await life.leave(clean);
    },
  };
}
