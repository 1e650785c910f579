/** What each part of a cell's engine needs of the others. */
import type { InFlightDelivery } from "../model/delivery.ts";
import type { FailingEndpoint } from "../store/deliveries/settling.ts";
import { acknowledgeInvalidation } from "../store/endpoints/invalidations.ts";
import {
  capacityFor,
  enqueueOrRelease,
  notifyOthers,
  queueFor,
  queueIn,
  scheduleClaims,
  type CellContext,
  type ClaimContext,
} from "./cell-context.ts";
import type { ClaimerPorts } from "./claim/claim.ts";
import { reserve } from "./claim/memory-budget.ts";
import type { EngineContext } from "./engine-context.ts";
import type { Invalidations, InvalidationsPorts } from "./membership/invalidations.ts";
import { applyTarget, openQueues, refreshAll, refreshEndpoint } from "./membership/refresh.ts";
import type { RaiserPorts } from "./raise/raise.ts";
import type { SettlerPorts } from "./settle/settle.ts";

export function raiserPorts(context: CellContext): Omit<RaiserPorts, "onMissed"> {
  const { engine, member, inFlight } = context;
  return {
    ...engine,
    cell: member.cell,
    waitForCapacity: () => engine.waitForCapacity(member.cell),
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

export function settlerPorts(context: CellContext, invalidations: Invalidations): SettlerPorts {
  const { engine, member, inFlight, claimer } = context;
  return {
    ...engine,
    cell: member.cell,
    onWritten(batch) {
      for (const { queue, delivery, settlement } of batch) {
        const next = inFlight.settled(delivery);
        if (next !== null) {
          enqueueOrRelease(context, next);
          engine.pumpSoon();
        } else if (settlement.dueAtMs !== null) claimer.scheduleClaim(queue.target.id, settlement.dueAtMs);
      }
      engine.onCapacityFreed();
      engine.traces?.settled(batch);
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
  { id, accountId, product, failureCount }: FailingEndpoint,
): void {
  const { log, onDisabled: count } = context.engine;
  const fields = { endpoint: id, account: accountId, product, failures: failureCount };
  log.warn(fields, "an endpoint was disabled after consecutive failures");
  count?.(product);
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

export function claimerPorts(context: ClaimContext): ClaimerPorts {
  const { engine, member, inFlight } = context;
  return {
    ...engine,
    member,
    queueOf: (endpointId) => queueIn(context, endpointId),
    openQueues: (endpointIds) => openQueues(context, endpointIds),
    capacityOf: (queue) => capacityFor(context, queue),
    reserveCapacity: (deliveries) => reserve(engine.memoryBudget, member.cell.number, deliveries),
    returnCapacity: (deliveries) => reserve(engine.memoryBudget, member.cell.number, -deliveries),
    enqueue(deliveries) {
      for (const delivery of deliveries)
        if (inFlight.addClaimed(delivery)) enqueueOrRelease(context, delivery);
      engine.dispatch.pump();
    },
    releaseUnknownClaims: inFlight.releaseUnknownClaims,
  };
}

export function invalidationsPorts(context: CellContext): InvalidationsPorts {
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
    onWork: () => engine.onWork?.(member.cell),
    onMissed(reason, cause) {
      engine.log.warn({ err: cause, cell: member.cell.number }, `${reason}; refreshing all endpoints`);
      refreshAll(context);
    },
  };
}
