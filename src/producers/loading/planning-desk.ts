/**
 * Has plans made on a thread of its own, one at a time; others wait, a bounded number for a bounded time.
 *
 *     asked ─▶ waiting ─▶ at work ─▶ made
 *       │         │          └─ the thread fails ─▶ failed; takes too long ─▶ busy: it is ended, and the next plan gets a new one
 *       │         └─ waited too long ─▶ busy
 *       └─ too many wait, or too many of this account ─▶ busy
 */
import { Worker } from "node:worker_threads";

import type { Cancel, Clock } from "../../runtime/clock.ts";
import type { LoadRequest } from "./cargo.ts";
import type { MadePlan } from "./plan-worker.ts";

export type Planned =
  | ({ readonly kind: "made" } & MadePlan)
  /** `whose`: too many are at it in all, or of this account. */
  | { readonly kind: "busy"; readonly whose: "all" | "account" };

export type PlanningDesk = {
  /** Rejects when the thread failed, which is a bug of ours, and after `stop`. */
  plan(accountId: string, request: LoadRequest): Promise<Planned>;
  /** Ends the thread; who waits is refused. */
  stop(): Promise<void>;
};

export type PlanningSettings = {
  readonly waitingMax: number;
  /** Waiting and at work. */
  readonly perAccountMax: number;
  readonly waitMsMax: number;
  readonly workMsMax: number;
};

/** In all less than the minute after which a silent connection is closed. */
export const PLANNING_DEFAULTS: PlanningSettings = {
  waitingMax: 16,
  perAccountMax: 2,
  waitMsMax: 15_000,
  workMsMax: 40_000,
};

/** A plan of the largest size takes some ten megabytes. */
const HEAP_MB_MAX = 512;

type Job = {
  readonly accountId: string;
  readonly request: LoadRequest;
  readonly settle: (planned: Planned | Error) => void;
  cancel: Cancel;
};

export function createPlanningDesk(
  clock: Clock,
  settings: PlanningSettings = PLANNING_DEFAULTS,
): PlanningDesk {
  const waiting: Job[] = [];
  let atWork: Job | null = null;
  let worker: Worker | null = null;
  let isStopped = false;

  const finish = (planned: Planned | Error): void => {
    const job = atWork;
    atWork = null;
    job?.cancel();
    job?.settle(planned);
    next();
  };

  const giveUp = (failed: Worker, planned: Planned | Error): void => {
    if (worker !== failed) return;
    worker = null;
    void failed.terminate();
    finish(planned);
  };

  const fail = (failed: Worker, cause: unknown): void =>
    giveUp(failed, new Error("the thread that makes plans has failed", { cause }));

  const start = (): Worker => {
    const started = new Worker(new URL("./plan-worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
    });
    started.on("message", (made: MadePlan) => finish({ kind: "made", ...made }));
    started.on("error", (cause) => fail(started, cause));
    started.on("exit", () => fail(started, undefined));
    // An idle thread is no reason for the process to live.
    started.unref();
    return started;
  };

  const next = (): void => {
    if (atWork !== null || isStopped) return;
    const job = waiting.shift();
    if (job === undefined) return;
    job.cancel();
    atWork = job;
    worker ??= start();
    const at = worker;
    job.cancel = clock.after(settings.workMsMax, () => giveUp(at, { kind: "busy", whose: "all" }));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window: it has no origin
    at.postMessage(job.request);
  };

  return {
    plan(accountId, request) {
      if (isStopped) return Promise.reject(new Error("plans are made no more: the service ends"));
      const own = [...waiting, ...(atWork === null ? [] : [atWork])].filter(
        (job) => job.accountId === accountId,
      );
      if (own.length >= settings.perAccountMax) return Promise.resolve({ kind: "busy", whose: "account" });
      if (waiting.length >= settings.waitingMax) return Promise.resolve({ kind: "busy", whose: "all" });
      return new Promise((resolve, reject) => {
        const settle: Job["settle"] = (planned) => {
          if (planned instanceof Error) reject(planned);
          else resolve(planned);
        };
        const job: Job = { accountId, request, settle, cancel: () => undefined };
        job.cancel = clock.after(settings.waitMsMax, () => {
          waiting.splice(waiting.indexOf(job), 1);
          settle({ kind: "busy", whose: "all" });
        });
        waiting.push(job);
        next();
      });
    },
    async stop() {
      isStopped = true;
      const refused = new Error("plans are made no more: the service ends");
      for (const job of waiting.splice(0)) {
        job.cancel();
        job.settle(refused);
      }
      const ended = worker;
      worker = null;
      await ended?.terminate();
      finish(refused);
    },
  };
}
