import type { HeldDelivery } from "../model/delivery.ts";
import type { Cell } from "../store/cell.ts";
import { seeChange } from "../store/endpoints/changes.ts";
import type { FailingEndpoint } from "../store/deliveries/settling.ts";
import { createClaimer, type ClaimerPorts } from "./claim.ts";
import { createHeld } from "./held.ts";
import type { Pulse } from "../runtime/loops.ts";
import type { Lane } from "./lane.ts";
import { createNodeLife } from "./node.ts";
import { createNotices, type Notices, type NoticesPorts } from "./notices.ts";
import type { EngineParts } from "./parts.ts";
import {
  expectAll,
  holdInLane,
  laneFor,
  ownLanes,
  parkAll,
  roomFor,
  sweep,
  tellOthers,
  type Holding,
  type Presence,
} from "./presence.ts";
import { createPruner } from "./prune.ts";
import { createRaiser, type Raiser, type RaiserPorts } from "./raise.ts";
import { createSettler, type SettlerPorts } from "./settle.ts";
import { applyTarget, openLanes, takeIn, takeInAll } from "./take-in.ts";

/** The engine's work in one cell: membership, raising, claiming, settling, and what ties them. */
export type CellEngine = {
  readonly cell: Cell;
  readonly raiser: Raiser;
  /** Takes the result of an attempt of one of the cell's endpoints. */
  ended: ReturnType<typeof createSettler>["ended"];
  /** Takes back what could not be attempted; it is sent later as if nothing had been. */
  unsent(delivery: HeldDelivery): void;
  /** Puts what a lane cannot send soon back into the queue. */
  giveBack(lane: Lane, surplus: readonly HeldDelivery[]): void;
  /** See `Engine.endpointChanged`. */
  changed(accountId: string, endpointId: string): Promise<void>;
  start(): Promise<void>;
  /** Asks `goesOn` between its steps whether it is to go on. */
  sweep(goesOn: () => boolean): Promise<void>;
  /** Notes whether the node may send. To be called every so often. */
  watch(): void;
  /** The window, which all cells share, may have room again. */
  roomy(): void;
  /** Gives back all that has not been started. */
  park(): Promise<void>;
  stopClaiming(): Promise<void>;
  /** Resolves when all results are written. */
  written(): Promise<void>;
  /** Why the engine does not get on in this cell, or null. */
  illness(): string | null;
  /** Leaves the cell; with `clean` false others take over what is left. */
  leave(clean: boolean): Promise<void>;
};

/** So many results that the database refuses are no accident of a few rows: nothing more is sent until it takes them. */
const REFUSED_MAX = 100;

export function createCellEngine(cell: Cell, parts: EngineParts): CellEngine {
  const { settings, database, clock, log } = parts;
  const { member, join, leave } = createNodeLife(settings, {
    ...parts,
    cell,
    oldestHeld: () => held.oldest(),
    takesMore: () => takesMore(),
    onNotice: (payload) => notices.hear(payload),
    onRelinked: (caughtUp) => takeInAll(presence, caughtUp),
    onReplaced() {
      for (const lane of ownLanes(presence)) held.lose(parts.dispatch.park(lane));
      settler.replaced();
      held.replaced();
    },
    onTakenOver: () => void sweep(presence),
  });
  const takesMore = () => settler.refusedCount() + held.refusedCount() < REFUSED_MAX;
  let membership: Pulse | null = null;
  const held = createHeld(parts, member);
  const holding: Holding = {
    parts,
    member,
    held,
    reading: Promise.resolve(),
    readings: 0,
    rereading: { isUnderWay: false, isWanted: false, caughtUp: () => undefined },
    hasLeft: false,
  };
  const claimer = createClaimer(settings, claimerPorts(holding));
  // One object, since what is being read is written down in it.
  const presence: Presence = Object.assign(holding, { claimer });
  const notices = createNotices(settings, noticesPorts(presence));
  const settler = createSettler(settings, settlerPorts(presence, notices));
  const pruner = createPruner(settings, database, cell, clock, log);

  return {
    cell,
    raiser: createRaiser(settings, raiserPorts(presence)),
    ended: settler.ended,
    unsent: (delivery) => holdInLane(presence, delivery),
    giveBack(lane, surplus) {
      void held.release(surplus).then(() => expectAll(presence, [lane.target.id]));
    },
    changed: notices.tell,
    async start() {
      await pruner.prepare();
      await join();
      // A lease that has run out is renewed, or the node replaced, within another.
      membership = parts.loops.watch(`membership in cell ${cell.number}`, 2 * settings.leaseMs);
      await sweep(presence);
    },
    async sweep(goesOn) {
      settler.retryRefused();
      await sweep(presence);
      await pruner.step(goesOn);
    },
    watch() {
      if (member.maySend() || !takesMore()) membership?.beat();
    },
    roomy: claimer.roomy,
    park: () => parkAll(presence),
    stopClaiming: claimer.stop,
    written: settler.idle,
    illness: () => (takesMore() ? null : "the database refuses the results of attempts"),
    async leave(clean) {
      presence.hasLeft = true;
      membership?.end();
      settler.giveUp();
      await leave(clean);
    },
  };
}

