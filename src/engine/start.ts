import type { DeliveryStatus, Outcome, SendResult } from "../model/delivery.ts";
import { timeOfUuid } from "../model/uuid.ts";
import { StoreUnavailable } from "../model/errors.ts";
import { waitAtMost } from "../runtime/cleanup.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { createLoopMonitor, type LoopMonitor } from "../runtime/loop-monitor.ts";
import { sideBySide } from "../runtime/side-by-side.ts";
import { sleep } from "../runtime/sleep.ts";
import type { Cell } from "../store/cell.ts";
import { createAccountCells, type AccountCells } from "../store/accounts/account-cells.ts";
import type { NodeDescription } from "../store/nodes/nodes.ts";
import { createCellEngine, type CellEngine } from "./cell-engine.ts";
import {
  addPart,
  createBackpressure,
  createMemoryBudget,
  FREE_SHARE,
  isShareFree,
  isShort,
  type MemoryBudget,
} from "./claim/memory-budget.ts";
import type { AttemptRequest } from "./dispatch/attempt-request.ts";
import { createDispatch, type Dispatch, type DispatchPorts } from "./dispatch/dispatch.ts";
import type { EngineContext } from "./engine-context.ts";
import type { Engine } from "./engine.ts";
import { createIntervals, createSweeps } from "./intervals.ts";
import { createInvariants, type Invariant, type Invariants } from "./invariants.ts";
import { createSessions } from "./membership/sessions.ts";
import { ping, raise, raiseWithin, type AcceptPorts } from "./raise/accept.ts";
import { createRoutes } from "./raise/routes.ts";
import { fingerprintsOf, signingKey, type MasterKeys } from "./secret.ts";
import type { EngineSettings } from "./settings.ts";

/** The engine of a running process. */
export type RunningEngine = Engine & {
  /** Finishes open attempts, releases the rest and leaves the cells, within `drainMs`. Raise nothing after it. */
  stop(): Promise<void>;
  /** What the engine has in memory now, for metrics. */
  gauges(): EngineGauges;
  /** Joins a cell that was added, as soon as its server can be reached: nothing is raised there before. */
  addCell(added: Cell): void;
  /** Why the engine makes no progress in any cell, or null. */
  unhealthyReason(): string | null;
  /** The cells in which it makes none, and why. */
  illCells(): ReadonlyMap<Cell, string>;
  /** The engine's loops, each of which reports its progress. */
  readonly loops: () => readonly LoopMonitor[];
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

export type EnginePorts = Pick<
  EngineContext,
  | "database"
  | "clock"
  | "random"
  | "log"
  | "delivers"
  | "referencesOf"
  | "onWork"
  | "onDisabled"
  | "onUnheard"
  | "onExpired"
  | "unreported"
  | "onReported"
  | "traces"
> & {
  readonly cells: readonly Cell[];
  /** Absent: the directory is asked for accounts that this node has not met. */
  readonly accountCells?: AccountCells;
  readonly masterKeys: MasterKeys;
  /** What this node tells others of itself. */
  readonly about?: Omit<NodeDescription, "masterKeys">;
  readonly send: (request: AttemptRequest, done: (result: SendResult) => void) => void;
  /** The product's tag in headers (spec 5.1). */
  readonly headerTag: (product: string) => string;
  /** The `data` of a ping as JSON text (spec 2.4: ping). */
  readonly pingData: string;
  readonly onAttempt?: OnAttempt;
  readonly onPostponed?: DispatchPorts["onPostponed"];
};

/** Called after every attempt. `arrivedMs` have passed since the raising, null where nothing was delivered. */
type OnAttempt = (
  product: string,
  outcome: Outcome,
  status: DeliveryStatus,
  tookMs: number,
  arrivedMs: number | null,
) => void;

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
  const create = (cell: Cell): CellEngine => {
    const engine = createCellEngine(cell, context);
    engines.set(cell, engine);
    return engine;
  };
  await startAll(ports.cells.map(create), log);
  const all = () => [...engines.values()];
  const intervals = [...createIntervals(context, engines), ...createSweeps(context, all())];
  for (const interval of intervals) interval.start();

  let isStopping = false;
  const { dispatch, loops, invariants, routes } = context;
  const accept: AcceptPorts = { ...ports, routes, raiserOf: (cell) => engineOf(cell).raiser() };
  return {
    raise: (events) => raise(accept, events),
    raiseWithin: (cell, change) => raiseWithin(accept, cell, change),
    ping: (cell, accountId, endpointId, sample) => ping(accept, cell, accountId, endpointId, sample),
    endpointChanged: (cell, accountId, endpointId) => engineOf(cell).endpointChanged(accountId, endpointId),
    addCell(added) {
      if (isStopping) return;
      addPart(context.memoryBudget);
      const engine = create(added);
      const sweeps = createSweeps(context, [engine]);
      intervals.push(...sweeps);
      engine.startSoon();
      for (const sweep of sweeps) sweep.start();
    },
    async stop() {
      isStopping = true;
      await Promise.all(intervals.map((interval) => interval.stop()));
      const drained = await drain(settings, clock, all(), dispatch);
      if (drained.size < engines.size)
        log.warn({ open: dispatch.openCount() }, "not every attempt ended in time; others take over");
      const left = sideBySide(all(), engines.size, (engine) => engine.leave(drained.has(engine)));
      await waitAtMost(clock, LEAVE_MS_MAX, left.then(throwFirst));
    },
    // A node that only raises works on while nothing is sent.
    unhealthyReason: () => (ports.delivers ? unhealthyReason(context) : null),
    illCells: () => illCells(all()),
    loops: () => [loops, ...all().map((engine) => engine.loops)],
    brokenInvariants: () => invariants.broken,
    gauges: () => gauges(context),
  };
}

