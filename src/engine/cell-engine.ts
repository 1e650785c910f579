import { failureLevel, STORE_FAULTS, StoreUnavailable } from "../model/errors.ts";
import type { InFlightDelivery } from "../model/delivery.ts";
import type { Cancel } from "../runtime/clock.ts";
import { createLoopMonitor, type LoopHandle } from "../runtime/loop-monitor.ts";
import type { Cell } from "../store/cell.ts";
import { publishInvalidation } from "../store/endpoints/invalidations.ts";
import { createCellQueues } from "./cell-queues.ts";
import { createClaimer } from "./claim/claim.ts";
import { createInFlight } from "./claim/in-flight.ts";
import type { EndpointQueue } from "./dispatch/endpoint-queue.ts";
import type { EngineContext } from "./engine-context.ts";
import { createInvalidations } from "./membership/invalidations.ts";
import { createMembership, type MembershipPorts } from "./membership/membership.ts";
import { createRefresh } from "./membership/refresh.ts";
import { createPruner } from "./prune/prune.ts";
import { createMissedEvents } from "./raise/missed-events.ts";
import { createRaiser, type Raiser } from "./raise/raise.ts";
import { createSettler, type SettlerPorts } from "./settle/settle.ts";

/**
 * The engine of one cell. What a node has in flight there belongs to its membership; raising and claiming bring it,
 * settling and releasing end it.
 */
export type CellEngine = ReturnType<typeof createCellEngine>;

/** With this many refused results, more than a few rows are at fault: nothing is sent until it takes them. */
const REFUSED_MAX = 100;

type Parts = ReturnType<typeof createParts>;

/** Makes the parts of a cell, each with the ones before it. */
function createParts(cell: Cell, engine: EngineContext) {
  const { settings, log } = engine;
  // Its callbacks run after all parts exist.
  const membership = createMembership(settings, { ...engine, cell, ...membershipPorts(() => parts) });
  const { member } = membership;
  const inFlight = createInFlight(engine, member);
  const queues = createCellQueues(engine, member, inFlight);
  const claimer = createClaimer({ engine, member, inFlight, queues });
  const refresh = createRefresh({ engine, member, inFlight, queues, claimer });
  const invalidations = createInvalidations(settings, {
    ...engine,
    member,
    refresh: refresh.one,
    onRefreshed: refresh.acknowledge,
    onDue: claimer.claimNow,
    onWork: () => engine.onWork?.(cell),
    onMissed(reason, cause) {
      log.warn({ err: cause, cell: cell.number }, `${reason}; refreshing all endpoints`);
      refresh.all();
    },
  });
  const settling = { engine, member, inFlight, queues, claimer, refresh };
  const settler = createSettler(settings, { ...engine, cell, ...settlerPorts(settling) });
  const missed = createMissedEvents(engine, cell);
  const raiser = createRaiser({ engine, member, inFlight, queues, claimer, onMissed: missed.add });
  const pruner = createPruner(engine, cell);
  const parts = { ...settling, membership, invalidations, settler, missed, raiser, pruner };
  return parts;
}

export function createCellEngine(cell: Cell, shared: EngineContext) {
  const { settings, log, clock } = shared;
  // The loops of one cell do not make the others ill.
  const loops = createLoopMonitor(clock, log);
  const engine: EngineContext = { ...shared, loops };
  const parts = createParts(cell, engine);
  const { membership, member, inFlight, queues, claimer, refresh, invalidations } = parts;
  const { settler, missed, raiser, pruner } = parts;
  let membershipLoop: LoopHandle | null = null;
  const starting = createCellStart(cell, engine, async () => {
    await pruner.prepare();
    await membership.join();
    // An expired lease is renewed, or the node replaced, within another lease.
    membershipLoop = loops.watch(`membership in cell ${cell.number}`, 2 * settings.leaseMs);
    await claimer.sweep();
  });
  return {
    cell,
    loops,
    /** Throws `StoreUnavailable` until the cell has started. */
    raiser(): Raiser {
      if (starting.isStarted()) return raiser;
      throw new StoreUnavailable(STORE_FAULTS.unreachable, { commitUnknown: false });
    },
    /** Settles an attempt of one of the cell's endpoints. */
    ended: settler.ended,
    /** Takes back a delivery that could not be sent; no attempt is counted. */
    unsent: queues.enqueue,
    /** Releases deliveries that an endpoint queue cannot send soon. */
    releaseExcess(queue: EndpointQueue, excess: readonly InFlightDelivery[]): void {
      void inFlight.release(excess).then(() => claimer.claimNow([queue.target.id]));
    },
    /** See `Engine.endpointChanged`. */
    endpointChanged: invalidations.changed,
    start: starting.start,
    startLater: starting.startLater,
    startSoon: starting.startSoon,
    /** Stops between its steps once `goesOn` returns false. */
    async sweep(goesOn: () => boolean): Promise<void> {
      if (!starting.isStarted()) return;
      settler.retryRefused();
      await claimer.sweep();
      await pruner.step(goesOn);
    },
    /** Reports to the loop monitor whether the node may send. Call it at an interval. */
    checkMembership(): void {
      if (member.maySend() || !canTakeResults(parts)) membershipLoop?.progress();
    },
    /** The memory budget, which all cells share, may have free capacity again. */
    retryBlocked: claimer.retryBlocked,
    /** Releases every delivery that has not started. */
    releaseWaiting: queues.releaseWaiting,
    stopClaiming: claimer.stop,
    /** Resolves when all results are written, and what inactive endpoints have missed if that can be written soon. */
    resultsWritten: (): Promise<void> => settler.idle().then(missed.writeLast),
    /** Why the engine makes no progress in this cell, or null. */
    unhealthyReason(): string | null {
      if (!starting.isStarted()) return NOT_STARTED;
      if (!canTakeResults(parts)) return "the database refuses the results of attempts";
      const overdue = loops.overdue();
      return overdue === null ? null : `a loop of the engine makes no progress: ${overdue}`;
    },
    /** Leaves the cell; unless `clean`, other nodes take over its deliveries. */
    async leave(clean: boolean): Promise<void> {
      refresh.stop();
      await starting.stop();
      membershipLoop?.end();
      settler.giveUp();
      missed.stop();
      await membership.leave(clean);
    },
  };
}