function claimerPorts(holding: Holding): ClaimerPorts {
  const { parts, member, held } = holding;
  return {
    ...parts,
    member,
    laneOf: parts.dispatch.laneOf,
    openLanes: (endpointIds) => openLanes(holding, endpointIds),
    roomIn: (lane) => roomFor(holding, lane),
    reserveRoom(deliveries) {
      parts.window.reserved += deliveries;
    },
    returnRoom(deliveries) {
      parts.window.reserved -= deliveries;
    },
    hold(deliveries) {
      for (const delivery of deliveries) if (held.claim(delivery)) holdInLane(holding, delivery);
      parts.dispatch.pump();
    },
    releaseUnknown: held.releaseUnknown,
  };
}

function noticesPorts(presence: Presence): NoticesPorts {
  const { parts, member } = presence;
  return {
    ...parts,
    member,
    takeIn: (accountId, endpointId) => takeIn(presence, accountId, endpointId),
    async onTakenIn(number) {
      // Earlier ones may have been missed: they count as seen when all is read anew, which covers this one too.
      if (presence.rereading.isUnderWay) takeInAll(presence);
      else await seeChange(parts.database, member.cell, member.node, number);
    },
    onDue: (endpointIds) => expectAll(presence, endpointIds),
    onMissed(reason, cause) {
      parts.log.warn({ err: cause, cell: member.cell.number }, `${reason}; reading all endpoints anew`);
      takeInAll(presence);
    },
  };
}

function settlerPorts(presence: Presence, notices: Notices): SettlerPorts {
  const { parts, member, held, claimer } = presence;
  const { log } = parts;

  function onDisabled({ id, accountId, failureCount }: FailingEndpoint): void {
    const fields = { endpoint: id, account: accountId, failures: failureCount };
    log.info(fields, "an endpoint was disabled after consecutive failures");
    const lane = parts.dispatch.laneOf(id);
    if (lane !== undefined) applyTarget(presence, lane, { ...lane.target, active: false });
    tell(accountId, id);
  }

  function tell(accountId: string, id: string): void {
    notices
      .tell(accountId, id)
      .catch((cause: unknown) =>
        log.warn({ err: cause, endpoint: id }, "other nodes were not told that an endpoint was disabled"),
      );
  }

  return {
    ...parts,
    cell: member.cell,
    onWritten(batch) {
      for (const { lane, delivery, settlement } of batch) {
        held.settled(delivery);
        if (settlement.dueAtMs !== null) claimer.expect(lane.target.id, settlement.dueAtMs);
      }
      parts.roomMade();
    },
    onLost: held.lose,
    onFailing(endpoints) {
      for (const endpoint of endpoints) if (endpoint.disabled) onDisabled(endpoint);
    },
    onDoubtful(targets) {
      for (const { accountId, id } of targets) tell(accountId, id);
    },
  };
}

/** The place that the delivery was promised is taken, or free again. */
function unreserve({ dispatch, invariants }: EngineParts, { endpointId }: HeldDelivery): void {
  const lane = dispatch.laneOf(endpointId);
  if (lane === undefined || lane.reserved === 0) {
    return invariants.report("reserved_count_not_negative", { endpoint: endpointId });
  }
  lane.reserved -= 1;
}

function raiserPorts(presence: Presence): RaiserPorts {
  const { parts, member, held } = presence;
  return {
    ...parts,
    cell: member.cell,
    reserve(target, deliveryId, bytes) {
      if (!parts.delivers || !member.maySend()) return null;
      const lane = laneFor(presence, target);
      if (lane === null || roomFor(presence, lane) === 0) return null;
      if (!held.take(deliveryId, bytes)) return null;
      lane.reserved += 1;
      return member.node;
    },
    hold(delivery) {
      unreserve(parts, delivery);
      holdInLane(presence, delivery);
      parts.pumpSoon();
    },
    cancel(delivery, unknown) {
      unreserve(parts, delivery);
      if (unknown) held.doubtful(delivery);
      else held.withdrawn(delivery);
    },
    onQueued(endpointIds) {
      if (parts.delivers) expectAll(presence, endpointIds);
      else tellOthers(presence, [...new Set(endpointIds)]);
    },
  };
}
