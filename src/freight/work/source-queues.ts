/**
 * Claimed jobs that wait for a slot, queued by source. Sources take turns, and none has more jobs running than
 * slots, so that a slow one keeps nobody waiting but itself. Within a source, accounts take turns.
 *
 *     claiming ─▶ waiting ─(a slot is free, and it is the source's turn)─▶ running ─▶ slot free
 *        ▲                                                                   │
 *        └──(paused: what waits is released; when the pause ends, one job goes ahead of the others)
 *
 * An open breaker stops claims, not turns: what already waits finds out for itself.
 */
export type SourceQueues<Job> = {
  /** What to claim now; empty while every source has enough, or nothing more is due. */
  toClaim(nowMs: number): readonly ClaimLimit[];
  /** `claimed` is all that was due within these limits. */
  enqueue(limits: readonly ClaimLimit[], claimed: readonly Job[]): void;
  /** The next job to run. It holds a slot until `ended`. */
  next(): Job | null;
  /** A job has left its slot; `answered`: its source is up. */
  ended(job: Job, answered: boolean): void;
  /** Claims nothing for the job's source until then, and returns the jobs that wait for it. */
  pause(job: Job, untilMs: number): readonly Job[];
  /** More may be due. */
  markDue(): void;
  /** Empties all queues, and returns what waited. */
  drain(): readonly Job[];
};

/** How many jobs of a source to claim. */
export type ClaimLimit = { readonly source: string; readonly limit: number };

export type SourceQueuesOptions<Job> = {
  /** Jobs that run at once, by carrier. */
  readonly slots: ReadonlyMap<string, number>;
  readonly sourceOf: (job: Job) => string;
  /**
   * `ahead`: some jobs wait for each slot, so that none is idle while the database is asked. `free_slots`: as many as
   * can run at once. `when_empty`: the same, once all have ended.
   */
  readonly claims: "ahead" | "free_slots" | "when_empty";
  /** Whose job it is: the next one is of the account that had its turn longest ago. Without it, jobs are in order. */
  readonly accountOf?: (job: Job) => string;
  /** Jobs that go before an account's waiting jobs. */
  readonly isUrgent?: (job: Job) => boolean;
  readonly isBreakerOpen?: (carrier: string) => boolean;
  /** The sources that share a carrier's slots, where its own name is not the only one. */
  readonly sourcesOf?: (carrier: string) => readonly string[];
};

type Queue<Job> = {
  readonly carrier: string;
  readonly sources: readonly string[];
  readonly slots: number;
  readonly claims: SourceQueuesOptions<Job>["claims"];
  waiting: Job[];
  running: number;
  /** Turns so far, and when accounts had their last one; the latest are last. */
  turn: number;
  readonly turns: Map<string, number>;
  /** Sources of which the last claim took all that was due. */
  readonly exhausted: Set<string>;
  /** By the monotonic clock. */
  pausedUntilMs: number;
  /** It was paused: one job goes ahead of the others. */
  isProbing: boolean;
};

/** Jobs that wait for each slot, claimed ahead. */
const WAITING_PER_SLOT = 2;
/** Accounts of a queue whose turns are remembered. */
const TURNS_MAX = 1_000;

