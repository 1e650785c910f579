import type { InFlightDelivery } from "../model/delivery.ts";
import { createLoopMonitor, type LoopHandle, type LoopMonitor } from "../runtime/loop-monitor.ts";
import type { Cell } from "../store/cell.ts";
import {
  enqueueOrRelease,
  ownQueues,
  releaseWaiting,
  scheduleClaims,
  sweep,
  type CellContext,
  type ClaimContext,
} from "./cell-context.ts";
import { claimerPorts, invalidationsPorts, raiserPorts, settlerPorts } from "./cell-ports.ts";
import { createCellStart, NOT_STARTED } from "./cell-start.ts";
import { createClaimer } from "./claim/claim.ts";
import { createInFlight, type InFlight } from "./claim/in-flight.ts";
import type { EndpointQueue } from "./dispatch/endpoint-queue.ts";
import type { EngineContext } from "./engine-context.ts";
import { createInvalidations, type Invalidations } from "./membership/invalidations.ts";
import type { Member } from "./membership/member.ts";
import { createMembership, type Membership } from "./membership/membership.ts";
import { refreshAll } from "./membership/refresh.ts";
import { createPruner } from "./prune/prune.ts";
import { createMissedEvents, type MissedEvents } from "./raise/missed-events.ts";
import { createRaiser, type Raiser } from "./raise/raise.ts";
import { createSettler, type Settler } from "./settle/settle.ts";

/** Connects raising, claiming, settling, pruning and the node's membership. */
export type CellEngine = ReturnType<typeof createCellEngine>;

/** With this many refused results, more than a few rows are at fault: nothing is sent until it takes them. */
const REFUSED_MAX = 100;

type CellParts = {
  readonly context: CellContext;
  readonly membership: Membership;
  readonly invalidations: Invalidations;
  readonly settler: Settler;
  readonly missed: MissedEvents;
};

export function createCellEngine(cell: Cell, shared: EngineContext) {
  // The loops of one cell do not make the others ill.
  const loops = createLoopMonitor(shared.clock, shared.log);
  const engine: EngineContext = { ...shared, loops };
  const parts = connectParts(cell, engine);
  const { context, membership, invalidations, settler, missed } = parts;
  const { member, claimer, inFlight } = context;
  const pruner = createPruner(shared.settings, shared, cell);
  const raiser = createRaiser(shared.settings, { ...raiserPorts(context), onMissed: missed.add });
  let membershipLoop: LoopHandle | null = null;
  const starting = createCellStart(cell, engine, async () => {
    await pruner.prepare();
    await membership.join();
    // An expired lease is renewed, or the node replaced, within another lease.
    membershipLoop = loops.watch(`membership in cell ${cell.number}`, 2 * shared.settings.leaseMs);
    await sweep(context);
  });
  return {
    cell,
    loops,
    /** Throws `StoreUnavailable` until the cell has started. */
    raiser(): Raiser {
      starting.requireStarted();
      return raiser;
    },
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
    start: starting.start,
    startLater: starting.startLater,
    startSoon: starting.startSoon,
    /** Stops between its steps once `goesOn` returns false. */
    async sweep(goesOn: () => boolean): Promise<void> {
      if (!starting.isStarted()) return;
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
    /** Resolves when all results are written, and what inactive endpoints have missed if that can be written soon. */
    resultsWritten: (): Promise<void> => settler.idle().then(missed.writeLast),
    /** Why the engine makes no progress in this cell, or null. */
    unhealthyReason: (): string | null =>
      starting.isStarted() ? unhealthyReason(parts, loops) : NOT_STARTED,
    /** Leaves the cell; unless `clean`, other nodes take over its deliveries. */
    async leave(clean: boolean): Promise<void> {
      context.hasLeft = true;
      await starting.stop();
      membershipLoop?.end();
      settler.giveUp();
      missed.stop();
      await membership.leave(clean);
    },
  };
}

function unhealthyReason({ settler, context }: CellParts, loops: LoopMonitor): string | null {
  if (!canTakeResults(settler, context.inFlight)) return "the database refuses the results of attempts";
  const overdue = loops.overdue();
  return overdue === null ? null : `a loop of the engine makes no progress: ${overdue}`;
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
    onHeartbeat(latestChange) {
      invalidations.expect(latestChange);
    },
    onReconnected(caughtUp) {
      invalidations.reconnected();
      engine.onWork?.(cell);
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
  const missed = createMissedEvents(engine, cell);
  return { context, membership, invalidations, settler, missed };
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
