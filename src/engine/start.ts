import type { DeliveryRecord, Outcome, SendResult } from "../model/delivery.ts";
import type { RaisedEvent, RaiseReceipt } from "../model/event.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { createLoopMonitor, type LoopMonitor } from "../runtime/loop-monitor.ts";
import type { Random } from "../runtime/random.ts";
import type { Cell } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import { createCellEngine, type CellEngine } from "./cell-engine.ts";
import type { AttemptRequest } from "./dispatch/attempt-request.ts";
import { createDispatch } from "./dispatch/dispatch.ts";
import { drain } from "./drain.ts";
import type { Engine, Raised } from "./engine.ts";
import type { EngineContext } from "./engine-context.ts";
import { commit } from "./raise/commit.ts";
import { createInvariants, type Invariant } from "./invariants.ts";
import type { Uncommitted } from "./raise/raise.ts";
import { createBackpressure } from "./raise/backpressure.ts";
import { createRoutes } from "./raise/routes.ts";
import { signingKey, type MasterKeys } from "./secret.ts";
import type { EngineSettings } from "./settings.ts";
import { createIntervals } from "./intervals.ts";
import { freeCapacity, createMemoryBudget } from "./claim/memory-budget.ts";

/** The engine of a running process. */
export type RunningEngine = Engine & {
  /** Finishes what is open, gives the rest back, leaves; within `drainMs`. Raise nothing after it. */
  stop(): Promise<void>;
  /** What the engine holds and does at this moment, for metrics. */
  gauges(): EngineGauges;
  /** Why the engine does not get on, or null. */
  unhealthyReason(): string | null;
  /** The engine's loops, each of which reports that it gets on. */
  readonly loops: LoopMonitor;
  /** How often each invariant was broken since the start. */
  brokenInvariants(): ReadonlyMap<Invariant, number>;
};

export type EngineGauges = {
  readonly inFlight: number;
  readonly inFlightBytes: number;
  readonly open: number;
  readonly endpointQueues: number;
  readonly degradedQueues: number;
};

export type EnginePorts = {
  readonly database: Database;
  readonly cells: readonly Cell[];
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly masterKeys: MasterKeys;
  readonly send: (request: AttemptRequest, done: (result: SendResult) => void) => void;
  /** The product's tag in headers (spec 5.1). */
  readonly headerTag: (product: string) => string;
  /** The text of a ping (spec 2.4). */
  readonly pingData: string;
  /** False on a node that raises and leaves the sending to others. */
  readonly delivers: boolean;
  /** Told of every attempt that ended. */
  readonly onAttempt?: (product: string, outcome: Outcome) => void;
};

/** The part of the window below which lanes that do not get on make room. */
const MEMORY_SHORT_SHARE = 0.5;

/** Joins every cell and starts delivering. Rejects when the database cannot be reached. */
export async function startEngine(settings: EngineSettings, ports: EnginePorts): Promise<RunningEngine> {
  const { clock, log } = ports;
  const window = createMemoryBudget(settings);
  const invariants = createInvariants(clock, log);
  const loops = createLoopMonitor(clock, log);
  const routes = createRoutes(ports.database, ports.cells, settings.routesMax);
  const room = createBackpressure(settings, clock, () => freeCapacity(window));
  const engines = new Map<Cell, CellEngine>();
  const engineOf = (cell: Cell): CellEngine => {
    const engine = engines.get(cell);
    if (engine === undefined) throw new Error(`no engine runs in cell ${cell.number}`);
    return engine;
  };
  let pumpDue = false;

  const dispatch = createDispatch(settings, {
    clock,
    log,
    invariants,
    send: ports.send,
    headerTag: ports.headerTag,
    signingKey: ({ id, accountId, sealedSecretHash }) =>
      signingKey(sealedSecretHash, { accountId, endpointId: id }, ports.masterKeys),
    onEnded(lane, delivery, outcome) {
      engineOf(lane.member.cell).ended(lane, delivery, outcome);
      reportAttempt(ports, lane.target.product, outcome);
    },
    onUnsent: (lane, delivery) => engineOf(lane.member.cell).unsent(delivery),
    isMemoryShort: () => freeCapacity(window) < settings.memoryDeliveriesMax * MEMORY_SHORT_SHARE,
    onExcess: (lane, surplus) => engineOf(lane.member.cell).releaseExcess(lane, surplus),
  });

  const parts: EngineContext = {
    ...ports,
    settings,
    dispatch,
    memoryBudget: window,
    invariants,
    loops,
    routes,
    pumpSoon() {
      if (pumpDue) return;
      pumpDue = true;
      queueMicrotask(() => {
        pumpDue = false;
        dispatch.pump();
      });
    },
    waitForCapacity: room.wait,
    onCapacityFreed() {
      room.capacityFreed();
      for (const engine of engines.values()) engine.retryBlocked();
    },
  };
  for (const cell of ports.cells) engines.set(cell, createCellEngine(cell, parts));
  await startAll([...engines.values()]);

  const timers = createIntervals(parts, [...engines.values()]);
  for (const timer of timers) timer.start();

  return {
    raise: (events) => raise(ports, parts, engineOf, events),
    async raiseWithin(cell, change) {
      const done = await commit<Uncommitted>(ports.database, async (tx, pending) => {
        const events = await change(tx);
        if (events === null) return false;
        if (events.length > 0) pending.push(await engineOf(cell).raiser.raiseIn(tx, events));
        return true;
      });
      return done === false ? null : receiptOf(done);
    },
    ping: (cell, accountId, endpointId) => ping(ports, parts, engineOf(cell), accountId, endpointId),
    endpointChanged: (cell, accountId, endpointId) => engineOf(cell).endpointChanged(accountId, endpointId),
    async stop() {
      await Promise.all(timers.map((timer) => timer.stop()));
      const clean = await drain(settings, clock, [...engines.values()], dispatch);
      if (!clean)
        log.warn({ open: dispatch.openCount() }, "not everything ended in time; the rest is taken over");
      for (const engine of engines.values()) await engine.leave(clean);
    },
    unhealthyReason() {
      // What only raises goes on while the sending does not.
      if (!ports.delivers) return null;
      for (const engine of engines.values()) {
        const illness = engine.unhealthyReason();
        if (illness !== null) return illness;
      }
      const overdue = loops.overdue();
      return (
        dispatch.unhealthyReason() ??
        (overdue === null ? null : `a loop of the engine does not get on: ${overdue}`)
      );
    },
    loops,
    brokenInvariants: () => invariants.broken,
    gauges() {
      let suspectLanes = 0;
      let lanes = 0;
      for (const lane of dispatch.queues()) {
        lanes += 1;
        if (lane.degraded) suspectLanes += 1;
      }
      const { deliveries, bytes } = window;
      return {
        inFlight: deliveries,
        inFlightBytes: bytes,
        open: dispatch.openCount(),
        endpointQueues: lanes,
        degradedQueues: suspectLanes,
      };
    },
  };
}

