/**
 * Plans loads on threads. Other requests wait, a bounded number for a bounded time. One thread is kept for small plans,
 * so that large ones keep none of them waiting. An account has half of the threads at most. The
 * account goes first that has the fewest plans running, and then the one whose turn was longest ago; of its plans, the
 * small ones.
 *
 *     plan ─▶ waiting ─▶ running ─▶ planned
 *       │        │          ├─ the thread fails ─▶ the promise rejects
 *       │        │          └─ takes too long ──▶ timeout: the thread ends, and the next plan gets a new one
 *       │        └─ waits too long ─▶ queue_full
 *       └─ account_limit, queue_full, stopping
 */
import { Worker } from "node:worker_threads";

import type { Cancel, Clock } from "../../../runtime/clock.ts";
import { MINUTE_MS } from "../../../runtime/durations.ts";
import type { LoadRequest } from "../request/cargo.ts";
import type { ComputedPlan } from "./plan-worker.ts";

export type PlanResult = ({ readonly kind: "planned" } & ComputedPlan) | PlannerBusy;

/** Why there is no plan now; a later try may succeed. */
export type PlannerBusy = {
  readonly kind: "busy";
  readonly reason: "account_limit" | "queue_full" | "timeout" | "stopping";
};

export type Planner = {
  /** Rejects if the thread fails, which is a bug in the planning. */
  plan(accountId: string, request: LoadRequest): Promise<PlanResult>;
  /** Ends the threads; running and waiting requests are refused. */
  stop(): Promise<void>;
};

export const PLANNER_DEFAULTS = {
  /** One of them makes small plans only. */
  threads: 2,
  /** Small plans, and large ones. */
  queueMax: 16,
  /** Waiting and running. */
  perAccountMax: 4,
  /** With `planMsMax`, less than the minute after which a silent connection is closed. */
  waitMsMax: 15_000,
  planMsMax: 40_000,
  /** An idle thread ends after this time, which frees the memory of its search. */
  idleMsMax: MINUTE_MS,
};

export type PlannerSettings = Readonly<typeof PLANNER_DEFAULTS>;

/** A plan of the largest size takes one to two hundred megabytes. */
const HEAP_MB_MAX = 512;
/** Pieces of a small plan: a second of one core, or little more. */
export const SMALL_PIECES_MAX = 500;

type Job = {
  readonly accountId: string;
  readonly request: LoadRequest;
  readonly isSmall: boolean;
  readonly settle: (result: PlanResult | Error) => void;
  cancelTimer: Cancel;
};

type Thread = { worker: Worker | null; job: Job | null; cancelIdle: Cancel };

type PlannerState = {
  readonly clock: Clock;
  readonly settings: PlannerSettings;
  readonly waiting: Job[];
  readonly threads: readonly Thread[];
  /** Accounts whose plans have begun, the latest last. */
  readonly served: Set<string>;
  isStopped: boolean;
};

export function createPlanner(clock: Clock, settings: PlannerSettings = PLANNER_DEFAULTS): Planner {
  const state: PlannerState = {
    clock,
    settings,
    waiting: [],
    threads: Array.from({ length: settings.threads }, () => ({
      worker: null,
      job: null,
      cancelIdle: () => undefined,
    })),
    served: new Set(),
    isStopped: false,
  };
  return {
    plan(accountId, request) {
      const pieces = request.cargo.reduce((sum, { count }) => sum + count, 0);
      const isSmall = pieces <= SMALL_PIECES_MAX;
      const refused = refusalOf(state, accountId, isSmall);
      return refused === null ? enqueue(state, accountId, request, isSmall) : Promise.resolve(busy(refused));
    },
    stop: () => stop(state),
  };
}

function busy(reason: PlannerBusy["reason"]): PlannerBusy {
  return { kind: "busy", reason };
}

function refusalOf(
  { isStopped, waiting, threads, settings }: PlannerState,
  accountId: string,
  isSmall: boolean,
): PlannerBusy["reason"] | null {
  if (isStopped) return "stopping";
  const own = [...waiting, ...threads.map(({ job }) => job)].filter((job) => job?.accountId === accountId);
  if (own.length >= settings.perAccountMax) return "account_limit";
  return waiting.filter((job) => job.isSmall === isSmall).length >= settings.queueMax ? "queue_full" : null;
}

