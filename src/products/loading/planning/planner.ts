/**
 * Plans loads on a worker thread, one at a time. Other requests wait, a bounded number for a bounded time. Accounts
 * take turns: the next plan is for another account than the last, if one waits.
 *
 *     plan ─▶ waiting ─▶ running ─▶ planned
 *       │        │          ├─ the thread fails ─▶ the promise rejects
 *       │        │          └─ takes too long ──▶ timeout: the thread ends, and the next plan gets a new one
 *       │        └─ waits too long ─▶ queue_full
 *       └─ account_limit, queue_full, stopping
 */
import { Worker } from "node:worker_threads";

import { MINUTE_MS } from "../../../runtime/durations.ts";
import type { Cancel, Clock } from "../../../runtime/clock.ts";
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
  /** Ends the thread; running and waiting requests are refused. */
  stop(): Promise<void>;
};

export const PLANNER_DEFAULTS = {
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

type Job = {
  readonly accountId: string;
  readonly request: LoadRequest;
  readonly settle: (result: PlanResult | Error) => void;
  cancelTimer: Cancel;
};

type PlannerState = {
  readonly clock: Clock;
  readonly settings: PlannerSettings;
  readonly waiting: Job[];
  running: Job | null;
  worker: Worker | null;
  cancelIdle: Cancel;
  latestAccountId: string | null;
  isStopped: boolean;
};

export function createPlanner(clock: Clock, settings: PlannerSettings = PLANNER_DEFAULTS): Planner {
  const state: PlannerState = {
    clock,
    settings,
    waiting: [],
    running: null,
    worker: null,
    cancelIdle: () => undefined,
    latestAccountId: null,
    isStopped: false,
  };
  return {
    plan(accountId, request) {
      const refused = refusalOf(state, accountId);
      return refused === null ? enqueue(state, accountId, request) : Promise.resolve(busy(refused));
    },
    stop: () => stop(state),
  };
}

function busy(reason: PlannerBusy["reason"]): PlannerBusy {
  return { kind: "busy", reason };
}

function refusalOf(
  { isStopped, waiting, running, settings }: PlannerState,
  accountId: string,
): PlannerBusy["reason"] | null {
  if (isStopped) return "stopping";
  const own = [...waiting, running].filter((job) => job?.accountId === accountId);
  if (own.length >= settings.perAccountMax) return "account_limit";
  return waiting.length >= settings.queueMax ? "queue_full" : null;
}

function enqueue(state: PlannerState, accountId: string, request: LoadRequest): Promise<PlanResult> {
  const { promise, resolve, reject } = Promise.withResolvers<PlanResult>();
  const settle: Job["settle"] = (result) => (result instanceof Error ? reject(result) : resolve(result));
  const cancelTimer = state.clock.after(state.settings.waitMsMax, () => {
    state.waiting.splice(state.waiting.indexOf(job), 1);
    settle(busy("queue_full"));
  });
  const job: Job = { accountId, request, settle, cancelTimer };
  state.waiting.push(job);
  runNext(state);
  return promise;
}

function runNext(state: PlannerState): void {
  const { clock, settings, waiting } = state;
  if (state.running !== null || state.isStopped) return;
  state.cancelIdle();
  const ofOther = waiting.findIndex(({ accountId }) => accountId !== state.latestAccountId);
  const [job] = waiting.splice(Math.max(0, ofOther), 1);
  if (job === undefined) {
    state.cancelIdle = clock.after(settings.idleMsMax, () => void endWorker(state));
    return;
  }
  job.cancelTimer();
  state.running = job;
  state.latestAccountId = job.accountId;
  const worker = (state.worker ??= startWorker(state));
  job.cancelTimer = clock.after(settings.planMsMax, () => replaceWorker(state, worker, busy("timeout")));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window: it has no origin
  worker.postMessage(job.request);
}

function startWorker(state: PlannerState): Worker {
  const worker = new Worker(new URL("./plan-worker.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
  });
  // A replaced thread may still send its plan before it ends.
  worker.on("message", (plan: ComputedPlan) => {
    if (state.worker === worker) finish(state, { kind: "planned", ...plan });
  });
  const fail = (cause?: unknown): void =>
    replaceWorker(state, worker, new Error("the planning thread has failed", { cause }));
  worker.on("error", fail);
  worker.on("exit", () => fail());
  // An idle thread must not keep the process alive.
  worker.unref();
  return worker;
}

function replaceWorker(state: PlannerState, worker: Worker, result: PlanResult | Error): void {
  if (state.worker !== worker) return;
  void endWorker(state);
  finish(state, result);
}

async function endWorker(state: PlannerState): Promise<void> {
  const { worker } = state;
  state.worker = null;
  await worker?.terminate();
}

function finish(state: PlannerState, result: PlanResult | Error): void {
  const job = state.running;
  state.running = null;
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
  state.cancelIdle();
  await endWorker(state);
  finish(state, busy("stopping"));
}