function canTakeResults({ settler, inFlight }: Parts): boolean {
  return settler.refusedCount() + inFlight.refusedCount() < REFUSED_MAX;
}

/** What the membership asks of the other parts, and what it tells them. */
function membershipPorts(parts: () => Parts) {
  return {
    oldestRaised: () => parts().inFlight.oldestRaised(),
    canTakeResults: () => canTakeResults(parts()),
    onNotification: (payload) => parts().invalidations.receive(payload),
    onHeartbeat: (latestChange) => parts().invalidations.expect(latestChange),
    onReconnected(caughtUp) {
      const { engine, member, invalidations, refresh } = parts();
      invalidations.reconnected();
      engine.onWork?.(member.cell);
      refresh.all(caughtUp);
    },
    onReplaced() {
      const { queues, settler, inFlight } = parts();
      queues.disownWaiting();
      settler.replaced();
      inFlight.replaced();
    },
    onTakeover: () => void parts().claimer.sweep(),
  } satisfies Partial<MembershipPorts>;
}

type Settling = Pick<Parts, "engine" | "member" | "inFlight" | "queues" | "claimer" | "refresh">;

/** What follows from results that are written. */
function settlerPorts({ engine, member, inFlight, queues, claimer, refresh }: Settling) {
  function publishDisabled(accountId: string, endpoint: string): void {
    const { database } = engine;
    const publishing = publishInvalidation(database, member.cell, accountId, endpoint);
    Promise.all([refresh.one(accountId, endpoint), publishing]).catch((cause: unknown) =>
      engine.log.warn(
        { err: cause, endpoint },
        "other nodes were not notified that an endpoint was disabled",
      ),
    );
  }
  return {
    onWritten(batch) {
      for (const { queue, delivery, settlement } of batch) {
        const next = inFlight.settled(delivery);
        if (next !== null) {
          queues.enqueue(next);
          engine.pumpSoon();
        } else if (settlement.dueAtMs !== null) claimer.scheduleClaim(queue.target.id, settlement.dueAtMs);
      }
      engine.onCapacityFreed();
      engine.traces?.settled(batch);
    },
    onDisowned: inFlight.disown,
    onFailing(endpoints) {
      for (const { id, accountId, product, failureCount, disabled } of endpoints) {
        if (!disabled) continue;
        const fields = { endpoint: id, account: accountId, product, failures: failureCount };
        engine.log.warn(fields, "an endpoint was disabled after consecutive failures");
        engine.onDisabled?.(product);
        const queue = queues.queueOf(id);
        if (queue !== undefined) refresh.deactivate(queue);
        publishDisabled(accountId, id);
      }
    },
    onCommitUnknown(targets) {
      for (const { accountId, id } of targets) publishDisabled(accountId, id);
    },
  } satisfies Partial<SettlerPorts>;
}

const NOT_STARTED = "the server of the cell cannot be reached yet";

/** After a start that failed. */
const START_AGAIN_MS = 1_000;

/**
 * The start of one cell's engine.
 *
 *     created ─(start, or startSoon)─▶ starting ─▶ started
 *        ▲                                │ its server cannot be reached
 *        └───────(startLater)─────────────┘
 */
function createCellStart(
  cell: Cell,
  { clock, log }: Pick<EngineContext, "clock" | "log">,
  run: () => Promise<void>,
) {
  let isStarted = false;
  let isStopped = false;
  let starting: Promise<void> = Promise.resolve();
  let cancel: Cancel = () => undefined;

  async function start(): Promise<void> {
    await run();
    isStarted = true;
  }

  function tryToStart(startedText: string): void {
    starting = start().then(
      () => log.info({ cell: cell.number }, startedText),
      (cause: unknown) => {
        log[failureLevel(cause) === "warn" ? "debug" : "error"]({ cell: cell.number, cause }, NOT_STARTED);
        if (!isStopped) startLater(startedText);
      },
    );
  }

  function startLater(startedText = "a cell is back"): void {
    cancel = clock.after(START_AGAIN_MS, () => tryToStart(startedText));
  }

  return {
    start,
    /** Starts once the cell's server can be reached. */
    startLater: () => startLater(),
    /** The same, and tries at once: the cell was added while the process runs. */
    startSoon: () => tryToStart("a cell was added, and is used here"),
    isStarted: (): boolean => isStarted,
    /** Starts no more; resolves when no start is running. */
    stop(): Promise<void> {
      isStopped = true;
      cancel();
      return starting;
    },
  };
}
