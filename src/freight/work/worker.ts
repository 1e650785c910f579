/**
 * Leased work: jobs that wait in the database, each done by one node at a time. A claim is good until its lease
 * ends, so that another node takes over from one that was killed.
 *
 *     due ─▶ claimed ─▶ waiting ─▶ running ─▶ finishing ─▶ finished
 *                          │          ├─ postponed: its source is paused ─▶ released
 *                          │          ├─ the database cannot be reached ──▶ released beside the next claim
 *                          │          └─ broken, or the process is gone ──▶ due again when its lease ends
 *                          └─ expired, its source is paused, or a stop ───▶ released
 *
 * The loop:
 *
 *     idle ─(everyMs, or a wake)─▶ claiming ─▶ running what slots allow ─▶ claiming ─▶ … ─(nothing is due)─▶ idle
 *       │                             └─ the database is away: logged once ─▶ idle
 *       └─ stop: no more claims, what waits is released, what runs ends ─▶ stopped
 */
import { classifyFailure } from "../../engine/statement-failure.ts";
import { StoreUnavailable } from "../../model/errors.ts";
import { waitAtMost } from "../../runtime/cleanup.ts";
import type { Cancel } from "../../runtime/clock.ts";
import type { Interval } from "../../runtime/interval.ts";
import type { LoopHandle } from "../../runtime/loop-monitor.ts";
import type { NodeContext } from "../../store/node-context.ts";
import { createOutageLog, type OutageLog } from "./outage.ts";
import type { ClaimLimit, SourceQueues } from "./source-queues.ts";

/** A kind of job: where it waits, how it is done, and how its result is stored. */
export type JobKind<Job, Result> = {
  /** Names the loop in the log and in metrics. */
  readonly name: string;
  readonly queues: SourceQueues<Job>;
  /**
   * Claims what is due within the limits, and reports progress between its statements. Before it rejects, it gives back
   * what it took.
   */
  readonly claim: (
    limits: readonly ClaimLimit[],
    progress: () => void,
    giveBack: (jobs: readonly Job[]) => Promise<void>,
  ) => Promise<readonly Job[]>;
  /** Does the job in a slot of its source. */
  readonly run: (job: Job, isStopped: () => boolean) => Promise<Ran<Result>>;
  /** Stores the result, beside the jobs that run next. Absent: `run` has. */
  readonly finish?: (job: Job, result: Result) => Promise<void>;
  /** Gives claims back: the jobs are due as before. Absent: leases run out. */
  readonly release?: (jobs: readonly Job[]) => Promise<void>;
  /** Something broke the job off: its lease runs out, unless the database could not be reached. */
  readonly onBroken: (job: Job, cause: unknown) => void;
  readonly onPostponed?: (job: Job) => void;
  /** Too little of its lease is left to begin. */
  readonly isExpired?: (job: Job) => boolean;
};

export type Ran<Result> =
  | { readonly kind: "ran"; readonly result: Result; /** Its source is up. */ readonly answered: boolean }
  /** Its source was not asked, and is not to be for so long. */
  | { readonly kind: "postponed"; readonly waitMs: number };

export type WorkerSettings = {
  /** Between two claims while nothing happens. */
  readonly everyMs: number;
  /** Jobs that run at once, of all sources together. */
  readonly runningMax: number;
  /** Jobs that have run and whose results are not stored yet; beyond it none begins. */
  readonly unfinishedMax?: number;
  /** A loop that reports no progress for so long hangs. */
  readonly silentMsMax: number;
  /** How long a stop waits for jobs; leases of the others run out. */
  readonly stopMsMax?: number;
};

const STOP_MS_MAX = 5_000;

export type WorkerPorts = Pick<NodeContext, "clock" | "log" | "loops">;

type Worker<Job, Result> = {
  readonly kind: JobKind<Job, Result>;
  readonly settings: WorkerSettings;
  readonly ports: WorkerPorts;
  readonly outage: OutageLog;
  readonly underWay: Set<Promise<void>>;
  /** Neither finished nor released, because the database could not be reached. */
  readonly unreleased: Job[];
  running: number;
  finishing: number;
  claiming: Promise<void> | null;
  isStarted: boolean;
  isStopped: boolean;
  /** More fell due during a claim. */
  isWoken: boolean;
  cancelIdle: Cancel;
  loop: LoopHandle | null;
};

/** `wake`: a job has just become due. Workers of one database may share an `outage`. */
export function createWorker<Job, Result>(
  ports: WorkerPorts,
  kind: JobKind<Job, Result>,
  settings: WorkerSettings,
  outage: OutageLog = createOutageLog(kind.name, ports.log, ports.clock),
): Interval {
  const worker: Worker<Job, Result> = {
    kind,
    settings,
    ports,
    outage,
    underWay: new Set(),
    unreleased: [],
    running: 0,
    finishing: 0,
    claiming: null,
    isStarted: false,
    isStopped: false,
    isWoken: false,
    cancelIdle: () => undefined,
    loop: null,
  };
  return {
    start() {
      if (worker.isStarted || worker.isStopped) return;
      worker.isStarted = true;
      worker.loop = ports.loops.watch(kind.name, settings.silentMsMax);
      tick(worker);
    },
    wake() {
      worker.isWoken = true;
      kind.queues.markDue();
      fill(worker);
    },
    stop: () => stop(worker),
  };
}

