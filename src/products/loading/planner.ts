/**
 * Has plans made on a thread of its own, one at a time; others wait, a bounded number for a bounded time. Accounts take
 * turns: the next plan is another account's than the last, where one waits.
 *
 *     asked ─▶ waiting ─▶ at work ─▶ made
 *       │         │          └─ the thread fails ─▶ failed; takes too long ─▶ late: it is ended, and the next plan gets a new one
 *       │         └─ waited too long ─▶ busy
 *       └─ too many wait, or too many of this account ─▶ busy
 */
import { Worker } from "node:worker_threads";

import { MINUTE_MS } from "../../runtime/durations.ts";
import type { Cancel, Clock } from "../../runtime/clock.ts";
import type { LoadRequest } from "./cargo.ts";
import type { ComputedPlan } from "./plan-worker.ts";

export type PlanResult = ({ readonly kind: "planned" } & ComputedPlan) | PlannerBusy;

/**
 * Why there is no plan now, and may be one later: `account`: too many of this account are at it; `all`: too many in
 * all; `late`: it took too long, and was given up; `ending`: the service ends.
 */
export type PlannerBusy = {
  readonly kind: "busy";
  readonly reason: "account_limit" | "queue_full" | "timeout" | "stopping";
};

export type Planner = {
  /** Rejects when the thread failed, which is a bug of ours. */
  plan(accountId: string, request: LoadRequest): Promise<PlanResult>;
  /** Ends the thread; who waits is refused. */
  stop(): Promise<void>;
};

export type PlannerSettings = {
  readonly queueMax: number;
  /** Waiting and at work. */
  readonly perAccountMax: number;
  readonly waitMsMax: number;
  readonly planMsMax: number;
  /** Without work for so long, the thread ends, and with it goes the memory that its search took. */
  readonly idleMsMax: number;
};

/** In all less than the minute after which a silent connection is closed. */
export const PLANNER_DEFAULTS: PlannerSettings = {
  queueMax: 16,
  perAccountMax: 4,
  waitMsMax: 15_000,
  planMsMax: 40_000,
  idleMsMax: MINUTE_MS,
};

/** A plan of the largest size takes one to two hundred megabytes. */
const HEAP_MB_MAX = 512;

const ACCOUNT_LIMIT: PlannerBusy = { kind: "busy", reason: "account_limit" };
const QUEUE_FULL: PlannerBusy = { kind: "busy", reason: "queue_full" };
const TIMED_OUT: PlannerBusy = { kind: "busy", reason: "timeout" };
const STOPPING: PlannerBusy = { kind: "busy", reason: "stopping" };

type Job = {
  readonly accountId: string;
  readonly request: LoadRequest;
  readonly settle: (planned: PlanResult | Error) => void;
  cancel: Cancel;
};

export function createPlanner(clock: Clock, settings: PlannerSettings = PLANNER_DEFAULTS): Planner {
  const waiting: Job[] = [];
  let atWork: Job | null = null;
  let worker: Worker | null = null;
  let rested: Cancel = () => undefined;
  let latestAccountId: string | null = null;
  let isStopped = false;

  const finish = (planned: PlanResult | Error): void => {
    const job = atWork;
    atWork = null;
    job?.cancel();
    job?.settle(planned);
    next();
  };

  const end = async (): Promise<void> => {
    const ended = worker;
    worker = null;
    await ended?.terminate();
  };

  const giveUp = (failed: Worker, planned: PlanResult | Error): void => {
    if (worker !== failed) return;
    void end();
    finish(planned);
  };

  const fail = (failed: Worker, cause: unknown): void =>
    giveUp(failed, new Error("the thread that makes plans has failed", { cause }));

  const start = (): Worker => {
    const started = new Worker(new URL("./plan-worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
    });
    // What a thread that was given up said before it ended is nobody's plan.
    started.on("message", (made: ComputedPlan) => {
      if (worker === started) finish({ kind: "planned", ...made });
    });
    started.on("error", (cause) => fail(started, cause));
    started.on("exit", () => fail(started, undefined));
    // An idle thread is no reason for the process to live.
    started.unref();
    return started;
  };

  const next = (): void => {
    if (atWork !== null || isStopped) return;
    rested();
    const others = waiting.findIndex(({ accountId }) => accountId !== latestAccountId);
    const [job] = waiting.splice(Math.max(0, others), 1);
    if (job === undefined) {
      rested = clock.after(settings.idleMsMax, () => void end());
      return;
    }
    job.cancel();
    atWork = job;
    latestAccountId = job.accountId;
    worker ??= start();
    const at = worker;
    job.cancel = clock.after(settings.planMsMax, () => giveUp(at, TIMED_OUT));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window: it has no origin
    at.postMessage(job.request);
  };

  return {
    plan(accountId, request) {
      if (isStopped) return Promise.resolve(STOPPING);
      const own = [...waiting, ...(atWork === null ? [] : [atWork])].filter(
        (job) => job.accountId === accountId,
      );
      if (own.length >= settings.perAccountMax) return Promise.resolve(ACCOUNT_LIMIT);
      if (waiting.length >= settings.queueMax) return Promise.resolve(QUEUE_FULL);
      return new Promise((resolve, reject) => {
        const settle: Job["settle"] = (planned) => {
          if (planned instanceof Error) reject(planned);
          else resolve(planned);
        };
        const job: Job = { accountId, request, settle, cancel: () => undefined };
        job.cancel = clock.after(settings.waitMsMax, () => {
          waiting.splice(waiting.indexOf(job), 1);
          settle(QUEUE_FULL);
        });
        waiting.push(job);
        next();
      });
    },
    async stop() {
      isStopped = true;
      for (const job of waiting.splice(0)) {
        job.cancel();
        job.settle(STOPPING);
      }
      rested();
      await end();
      finish(STOPPING);
    },
  };
}
