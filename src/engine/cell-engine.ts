import type { InFlightDelivery } from "../model/delivery.ts";
import type { Cell } from "../store/cell.ts";
import { acknowledgeInvalidation } from "../store/endpoints/invalidations.ts";
import type { FailingEndpoint } from "../store/deliveries/settling.ts";
import { createClaimer, type ClaimerPorts } from "./claim/claim.ts";
import { createInFlight } from "./claim/in-flight.ts";
import type { LoopHandle } from "../runtime/loop-monitor.ts";
import type { EndpointQueue } from "./dispatch/endpoint-queue.ts";
import { createMembership } from "./membership/membership.ts";
import {
  createInvalidations,
  type Invalidations,
  type InvalidationsPorts,
} from "./membership/invalidations.ts";
import type { EngineContext } from "./engine-context.ts";
import {
  scheduleClaims,
  enqueueOrRelease,
  queueFor,
  ownQueues,
  releaseWaiting,
  capacityFor,
  sweep,
  notifyOthers,
  type ClaimContext,
  type CellContext,
} from "./cell-context.ts";
import { createPruner } from "./prune/prune.ts";
import { createRaiser, type Raiser, type RaiserPorts } from "./raise/raise.ts";
import { createSettler, type SettlerPorts } from "./settle/settle.ts";
import { applyTarget, openQueues, refreshEndpoint, refreshAll } from "./membership/refresh.ts";

/** The engine's work in one cell: membership, raising, claiming, settling, and what ties them. */
export type CellEngine = {
  readonly cell: Cell;
  readonly raiser: Raiser;
  /** Takes the result of an attempt of one of the cell's endpoints. */
  ended: ReturnType<typeof createSettler>["ended"];
  /** Takes back what could not be attempted; it is sent later as if nothing had been. */
  unsent(delivery: InFlightDelivery): void;
  /** Puts what a lane cannot send soon back into the queue. */
  releaseExcess(lane: EndpointQueue, surplus: readonly InFlightDelivery[]): void;
  /** See `Engine.endpointChanged`. */
  endpointChanged(accountId: string, endpointId: string): Promise<void>;
  start(): Promise<void>;
  /** Asks `goesOn` between its steps whether it is to go on. */
  sweep(goesOn: () => boolean): Promise<void>;
  /** Notes whether the node may send. To be called every so often. */
  checkMembership(): void;
  /** The window, which all cells share, may have room again. */
  retryBlocked(): void;
  /** Gives back all that has not been started. */
  releaseWaiting(): Promise<void>;
  stopClaiming(): Promise<void>;
  /** Resolves when all results are written. */
  resultsWritten(): Promise<void>;
  /** Why the engine does not get on in this cell, or null. */
  unhealthyReason(): string | null;
  /** Leaves the cell; with `clean` false others take over what is left. */
  leave(clean: boolean): Promise<void>;
};

/** So many results that the database refuses are no accident of a few rows: nothing more is sent until it takes them. */
const REFUSED_MAX = 100;

export function createCellEngine(cell: Cell, parts: EngineContext): CellEngine {
  const { settings, database, clock, log } = parts;
  const { member, join, leave } = createMembership(settings, {
    ...parts,
    cell,
    oldestRaised: () => held.oldestRaised(),
    canTakeResults: () => takesMore(),
    onNotification: (payload) => notices.receive(payload),
    onReconnected: (caughtUp) => refreshAll(presence, caughtUp),
    onReplaced() {
      for (const lane of ownQueues(presence)) held.disown(parts.dispatch.takeWaiting(lane));
      settler.replaced();
      held.replaced();
    },
    onTakeover: () => void sweep(presence),
  });
  const takesMore = () => settler.refusedCount() + held.refusedCount() < REFUSED_MAX;
  let membership: LoopHandle | null = null;
  const held = createInFlight(parts, member);
  const holding: ClaimContext = {
    engine: parts,
    member,
    inFlight: held,
    lastRefresh: Promise.resolve(),
    refreshCount: 0,
    fullRefresh: { isUnderWay: false, isWanted: false, caughtUp: () => undefined },
    hasLeft: false,
  };
  const claimer = createClaimer(settings, claimerPorts(holding));
  // One object, since what is being read is written down in it.
  const presence: CellContext = Object.assign(holding, { claimer });
  const notices = createInvalidations(settings, invalidationsPorts(presence));
  const settler = createSettler(settings, settlerPorts(presence, notices));
  const pruner = createPruner(settings, database, cell, clock, log);

  return {
    cell,
    raiser: createRaiser(settings, raiserPorts(presence)),
    ended: settler.ended,
    unsent: (delivery) => enqueueOrRelease(presence, delivery),
    releaseExcess(lane, surplus) {
      void held.release(surplus).then(() => scheduleClaims(presence, [lane.target.id]));
    },
    endpointChanged: notices.publish,
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
    checkMembership() {
      if (member.maySend() || !takesMore()) membership?.progress();
    },
    retryBlocked: claimer.retryBlocked,
    releaseWaiting: () => releaseWaiting(presence),
    stopClaiming: claimer.stop,
    resultsWritten: settler.idle,
    unhealthyReason: () => (takesMore() ? null : "the database refuses the results of attempts"),
    async leave(clean) {
      presence.hasLeft = true;
      membership?.end();
      settler.giveUp();
      await leave(clean);
    },
  };
}