function tick<Job, Result>(worker: Worker<Job, Result>): void {
  const { ports, kind, settings, loop } = worker;
  worker.cancelIdle = ports.clock.after(settings.everyMs, () => tick(worker));
  // A claim or jobs that never end would keep all others from beginning.
  if (worker.claiming === null && worker.running < settings.runningMax) loop?.progress();
  kind.queues.markDue();
  fill(worker);
}

/** Starts all jobs that have a slot, and claims more when few are left. */
function fill<Job, Result>(worker: Worker<Job, Result>): void {
  if (!worker.isStarted || worker.isStopped) return;
  startWaiting(worker);
  if (worker.claiming !== null) return;
  const limits = worker.kind.queues.toClaim(worker.ports.clock.monotonicMs());
  if (limits.length === 0) return;
  worker.isWoken = false;
  worker.claiming = claim(worker, limits).then((claimed) => {
    worker.claiming = null;
    worker.loop?.progress();
    if (!claimed) return;
    // The claim may have read before the job fell due.
    if (worker.isWoken) worker.kind.queues.markDue();
    fill(worker);
  });
}

function startWaiting<Job, Result>(worker: Worker<Job, Result>): void {
  const { kind, settings } = worker;
  const expired: Job[] = [];
  while (
    worker.running < settings.runningMax &&
    worker.finishing < (settings.unfinishedMax ?? Number.POSITIVE_INFINITY)
  ) {
    const job = kind.queues.next();
    if (job === null) break;
    if (kind.isExpired?.(job) === true) {
      kind.queues.ended(job, false);
      expired.push(job);
    } else start(worker, job);
  }
  if (expired.length > 0) void release(worker, expired);
}

/** False: the database does not answer, and the next tick retries. */
async function claim<Job, Result>(
  worker: Worker<Job, Result>,
  limits: readonly ClaimLimit[],
): Promise<boolean> {
  const { kind, outage, loop } = worker;
  let claimed: readonly Job[];
  // Beside it: a cell that still cannot be reached holds up no other.
  const left = worker.unreleased.splice(0);
  if (left.length > 0) void kind.release?.(left).catch((cause: unknown) => keep(worker, left, cause));
  try {
    claimed = await kind.claim(
      limits,
      () => loop?.progress(),
      (jobs) => release(worker, jobs),
    );
    outage.ended();
  } catch (error) {
    outage.began(error);
    kind.queues.enqueue(limits, []);
    return false;
  }
  if (worker.isStopped) await release(worker, claimed);
  else kind.queues.enqueue(limits, claimed);
  return true;
}

function start<Job, Result>(worker: Worker<Job, Result>, job: Job): void {
  worker.running += 1;
  const ended = run(worker, job)
    .catch((cause: unknown) => {
      keep(worker, [job], cause);
      worker.kind.onBroken(job, cause);
    })
    .then(() => {
      worker.underWay.delete(ended);
      worker.loop?.progress();
      fill(worker);
    });
  worker.underWay.add(ended);
}

async function run<Job, Result>(worker: Worker<Job, Result>, job: Job): Promise<void> {
  const { kind, ports } = worker;
  let ran: Ran<Result> | null = null;
  try {
    ran = await kind.run(job, () => worker.isStopped);
  } finally {
    worker.running -= 1;
    kind.queues.ended(job, ran?.kind === "ran" && ran.answered);
  }
  if (ran.kind === "ran") {
    const finished = finish(worker, job, ran.result);
    fill(worker);
    return finished;
  }
  kind.onPostponed?.(job);
  const waiting = kind.queues.pause(job, ports.clock.monotonicMs() + ran.waitMs);
  await release(worker, [job, ...waiting]);
}

async function finish<Job, Result>(worker: Worker<Job, Result>, job: Job, result: Result): Promise<void> {
  worker.finishing += 1;
  try {
    await worker.kind.finish?.(job, result);
    worker.outage.ended();
  } catch (cause) {
    if (!(cause instanceof StoreUnavailable)) throw cause;
    keep(worker, [job], cause);
    worker.outage.began(cause);
  } finally {
    worker.finishing -= 1;
  }
}

async function release<Job, Result>(worker: Worker<Job, Result>, jobs: readonly Job[]): Promise<void> {
  try {
    await worker.kind.release?.(jobs);
  } catch (error) {
    keep(worker, jobs, error);
    worker.outage.began(error);
  }
}

/** A job that fails for another reason waits for its lease: done at once, it would ask its source again and again. */
function keep<Job, Result>(worker: Worker<Job, Result>, jobs: readonly Job[], cause: unknown): void {
  if (classifyFailure(cause) === "unreachable") worker.unreleased.push(...jobs);
}

async function stop<Job, Result>(worker: Worker<Job, Result>): Promise<void> {
  const { kind, ports, settings } = worker;
  worker.isStopped = true;
  worker.loop?.end();
  worker.cancelIdle();
  await release(worker, [...worker.unreleased.splice(0), ...kind.queues.drain()]);
  const ended = async (): Promise<void> => {
    await worker.claiming;
    await Promise.all(worker.underWay);
  };
  await waitAtMost(ports.clock, settings.stopMsMax ?? STOP_MS_MAX, ended());
}