export function createSourceQueues<Job>(options: SourceQueuesOptions<Job>): SourceQueues<Job> {
  const { sourceOf, isUrgent = () => false, isBreakerOpen = () => false } = options;
  const order = [...options.slots].map(([carrier, slots]) => newQueue(options, carrier, slots));
  const queues = new Map(order.flatMap((queue) => queue.sources.map((source) => [source, queue] as const)));
  let turn = 0;
  return {
    toClaim(nowMs) {
      const able = order.filter(
        (queue) =>
          queue.exhausted.size < queue.sources.length &&
          queue.pausedUntilMs <= nowMs &&
          !isBreakerOpen(queue.carrier) &&
          room(queue) > 0,
      );
      const isLow = able.some((queue) => queue.waiting.length * 2 <= slotsOf(queue) * WAITING_PER_SLOT);
      return isLow ? able.flatMap(claimLimits) : [];
    },
    enqueue(limits, claimed) {
      const bySource = Map.groupBy(claimed, sourceOf);
      for (const { source, limit } of limits) {
        const jobs = bySource.get(source) ?? [];
        const queue = queues.get(source)!;
        if (jobs.length < limit) queue.exhausted.add(source);
        else queue.exhausted.delete(source);
        const later = jobs.filter((job) => !isUrgent(job));
        queue.waiting = [...jobs.filter(isUrgent), ...queue.waiting, ...later];
      }
    },
    next() {
      for (let step = 0; step < order.length; step += 1) {
        const queue = order[(turn + step) % order.length]!;
        if (queue.running >= slotsOf(queue)) continue;
        const job = takeNext(queue, options.accountOf);
        if (job === undefined) continue;
        turn = (turn + step + 1) % order.length;
        queue.running += 1;
        return job;
      }
      return null;
    },
    ended(job, answered) {
      const queue = queues.get(sourceOf(job))!;
      queue.running -= 1;
      if (answered) queue.isProbing = false;
    },
    pause(job, untilMs) {
      const queue = queues.get(sourceOf(job))!;
      queue.pausedUntilMs = Math.max(queue.pausedUntilMs, untilMs);
      queue.isProbing = true;
      return drain(queue);
    },
    markDue() {
      for (const queue of order) queue.exhausted.clear();
    },
    drain: () => order.flatMap(drain),
  };
}

/** One queue, for jobs that have no source of their own. */
export function createQueue<Job>(
  slots: number,
  options: Pick<SourceQueuesOptions<Job>, "claims" | "isBreakerOpen">,
): SourceQueues<Job> {
  return createSourceQueues({ ...options, slots: new Map([["", slots]]), sourceOf: () => "" });
}

function newQueue<Job>(
  { claims, sourcesOf = (carrier) => [carrier] }: SourceQueuesOptions<Job>,
  carrier: string,
  slots: number,
): Queue<Job> {
  const turns = new Map<string, number>();
  const idle = {
    waiting: [],
    running: 0,
    turn: 0,
    turns,
    exhausted: new Set<string>(),
    pausedUntilMs: 0,
    isProbing: false,
  };
  return { carrier, sources: sourcesOf(carrier), slots, claims, ...idle };
}

function takeNext<Job>(queue: Queue<Job>, accountOf: SourceQueuesOptions<Job>["accountOf"]): Job | undefined {
  const { waiting, turns } = queue;
  if (accountOf === undefined || waiting.length === 0) return waiting.shift();
  const turnOf = (job: Job): number => turns.get(accountOf(job)) ?? 0;
  let next = 0;
  for (let place = 1; place < waiting.length; place += 1) {
    if (turnOf(waiting[place]!) < turnOf(waiting[next]!)) next = place;
  }
  const [job] = waiting.splice(next, 1);
  const account = accountOf(job!);
  queue.turn += 1;
  turns.delete(account);
  turns.set(account, queue.turn);
  if (turns.size > TURNS_MAX) turns.delete(turns.keys().next().value!);
  return job;
}

/** A queue's room, in equal shares among the sources of which more may be due: one at least for each. */
function claimLimits<Job>(queue: Queue<Job>): readonly ClaimLimit[] {
  const sources = queue.sources.filter((source) => !queue.exhausted.has(source));
  const limit = Math.ceil(room(queue) / sources.length);
  return sources.map((source) => ({ source, limit }));
}

function slotsOf<Job>({ isProbing, slots }: Queue<Job>): number {
  return isProbing ? 1 : slots;
}

function room<Job>({ claims, isProbing, slots, running, waiting }: Queue<Job>): number {
  const isEmpty = running + waiting.length === 0;
  if (isProbing) return isEmpty ? 1 : 0;
  if (claims === "ahead") return slots * WAITING_PER_SLOT - waiting.length;
  return claims === "free_slots" || isEmpty ? slots - running - waiting.length : 0;
}

function drain<Job>(queue: Queue<Job>): readonly Job[] {
  const { waiting } = queue;
  queue.waiting = [];
  return waiting;
}