const UNNAMED = { build: "", host: "", roles: "" };

/** What the cells share. `engines` fills up after this returns. */
function createContext(
  settings: EngineSettings,
  ports: EnginePorts,
  engines: ReadonlyMap<Cell, CellEngine>,
  engineOf: (cell: Cell) => CellEngine,
): EngineContext {
  const { clock, log, accountCells = createAccountCells(ports) } = ports;
  const memoryBudget = createMemoryBudget(settings, ports.cells.length);
  const invariants = createInvariants(clock, log);
  const backpressure = createBackpressure(settings, clock, ({ number }) =>
    isShareFree(memoryBudget, number, FREE_SHARE),
  );
  const dispatch = connectDispatch(settings, ports, { memoryBudget, invariants, engineOf });
  return {
    ...ports,
    settings,
    description: { ...UNNAMED, ...ports.about, masterKeys: fingerprintsOf(ports.masterKeys) },
    dispatch,
    memoryBudget,
    invariants,
    loops: createLoopMonitor(clock, log),
    sessions: createSessions(ports, settings.leaseMs),
    routes: createRoutes(ports.database, ports.cells, settings.routesMax, accountCells),
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
    onEnded(queue, delivery, outcome, tookMs, peer) {
      const status = engineOf(queue.member.cell).ended(queue, delivery, outcome, tookMs, peer);
      ports.traces?.attempted(queue.target, delivery, outcome, tookMs);
      reportAttempt(ports, (report) => {
        const sinceMs = status === "delivered" ? timeOfUuid(delivery.id) : null;
        const arrivedMs = sinceMs === null ? null : Math.max(0, ports.clock.nowMs() - sinceMs);
        report(queue.target.product, outcome, status, tookMs, arrivedMs);
      });
    },
    onPostponed: ports.onPostponed,
    onUnsent: (queue, delivery) => engineOf(queue.member.cell).unsent(delivery),
    isMemoryShort: () => isShort(memoryBudget, MEMORY_SHORT_SHARE),
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
function reportAttempt({ onAttempt, log }: EnginePorts, report: (to: OnAttempt) => void): void {
  if (onAttempt === undefined) return;
  try {
    report(onAttempt);
  } catch (cause) {
    log.error({ err: cause }, "an attempt was not counted");
  }
}

/** Cells that start at the same time: each takes a connection or two. */
const STARTING_MAX = 8;

/** A cell whose server cannot be reached starts later. If that is so of all, or one fails of a fault, all leave. */
async function startAll(engines: readonly CellEngine[], log: Log): Promise<void> {
  const ended = await sideBySide(engines, STARTING_MAX, (engine) => engine.start());
  const failed = ended.flatMap((one, index) =>
    one.status === "rejected" ? [{ engine: engines[index]!, cause: one.reason as unknown }] : [],
  );
  const fault = failed.find(({ cause }) => !(cause instanceof StoreUnavailable));
  if (fault !== undefined || failed.length === engines.length) {
    // The first failure is the one to report; others take over from an engine that cannot leave.
    await Promise.allSettled(engines.map((engine) => engine.leave(true)));
    throw (fault ?? failed[0]!).cause;
  }
  for (const { engine, cause } of failed) {
    log.warn({ cell: engine.cell.number, cause }, "a cell's server cannot be reached; the others start");
    engine.startLater();
  }
}

function unhealthyReason({ dispatch, loops }: EngineContext): string | null {
  const overdue = loops.overdue();
  return (
    dispatch.unhealthyReason() ??
    (overdue === null ? null : `a loop of the engine makes no progress: ${overdue}`)
  );
}

function illCells(engines: readonly CellEngine[]): ReadonlyMap<Cell, string> {
  const reasons = engines.map((engine) => [engine.cell, engine.unhealthyReason()] as const);
  return new Map(reasons.filter((one): one is readonly [Cell, string] => one[1] !== null));
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

const DRAIN_CHECK_MS = 10;

/** Starts nothing more, releases what waits, and waits for open attempts. Returns the cells that are done by `drainMs`. */
async function drain(
  settings: EngineSettings,
  clock: Clock,
  engines: readonly CellEngine[],
  dispatch: Dispatch,
): Promise<ReadonlySet<CellEngine>> {
  const drained = new Set<CellEngine>();
  let expired = false;
  const cancel = clock.after(settings.drainMs, () => {
    expired = true;
  });
  dispatch.stop();
  const attemptsEnded = async (): Promise<void> => {
    while (dispatch.openCount() > 0 && !expired) await sleep(clock, DRAIN_CHECK_MS);
  };
  const ended = attemptsEnded();
  const finish = async (engine: CellEngine): Promise<void> => {
    await engine.stopClaiming();
    await engine.releaseWaiting();
    await ended;
    await engine.resultsWritten();
    if (dispatch.openCount() === 0 && !expired) drained.add(engine);
  };
  const outOfTime = async (): Promise<void> => {
    while (!expired) await sleep(clock, DRAIN_CHECK_MS);
  };
  await Promise.race([Promise.all(engines.map(finish)), outOfTime()]);
  cancel();
  expired = true;
  return new Set(drained);
}

/** After the drain; a server that does not answer holds up a cell that leaves. */
const LEAVE_MS_MAX = 5_000;

function throwFirst(ended: readonly PromiseSettledResult<unknown>[]): void {
  for (const one of ended) if (one.status === "rejected") throw one.reason;
}
