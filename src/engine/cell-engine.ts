import type { InFlightDelivery } from "../model/delivery.ts";
import type { LoopHandle } from "../runtime/loop-monitor.ts";
import type { Cell } from "../store/cell.ts";
import type { FailingEndpoint } from "../store/deliveries/settling.ts";
import { acknowledgeInvalidation } from "../store/endpoints/invalidations.ts";
import {
  capacityFor,
  enqueueOrRelease,
  notifyOthers,
  ownQueues,
  queueFor,
  queueIn,
  releaseWaiting,
  scheduleClaims,
  sweep,
  type CellContext,
  type ClaimContext,
} from "./cell-context.ts";
import { createClaimer, type ClaimerPorts } from "./claim/claim.ts";
import { createInFlight, type InFlight } from "./claim/in-flight.ts";
import type { EndpointQueue } from "./dispatch/endpoint-queue.ts";
import type { EngineContext } from "./engine-context.ts";
import {
  createInvalidations,
  type Invalidations,
  type InvalidationsPorts,
} from "./membership/invalidations.ts";
import type { Member } from "./membership/member.ts";
import { createMembership, type Membership } from "./membership/membership.ts";
import { applyTarget, openQueues, refreshAll, refreshEndpoint } from "./membership/refresh.ts";
import { createPruner } from "./prune/prune.ts";
import { createRaiser, type RaiserPorts } from "./raise/raise.ts";
import { createSettler, type Settler, type SettlerPorts } from "./settle/settle.ts";

/** The engine of one cell: connects raising, claiming, settling, pruning and the node's membership. */
export type CellEngine = ReturnType<typeof createCellEngine>;

/** With this many refused results, more than a few rows are at fault: nothing is sent until it takes them. */
const REFUSED_MAX = 100;

type CellParts = {
  readonly context: CellContext;
  readonly membership: Membership;
  readonly invalidations: Invalidations;
  readonly settler: Settler;
};

export function createCellEngine(cell: Cell, engine: EngineContext) {
  const { settings, database, clock, log } = engine;
  const parts = connectParts(cell, engine);
  const { context, membership, invalidations, settler } = parts;
  const { member, claimer, inFlight } = context;
  const pruner = createPruner(settings, database, cell, clock, log);
  let membershipLoop: LoopHandle | null = null;
  return {
    cell,
    raiser: createRaiser(settings, raiserPorts(context)),
    /** Settles an attempt of one of the cell's endpoints. */
    ended: settler.ended,
    /** Takes back a delivery that could not be sent; no attempt is counted. */
    unsent: (delivery: InFlightDelivery): void => enqueueOrRelease(context, delivery),
    /** Releases deliveries that an endpoint queue cannot send soon. */
    releaseExcess(queue: EndpointQueue, excess: readonly InFlightDelivery[]): void {
      void inFlight.release(excess).then(() => scheduleClaims(context, [queue.target.id]));
    },
    /** See `Engine.endpointChanged`. */
    endpointChanged: invalidations.publish,
    async start(): Promise<void> {
      await pruner.prepare();
      await membership.join();
      // An expired lease is renewed, or the node replaced, within another lease.
      membershipLoop = engine.loops.watch(`membership in cell ${cell.number}`, 2 * settings.leaseMs);
      await sweep(context);
    },
    /** Stops between its steps once `goesOn` returns false. */
    async sweep(goesOn: () => boolean): Promise<void> {
      settler.retryRefused();
      await sweep(context);
      await pruner.step(goesOn);
    },
    /** Reports to the loop monitor whether the node may send. Call it at an interval. */
    checkMembership(): void {
      if (member.maySend() || !canTakeResults(settler, inFlight)) membershipLoop?.progress();
    },
    /** The memory budget, which all cells share, may have free capacity again. */
    retryBlocked: claimer.retryBlocked,
    /** Releases every delivery that has not started. */
    releaseWaiting: (): Promise<void> => releaseWaiting(context),
    stopClaiming: claimer.stop,
    /** Resolves when all results are written. */
    resultsWritten: settler.idle,
    /** Why the engine makes no progress in this cell, or null. */
    unhealthyReason: (): string | null =>
      canTakeResults(settler, inFlight) ? null : "the database refuses the results of attempts",
    /** Leaves the cell; unless `clean`, other nodes take over its deliveries. */
    async leave(clean: boolean): Promise<void> {
      context.hasLeft = true;
      membershipLoop?.end();
      settler.giveUp();
      await membership.leave(clean);
    },
  };
}

function canTakeResults(settler: Settler, inFlight: InFlight): boolean {
  return settler.refusedCount() + inFlight.refusedCount() < REFUSED_MAX;
}

/** The parts call each other; the callbacks of the membership run after all of them exist. */
function connectParts(cell: Cell, engine: EngineContext): CellParts {
  const { settings } = engine;
  const membership = createMembership(settings, {
    ...engine,
    cell,
    oldestRaised: () => context.inFlight.oldestRaised(),
    canTakeResults: () => canTakeResults(settler, context.inFlight),
    onNotification: (payload) => invalidations.receive(payload),
    onHeartbeat: (latestChange) => invalidations.expect(latestChange),
    onReconnected(caughtUp) {
      invalidations.reconnected();
      refreshAll(context, caughtUp);
    },
    onReplaced() {
      for (const queue of ownQueues(context)) context.inFlight.disown(engine.dispatch.takeWaiting(queue));
      settler.replaced();
      context.inFlight.replaced();
    },
    onTakeover: () => void sweep(context),
  });
  const context = createCellContext(engine, membership.member);
  const invalidations = createInvalidations(settings, invalidationsPorts(context));
  const settler = createSettler(settings, settlerPorts(context, invalidations));
  return { context, membership, invalidations, settler };
}

