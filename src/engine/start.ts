import type { Outcome, SendResult } from "../model/delivery.ts";
import type { Clock } from "../runtime/clock.ts";
import { createLoopMonitor, type LoopMonitor } from "../runtime/loop-monitor.ts";
import type { Cell } from "../store/cell.ts";
import type { DirectoryFeed } from "../store/accounts/directory-feed.ts";
import type { NodeContext } from "../store/node-context.ts";
import { createCellEngine, type CellEngine } from "./cell-engine.ts";
import { createMemoryBudget, freeCapacity, type MemoryBudget } from "./claim/memory-budget.ts";
import type { AttemptRequest } from "./dispatch/attempt-request.ts";
import { createDispatch, type Dispatch } from "./dispatch/dispatch.ts";
import type { EngineContext } from "./engine-context.ts";
import type { Engine } from "./engine.ts";
import { createInvariants, type Invariant, type Invariants } from "./invariants.ts";
import { createSessions } from "./membership/sessions.ts";
import { ping, raise, raiseWithin, type AcceptPorts } from "./raise/accept.ts";
import { createBackpressure } from "./raise/backpressure.ts";
import { createRoutes } from "./raise/routes.ts";
import { signingKey, type MasterKeys } from "./secret.ts";
import type { EngineSettings } from "./settings.ts";
import { sleep } from "../runtime/sleep.ts";
import { createInterval, type Interval } from "../runtime/interval.ts";

/** The engine of a running process. */
export type RunningEngine = Engine & {
  /** Finishes open attempts, releases the rest and leaves the cells, within `drainMs`. Raise nothing after it. */
  stop(): Promise<void>;
  /** What the engine has in memory now, for metrics. */
  gauges(): EngineGauges;
  /** Why the engine makes no progress, or null. */
  unhealthyReason(): string | null;
  /** The engine's loops, each of which reports its progress. */
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

export type EnginePorts = Pick<NodeContext, "database" | "clock" | "random" | "log"> & {
  readonly cells: readonly Cell[];
  /** Reports accounts that have moved. Absent where nothing moves. */
  readonly feed?: Pick<DirectoryFeed, "subscribe">;
  readonly masterKeys: MasterKeys;
  readonly send: (request: AttemptRequest, done: (result: SendResult) => void) => void;
  /** The product's tag in headers (spec 5.1). */
  readonly headerTag: (product: string) => string;
  /** The `data` of a ping as JSON text (spec 2.4: ping). */
  readonly pingData: string;
  /** False on a node that raises events and leaves sending to others. */
  readonly delivers: boolean;
  /** Called after every attempt. */
  readonly onAttempt?: (product: string, outcome: Outcome) => void;
};

/** Below this free share of the memory budget, endpoints that make no progress give up their deliveries. */
const MEMORY_SHORT_SHARE = 0.5;

/** Joins every cell and starts delivering. Rejects when the database cannot be reached. */
export async function startEngine(settings: EngineSettings, ports: EnginePorts): Promise<RunningEngine> {
  const { clock, log } = ports;
  const engines = new Map<Cell, CellEngine>();
  const engineOf = (cell: Cell): CellEngine => {
    const engine = engines.get(cell);
    if (engine === undefined) throw new Error(`no engine runs in cell ${cell.number}`);
    return engine;
  };
  const context = createContext(settings, ports, engines, engineOf);
  for (const cell of ports.cells) engines.set(cell, createCellEngine(cell, context));
  const all = [...engines.values()];
  await startAll(all);
  const intervals = createIntervals(context, all);
  for (const interval of intervals) interval.start();

  const { dispatch, loops, invariants, routes } = context;
  ports.feed?.subscribe((changes) => {
    if (changes === null) return routes.forgetHome(null);
    for (const { kind, subject } of changes) if (kind === "account") routes.forgetHome(subject);
  });
  const accept: AcceptPorts = { ...ports, routes, raiserOf: (cell) => engineOf(cell).raiser };
  return {
    raise: (events) => raise(accept, events),
    raiseWithin: (cell, change) => raiseWithin(accept, cell, change),
    ping: (cell, accountId, endpointId) => ping(accept, cell, accountId, endpointId),
    endpointChanged: (cell, accountId, endpointId) => engineOf(cell).endpointChanged(accountId, endpointId),
    async stop() {
      await Promise.all(intervals.map((interval) => interval.stop()));
      const clean = await drain(settings, clock, all, dispatch);
      if (!clean)
        log.warn({ open: dispatch.openCount() }, "not every attempt ended in time; others take over");
      for (const engine of all) await engine.leave(clean);
    },
    // A node that only raises works on while nothing is sent.
    unhealthyReason: () => (ports.delivers ? unhealthyReason(context, all) : null),
    loops,
    brokenInvariants: () => invariants.broken,
    gauges: () => gauges(context),
  };
}

/** What the cells share. `engines` fills up after this returns. */
function createContext(
  settings: EngineSettings,
  ports: EnginePorts,
  engines: ReadonlyMap<Cell, CellEngine>,
  engineOf: (cell: Cell) => CellEngine,
): EngineContext {
  const { clock, log } = ports;
  const memoryBudget = createMemoryBudget(settings);
  const invariants = createInvariants(clock, log);
  const backpressure = createBackpressure(settings, clock, () => freeCapacity(memoryBudget));
  const dispatch = connectDispatch(settings, ports, { memoryBudget, invariants, engineOf });
  return {
    ...ports,
    settings,
    dispatch,
    memoryBudget,
    invariants,
    loops: createLoopMonitor(clock, log),
    sessions: createSessions(ports, settings.leaseMs),
    routes: createRoutes(ports.database, ports.cells, settings.routesMax),
    pumpSoon: pumpOncePerTurn(dispatch),
    waitForCapacity: backpressure.wait,
    onCapacityFreed() {
      backpressure.capacityFreed();
      for (const engine of engines.values()) engine.retryBlocked();
    },
  };
}

type DispatchParts = {
  readonly memoryBudget: MemoryBudget;
  readonly invariants: Invariants;
  readonly engineOf: (cell: Cell) => CellEngine;
};

function connectDispatch(
  settings: EngineSettings,
  ports: EnginePorts,
  { memoryBudget, invariants, engineOf }: DispatchParts,
): Dispatch {
  return createDispatch(settings, {
    clock: ports.clock,
    log: ports.log,
    invariants,
    send: ports.send,
    headerTag: ports.headerTag,
    signingKey: ({ id, accountId, sealedSecretHash }) =>
      signingKey(sealedSecretHash, { accountId, endpointId: id }, ports.masterKeys),
    onEnded(queue, delivery, outcome) {
      engineOf(queue.member.cell).ended(queue, delivery, outcome);
      reportAttempt(ports, queue.target.product, outcome);
    },
    onUnsent: (queue, delivery) => engineOf(queue.member.cell).unsent(delivery),
    isMemoryShort: () => freeCapacity(memoryBudget) < settings.memoryDeliveriesMax * MEMORY_SHORT_SHARE,
    onExcess: (queue, excess) => engineOf(queue.member.cell).releaseExcess(queue, excess),
  });
}

function pumpOncePerTurn(dispatch: Dispatch): () => void {
  let isDue = false;
  const pump = (): void => {
    isDue = false;
    dispatch.pump();
  };
  return () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(pump);
  };
}