/** Whoever counts attempts must not cost one its result. */
function reportAttempt({ onAttempt, log }: EnginePorts, product: string, outcome: Outcome): void {
  try {
    onAttempt?.(product, outcome);
  } catch (cause) {
    log.error({ err: cause }, "an attempt was not counted");
  }
}

/** All or none: when one cannot be started, those that have joined leave again. */
async function startAll(engines: readonly CellEngine[]): Promise<void> {
  try {
    for (const engine of engines) await engine.start();
  } catch (cause) {
    // What cannot leave is replaced by others: the first failure is the one to be told.
    await Promise.allSettled(engines.map((engine) => engine.leave(true)));
    throw cause;
  }
}

async function raise(
  ports: EnginePorts,
  { routes }: EngineContext,
  engineOf: (cell: Cell) => CellEngine,
  events: readonly RaisedEvent[],
): Promise<Raised> {
  const byCell = new Map<Cell, RaisedEvent[]>();
  for (const event of events) {
    const route = routes.cached(event.accountId) ?? (await routes.read(event.accountId));
    if (route === null) return { kind: "unknown_account", accountId: event.accountId };
    const group = byCell.get(route.cell);
    if (group === undefined) byCell.set(route.cell, [event]);
    else group.push(event);
  }
  const groups = [...byCell];
  if (groups.length === 1) {
    const [cell, group] = groups[0]!;
    return { kind: "raised", ...(await engineOf(cell).raiser.raise(group)) };
  }
  // All or nothing over several cells: one transaction, a statement a cell.
  const done = await commit<Uncommitted>(ports.database, async (tx, pending) => {
    for (const [cell, group] of groups) pending.push(await engineOf(cell).raiser.raiseIn(tx, group));
    return true;
  });
  return { kind: "raised", ...receiptOf(done || []) };
}

function receiptOf(done: readonly Uncommitted[]): RaiseReceipt {
  return {
    accepted: done.reduce((sum, one) => sum + one.accepted, 0),
    duplicates: done.reduce((sum, one) => sum + one.duplicates.size, 0),
  };
}

async function ping(
  ports: EnginePorts,
  { routes }: EngineContext,
  engine: CellEngine,
  accountId: string,
  endpointId: string,
): Promise<DeliveryRecord | "inactive" | "missing"> {
  const route = await routes.read(accountId);
  const target = route?.targets.find((candidate) => candidate.id === endpointId);
  if (target === undefined) return "missing";
  if (!target.active) return "inactive";
  const atMs = ports.clock.nowMs();
  const event: RaisedEvent = {
    product: target.product,
    accountId,
    type: "ping",
    data: ports.pingData,
    occurredAtMs: atMs,
    onlyEndpointId: endpointId,
  };
  const done = await commit<Uncommitted>(ports.database, async (tx, pending) => {
    const raised = await engine.raiser.raiseIn(tx, [event]);
    pending.push(raised);
    // Paused since we looked: an event that nobody receives is not worth a row.
    return raised.deliveryIds.length > 0;
  });
  if (done === false) return "inactive";
  const { deliveryIds, atMs: madeMs } = done[0]!;
  const id = deliveryIds[0]!;
  return {
    id,
    eventType: "ping",
    status: "pending",
    attemptCount: 0,
    lastStatusCode: null,
    lastError: null,
    createdAt: new Date(madeMs),
    deliveredAt: null,
  };
}