function createCellContext(engine: EngineContext, member: Member): CellContext {
  const context: ClaimContext = {
    engine,
    member,
    inFlight: createInFlight(engine, member),
    lastRefresh: Promise.resolve(),
    refreshCount: 0,
    fullRefresh: { isUnderWay: false, isWanted: false, caughtUp: () => undefined },
    hasLeft: false,
  };
  // The same object, since the claimer's ports change its state.
  return Object.assign(context, { claimer: createClaimer(engine.settings, claimerPorts(context)) });
}

function raiserPorts(context: CellContext): RaiserPorts {
  const { engine, member, inFlight } = context;
  return {
    ...engine,
    cell: member.cell,
    reserve(target, deliveryId, bytes) {
      if (!engine.delivers || !member.maySend()) return null;
      const queue = queueFor(context, target);
      if (queue === null || capacityFor(context, queue) === 0) return null;
      if (!inFlight.addRaised(deliveryId, bytes)) return null;
      queue.reserved += 1;
      return member.node;
    },
    enqueue(delivery) {
      unreserve(engine, delivery);
      enqueueOrRelease(context, delivery);
      engine.pumpSoon();
    },
    cancel(delivery, unknown) {
      unreserve(engine, delivery);
      if (unknown) inFlight.commitUnknown(delivery);
      else inFlight.rolledBack(delivery);
    },
    onQueued(endpointIds) {
      if (engine.delivers) scheduleClaims(context, endpointIds);
      else notifyOthers(context, [...new Set(endpointIds)]);
    },
  };
}

/** Ends the reservation that `reserve` made for the delivery. */
function unreserve({ dispatch, invariants }: EngineContext, { endpointId }: InFlightDelivery): void {
  const queue = dispatch.queueOf(endpointId);
  if (queue === undefined || queue.reserved === 0) {
    return invariants.report("reserved_count_not_negative", { endpoint: endpointId });
  }
  queue.reserved -= 1;
}

function settlerPorts(context: CellContext, invalidations: Invalidations): SettlerPorts {
  const { engine, member, inFlight, claimer } = context;
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
      for (const endpoint of endpoints) if (endpoint.disabled) onDisabled(context, invalidations, endpoint);
    },
    onCommitUnknown(targets) {
      for (const { accountId, id } of targets) publishDisabled(context, invalidations, accountId, id);
    },
  };
}

/** The endpoint went inactive (spec 3.2: disabled). */
function onDisabled(
  context: CellContext,
  invalidations: Invalidations,
  { id, accountId, failureCount }: FailingEndpoint,
): void {
  const { log } = context.engine;
  const fields = { endpoint: id, account: accountId, failures: failureCount };
  log.info(fields, "an endpoint was disabled after consecutive failures");
  const queue = queueIn(context, id);
  if (queue !== undefined) applyTarget(context, queue, { ...queue.target, active: false });
  publishDisabled(context, invalidations, accountId, id);
}

function publishDisabled(
  { engine }: CellContext,
  invalidations: Invalidations,
  accountId: string,
  id: string,
): void {
  invalidations
    .publish(accountId, id)
    .catch((cause: unknown) =>
      engine.log.warn(
        { err: cause, endpoint: id },
        "other nodes were not notified that an endpoint was disabled",
      ),
    );
}

function claimerPorts(context: ClaimContext): ClaimerPorts {
  const { engine, member, inFlight } = context;
  return {
    ...engine,
    member,
    queueOf: (endpointId) => queueIn(context, endpointId),
    openQueues: (endpointIds) => openQueues(context, endpointIds),
    capacityOf: (queue) => capacityFor(context, queue),
    reserveCapacity(deliveries) {
      engine.memoryBudget.reserved += deliveries;
    },
    returnCapacity(deliveries) {
      engine.memoryBudget.reserved -= deliveries;
    },
    enqueue(deliveries) {
      for (const delivery of deliveries)
        if (inFlight.addClaimed(delivery)) enqueueOrRelease(context, delivery);
      engine.dispatch.pump();
    },
    releaseUnknownClaims: inFlight.releaseUnknownClaims,
  };
}

function invalidationsPorts(context: CellContext): InvalidationsPorts {
  const { engine, member } = context;
  return {
    ...engine,
    member,
    refresh: (accountId, endpointId) => refreshEndpoint(context, accountId, endpointId),
    async onRefreshed(number) {
      // Earlier invalidations may have been missed: a full refresh acknowledges them, and this one too.
      if (context.fullRefresh.isUnderWay) refreshAll(context);
      else await acknowledgeInvalidation(engine.database, member.cell, member.node, number);
    },
    onDue: (endpointIds) => scheduleClaims(context, endpointIds),
    onMissed(reason, cause) {
      engine.log.warn({ err: cause, cell: member.cell.number }, `${reason}; refreshing all endpoints`);
      refreshAll(context);
    },
  };
}