function enqueue(
  state: PlannerState,
  accountId: string,
  request: LoadRequest,
  isSmall: boolean,
): Promise<PlanResult> {
  const { promise, resolve, reject } = Promise.withResolvers<PlanResult>();
  const settle: Job["settle"] = (result) => (result instanceof Error ? reject(result) : resolve(result));
  const cancelTimer = state.clock.after(state.settings.waitMsMax, () => {
    state.waiting.splice(state.waiting.indexOf(job), 1);
    settle(busy("queue_full"));
  });
  const job: Job = { accountId, request, isSmall, settle, cancelTimer };
  state.waiting.push(job);
  runNext(state);
  return promise;
}

function runNext(state: PlannerState): void {
  const { waiting, threads, served, isStopped } = state;
  while (!isStopped) {
    const running = threads.flatMap(({ job }) => job ?? []);
    const job = nextJob(waiting, running, [...served], threads.length);
    // A thread that has run before is warm.
    const free = threads.filter((thread) => thread.job === null);
    const thread = free.find(({ worker }) => worker !== null) ?? free[0];
    if (job === null || thread === undefined) return;
    waiting.splice(waiting.indexOf(job), 1);
    served.delete(job.accountId);
    served.add(job.accountId);
    if (served.size > state.settings.queueMax * 2) served.delete(served.values().next().value!);
    run(state, thread, job);
  }
}

function run(state: PlannerState, thread: Thread, job: Job): void {
  const { clock, settings } = state;
  thread.cancelIdle();
  job.cancelTimer();
  thread.job = job;
  const worker = (thread.worker ??= startWorker(state, thread));
  job.cancelTimer = clock.after(settings.planMsMax, () =>
    replaceWorker(state, thread, worker, busy("timeout")),
  );
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window: it has no origin
  worker.postMessage(job.request);
}

function startWorker(state: PlannerState, thread: Thread): Worker {
  const worker = new Worker(new URL("./plan-worker.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
  });
  // A replaced thread may still send its plan before it ends.
  worker.on("message", (plan: ComputedPlan) => {
    if (thread.worker === worker) finish(state, thread, { kind: "planned", ...plan });
  });
  const fail = (cause?: unknown): void =>
    replaceWorker(state, thread, worker, new Error("the planning thread has failed", { cause }));
  worker.on("error", fail);
  worker.on("exit", () => fail());
  // An idle thread must not keep the process alive.
  worker.unref();
  return worker;
}

function replaceWorker(
  state: PlannerState,
  thread: Thread,
  worker: Worker,
  result: PlanResult | Error,
): void {
  if (thread.worker !== worker) return;
  void endWorker(thread);
  finish(state, thread, result);
}

async function endWorker(thread: Thread): Promise<void> {
  const { worker } = thread;
  thread.worker = null;
  await worker?.terminate();
}

function finish(state: PlannerState, thread: Thread, result: PlanResult | Error): void {
  const { job } = thread;
  thread.job = null;
  if (!state.isStopped) {
    thread.cancelIdle();
    thread.cancelIdle = state.clock.after(state.settings.idleMsMax, () => void endWorker(thread));
  }
  job?.cancelTimer();
  job?.settle(result);
  runNext(state);
}

async function stop(state: PlannerState): Promise<void> {
  state.isStopped = true;
  for (const job of state.waiting.splice(0)) {
    job.cancelTimer();
    job.settle(busy("stopping"));
  }
  await Promise.all(
    state.threads.map(async (thread) => {
      thread.cancelIdle();
      await endWorker(thread);
      finish(state, thread, busy("stopping"));
    }),
  );
}

/** Which waiting plan is made next. */

type Plan = { readonly accountId: string; readonly isSmall: boolean };

/**
 * Null: no waiting plan may begin. One of the threads is free of large plans, and an account has half of them at most,
 * so that one thread at least is left to others. `served`: accounts whose plans have begun, the latest last.
 */
export function nextJob<One extends Plan>(
  waiting: readonly One[],
  running: readonly Plan[],
  served: readonly string[],
  threads: number,
): One | null {
  if (running.length >= threads) return null;
  const largeMax = Math.max(1, threads - 1);
  const perAccountMax = Math.max(1, Math.floor(threads / 2));
  const isLargeFull = running.filter(({ isSmall }) => !isSmall).length >= largeMax;
  const runningOf = ({ accountId }: Plan): number =>
    running.filter((one) => one.accountId === accountId).length;
  const [next] = waiting
    .filter((job) => runningOf(job) < perAccountMax && (job.isSmall || !isLargeFull))
    .toSorted(
      (one, other) =>
        runningOf(one) - runningOf(other) ||
        served.indexOf(one.accountId) - served.indexOf(other.accountId) ||
        Number(other.isSmall) - Number(one.isSmall),
    );
  return next ?? null;
}