function claimerPorts(holding: ClaimContext): ClaimerPorts {
  const { engine, member, inFlight } = holding;
  return {
    ...engine,
    member,
    queueOf: engine.dispatch.queueOf,
    openQueues: (endpointIds) => openQueues(holding, endpointIds),
    capacityOf: (lane) => capacityFor(holding, lane),
    reserveCapacity(deliveries) {
      engine.memoryBudget.reserved += deliveries;
    },
    returnCapacity(deliveries) {
      engine.memoryBudget.reserved -= deliveries;
    },
    enqueue(deliveries) {
      for (const delivery of deliveries)
        if (inFlight.addClaimed(delivery)) enqueueOrRelease(holding, delivery);
      engine.dispatch.pump();
    },
    releaseUnknownClaims: inFlight.releaseUnknownClaims,
  };
}

function invalidationsPorts(presence: CellContext): InvalidationsPorts {
  const { engine, member } = presence;
  return {
    ...engine,
    member,
    refresh: (accountId, endpointId) => refreshEndpoint(presence, accountId, endpointId),
    async onRefreshed(number) {
      // Earlier ones may have been missed: they count as seen when all is read anew, which covers this one too.
      if (presence.fullRefresh.isUnderWay) refreshAll(presence);
      else await acknowledgeInvalidation(engine.database, member.cell, member.node, number);
    },
    onDue: (endpointIds) => scheduleClaims(presence, endpointIds),
    onMissed(reason, cause) {
      engine.log.warn({ err: cause, cell: member.cell.number }, `${reason}; reading all endpoints anew`);
      refreshAll(presence);
    },
  };
}

function settlerPorts(presence: CellContext, notices: Invalidations): SettlerPorts {
  const { engine, member, inFlight, claimer } = presence;
  const { log } = engine;

  function onDisabled({ id, accountId, failureCount }: FailingEndpoint): void {
    const fields = { endpoint: id, account: accountId, failures: failureCount };
    log.info(fields, "an endpoint was disabled after consecutive failures");
    const lane = engine.dispatch.queueOf(id);
    if (lane !== undefined) applyTarget(presence, lane, { ...lane.target, active: false });
    tell(accountId, id);
  }

  function tell(accountId: string, id: string): void {
    notices
      .publish(accountId, id)
      .catch((cause: unknown) =>
        log.warn({ err: cause, endpoint: id }, "other nodes were not told that an endpoint was disabled"),
      );
  }

  return {
    ...engine,
    cell: member.cell,
    onWritten(batch) {
      for (const { queue, delivery, settlement } of batch) {
        inFlight.settled(delivery);
        if (settlement.dueAtMs !== null) claimer.scheduleClaim(queue.target.id, settlement.dueAtMs);
      }
      engine.onCapacityFreed();
    },
    onDisowned: inFlight.disown,
    onFailing(endpoints) {
      for (const endpoint of endpoints) if (endpoint.disabled) onDisabled(endpoint);
    },
    onCommitUnknown(targets) {
      for (const { accountId, id } of targets) tell(accountId, id);
    },
  };
}

/** The place that the delivery was promised is taken, or free again. */
function unreserve({ dispatch, invariants }: EngineContext, { endpointId }: InFlightDelivery): void {
  const lane = dispatch.queueOf(endpointId);
  if (lane === undefined || lane.reserved === 0) {
    return invariants.report("reserved_count_not_negative", { endpoint: endpointId });
  }
  lane.reserved -= 1;
}

function raiserPorts(presence: CellContext): RaiserPorts {
  const { engine, member, inFlight } = presence;
  return {
    ...engine,
    cell: member.cell,
    reserve(target, deliveryId, bytes) {
      if (!engine.delivers || !member.maySend()) return null;
      const lane = queueFor(presence, target);
      if (lane === null || capacityFor(presence, lane) === 0) return null;
      if (!inFlight.addRaised(deliveryId, bytes)) return null;
      lane.reserved += 1;
      return member.node;
    },
    enqueue(delivery) {
      unreserve(engine, delivery);
      enqueueOrRelease(presence, delivery);
      engine.pumpSoon();
    },
    cancel(delivery, unknown) {
      unreserve(engine, delivery);
      if (unknown) inFlight.commitUnknown(delivery);
      else inFlight.rolledBack(delivery);
    },
    onQueued(endpointIds) {
      if (engine.delivers) scheduleClaims(presence, endpointIds);
      else notifyOthers(presence, [...new Set(endpointIds)]);
    },
  };
}