/** A fault in a metric must not cost an attempt its result. */
function reportAttempt({ onAttempt, log }: EnginePorts, product: string, outcome: Outcome): void {
  try {
    onAttempt?.(product, outcome);
  } catch (cause) {
    log.error({ err: cause }, "an attempt was not counted");
  }
}

/** All or none: if one cannot start, the joined ones leave. */
async function startAll(engines: readonly CellEngine[]): Promise<void> {
  try {
    for (const engine of engines) await engine.start();
  } catch (cause) {
    // The first failure is the one to report; others take over from an engine that cannot leave.
    await Promise.allSettled(engines.map((engine) => engine.leave(true)));
    throw cause;
  }
}

function unhealthyReason({ dispatch, loops }: EngineContext, engines: readonly CellEngine[]): string | null {
  for (const engine of engines) {
    const reason = engine.unhealthyReason();
    if (reason !== null) return reason;
  }
  const overdue = loops.overdue();
  return (
    dispatch.unhealthyReason() ??
    (overdue === null ? null : `a loop of the engine makes no progress: ${overdue}`)
  );
}

function gauges({ dispatch, memoryBudget }: EngineContext): EngineGauges {
  let endpointQueues = 0;
  let degradedQueues = 0;
  for (const queue of dispatch.queues()) {
    endpointQueues += 1;
    if (queue.degraded) degradedQueues += 1;
  }
  const { deliveries: inFlight, bytes: inFlightBytes } = memoryBudget;
  return { inFlight, inFlightBytes, open: dispatch.openCount(), endpointQueues, degradedQueues };
}

const CHECK_MS = 10;

/** Starts nothing more, releases what waits, and waits for open attempts. Returns false after `drainMs`. */
async function drain(
  settings: EngineSettings,
  clock: Clock,
  engines: readonly CellEngine[],
  dispatch: Dispatch,
): Promise<boolean> {
  let expired = false;
  const cancel = clock.after(settings.drainMs, () => {
    expired = true;
  });
  dispatch.stop();
  const finish = async (): Promise<boolean> => {
    for (const engine of engines) await engine.stopClaiming();
    for (const engine of engines) await engine.releaseWaiting();
    while (dispatch.openCount() > 0 && !expired) await sleep(clock, CHECK_MS);
    for (const engine of engines) await engine.resultsWritten();
    return dispatch.openCount() === 0;
  };
  const outOfTime = async (): Promise<boolean> => {
    while (!expired) await sleep(clock, CHECK_MS);
    return false;
  };
  const clean = await Promise.race([finish(), outOfTime()]);
  cancel();
  expired = true;
  return clean;
}

/** A run takes no time; the bound detects a lost timer. */
const WATCH_MS_MAX = 10_000;

/** The engine's watch over open attempts, and its sweep (spec 8: sweep). */
export function createIntervals(context: EngineContext, engines: readonly CellEngine[]): readonly Interval[] {
  const { settings, dispatch, log } = context;
  const failed = (cause: unknown) => log.error({ err: cause }, "an interval of the engine failed");
  const watchMs = settings.stallMs / 4;
  const sweepMs = settings.sweepIntervalMs;
  return [
    createInterval(
      context,
      { name: "attempts", everyMs: watchMs, firstAfterMs: watchMs, runMsMax: WATCH_MS_MAX },
      async () => {
        dispatch.watch();
        for (const engine of engines) engine.checkMembership();
      },
      failed,
    ),
    createInterval(
      context,
      { name: "sweep", everyMs: sweepMs, firstAfterMs: sweepMs },
      async (isStopped) => {
        for (const engine of engines) if (!isStopped()) await engine.sweep(() => !isStopped());
        dispatch.evict();
      },
      failed,
    ),
  ];
}
