import { StoreUnavailable, STORE_FAULTS } from "../model/errors.ts";
import type { Cancel, Clock } from "../runtime/clock.ts";
import type { LoopHandle } from "../runtime/loop-monitor.ts";
import { sleep } from "../runtime/sleep.ts";
import { TransientSet } from "../runtime/transient.ts";
import { classifyFailure, isCommitUnknown, type FailureKind } from "./statement-failure.ts";

/**
 * Writes rows in batches: each batch is one statement, or one transaction, that the database takes or refuses as a
 * whole. While one is written the next one gathers, so batches are as large as the load asks for. What is raised,
 * settled, released, counted or polled is written this way; each caller has its statement, and what each fate means.
 *
 *      add ─▶ gathered ─▶ writing ─▶ written
 *       │        ▲          ├─ the store does not take it now ─▶ tried again, or given up (`onAway`)
 *       │        │          └─ refused ─▶ halved until one row is refused alone ─▶ dropped, or set aside
 *       │        └─────────────── retryRefused, a bounded number ◀───────────────────────────────┘
 *       └─ too much waits already: not taken
 *
 * A batch of which the answer was lost may have been committed: the store has not taken it, for all that is known. A
 * caller whose statement is safe to repeat tries again and learns of it (`isRepeated`); the others give up.
 */
export type BatchWriter<Row> = {
  /** False: too much waits already. A row that waits or was set aside is not added twice. */
  add(row: Row): boolean;
  /** The row need not be written any more. */
  remove(row: Row): void;
  /** Writes now what has gathered; resolves when no row waits any more, or after `stop`. */
  flush(): Promise<void>;
  /** Resolves when no statement runs. */
  written(): Promise<void>;
  /** Adds a bounded number of those set aside, least recently tried first; none while the last ones are being tried. */
  retryRefused(): void;
  refusedCount(): number;
  /** Drops the rows set aside that are not being tried, and returns them. */
  dropRefused(): readonly Row[];
  /** Tries nothing any more. */
  stop(): void;
};

export type BatchBounds = {
  /** Rows of one batch, at least one. Where `sizeOf` counts them, the last row may go beyond it. */
  readonly batchMax: number;
  /** How long the first row of a batch waits for others; a full batch does not wait. */
  readonly gatherMs: number;
  /** What may wait in all: rows, and bytes. One row always may. */
  readonly waitingMax?: number;
  readonly waitingBytesMax?: number;
};

export type RowSize = { readonly count: number; readonly bytes: number };

/** One kind of batch. Only `write` may throw. */
export type BatchSteps<Row> = {
  /**
   * Resolves, once the rows are written, with what follows from that. `isRepeated`: an earlier try may have been
   * committed, its answer lost.
   */
  readonly write: (rows: readonly Row[], isRepeated: boolean) => Promise<() => void>;
  /** The database refuses the row by itself; of one set aside this is said once. */
  readonly onRefused: (row: Row, cause: unknown) => void;
  /** The store does not take the rows now, whatever they are: milliseconds until the next try, or null to give them up. */
  readonly onAway: (rows: readonly Row[], cause: unknown, tries: number) => number | null;
  /** Sets refused rows aside, to be tried again. */
  readonly keepsRefused?: boolean;
  /** Server faults of one batch before a single row shows whether one row is to blame. Absent: it never does. */
  readonly faultsBeforeProbe?: number;
  readonly sizeOf?: (row: Row) => RowSize;
  /** Whether the row may be in one batch with `first`. */
  readonly sharesBatch?: (row: Row, first: Row) => boolean;
  /** Resolves when the next batch may be taken. */
  readonly ready?: (() => Promise<void>) | undefined;
  /** Busy while something is written; each answer is progress. */
  readonly loop?: LoopHandle;
};

type State<Row> = {
  readonly bounds: BatchBounds;
  readonly clock: Pick<Clock, "after">;
  readonly steps: BatchSteps<Row>;
  readonly gathered: TransientSet<Row>;
  /** Of what has gathered. */
  count: number;
  bytes: number;
  /** What is being written, less the rows whose fate is known. */
  readonly batch: TransientSet<Row>;
  writing: Promise<void> | null;
  cancelTimer: Cancel | null;
  probes: number;
  /** Set aside, least recently tried first, and those of them that are being tried. */
  readonly refused: TransientSet<Row>;
  readonly retried: TransientSet<Row>;
  /** How many to try, 0 after one was refused. */
  retriedMax: number;
  isStopped: boolean;
};

/** Each may cost a statement of its own. The number doubles while all of them are written. */
const RETRIED_FIRST = 20;
const RETRIED_MAX = 1_000;

const ONE_ROW: RowSize = { count: 1, bytes: 0 };

export function createBatchWriter<Row>(
  bounds: BatchBounds,
  clock: Pick<Clock, "after">,
  steps: BatchSteps<Row>,
): BatchWriter<Row> {
  const state: State<Row> = {
    bounds,
    clock,
    steps,
    gathered: new TransientSet(),
    count: 0,
    bytes: 0,
    batch: new TransientSet(),
    writing: null,
    cancelTimer: null,
    probes: 0,
    refused: new TransientSet(),
    retried: new TransientSet(),
    retriedMax: 0,
    isStopped: false,
  };
  const { gathered, batch, refused, retried } = state;
  return {
    add: (row) => gathered.has(row) || refused.has(row) || add(state, row),
    remove(row) {
      leaveGathered(state, row);
      for (const rows of [batch, refused, retried]) rows.delete(row);
    },
    async flush() {
      while (!state.isStopped && (state.writing !== null || gathered.size > 0)) {
        startBatch(state);
        await state.writing;
      }
    },
    written: () => state.writing ?? Promise.resolve(),
    retryRefused: () => retryRefused(state),
    refusedCount: () => refused.size,
    dropRefused() {
      const idle = [...refused].filter((row) => !retried.has(row));
      for (const row of idle) refused.delete(row);
      return idle;
    },
    stop() {
      state.isStopped = true;
      state.cancelTimer?.();
      steps.loop?.end();
    },
  };
}

/**
 * Lets the calls of a moment share one statement, which `run` makes: it returns an answer for each item, in order. A call
 * rejects with what its item was refused for, or with `StoreUnavailable`. `retriesOnce`: where nothing was carried out.
 */
export function createBatch<Item, Answer>(
  bounds: BatchBounds,
  clock: Pick<Clock, "after">,
  run: (items: readonly Item[]) => Promise<readonly Answer[]>,
  {
    sizeOf,
    ready,
    retriesOnce = false,
  }: {
    readonly sizeOf?: (item: Item) => RowSize;
    readonly ready?: () => Promise<void>;
    readonly retriesOnce?: boolean;
  } = {},
): (item: Item) => Promise<Answer> {
  type Call = {
    readonly item: Item;
    readonly size: RowSize;
    readonly resolve: (answer: Answer) => void;
    readonly reject: (cause: unknown) => void;
  };
  const writer = createBatchWriter<Call>(bounds, clock, {
    async write(calls) {
      const answers = await run(calls.map(({ item }) => item));
      return () => {
        for (const [index, { resolve }] of calls.entries()) resolve(answers[index]!);
      };
    },
    onRefused: ({ reject }, cause) => reject(cause),
    onAway(calls, cause, tries) {
      if (retriesOnce && tries === 0 && !isCommitUnknown(cause)) return 0;
      for (const { reject } of calls) reject(cause);
      return null;
    },
    sizeOf: ({ size }) => size,
    ready,
  });
  return (item) =>
    new Promise((resolve, reject) => {
      if (writer.add({ item, size: sizeOf?.(item) ?? ONE_ROW, resolve, reject })) return;
      reject(new StoreUnavailable(STORE_FAULTS.overloaded, { commitUnknown: false, reason: "overloaded" }));
    });
}

function add<Row>(state: State<Row>, row: Row): boolean {
  const { gathered, bounds, steps } = state;
  const { waitingMax = Number.POSITIVE_INFINITY, waitingBytesMax = Number.POSITIVE_INFINITY } = bounds;
  const { count, bytes } = steps.sizeOf?.(row) ?? ONE_ROW;
  const isFull = state.count + count > waitingMax || state.bytes + bytes > waitingBytesMax;
  if (isFull && gathered.size > 0) return false;
  gathered.add(row);
  state.count += count;
  state.bytes += bytes;
  schedule(state);
  return true;
}

function leaveGathered<Row>(state: State<Row>, row: Row): number {
  if (!state.gathered.delete(row)) return 0;
  const { count, bytes } = state.steps.sizeOf?.(row) ?? ONE_ROW;
  state.count -= count;
  state.bytes -= bytes;
  return count;
}

function schedule<Row>(state: State<Row>): void {
  const { bounds, clock, gathered } = state;
  if (state.writing !== null || state.isStopped || gathered.size === 0) return;
  if (bounds.gatherMs === 0 || state.count >= bounds.batchMax) startBatch(state);
  else state.cancelTimer ??= clock.after(bounds.gatherMs, () => startBatch(state));
}

function startBatch<Row>(state: State<Row>): void {
  const { gathered, steps } = state;
  state.cancelTimer?.();
  state.cancelTimer = null;
  if (state.writing !== null || state.isStopped || gathered.size === 0) return;
  steps.loop?.busy();
  state.writing = writeNext(state).finally(() => {
    state.writing = null;
    if (gathered.size === 0) steps.loop?.idle();
    schedule(state);
  });
}

/** A caller with many rows adds them in one turn of the event loop, so none is taken before its end. */
async function writeNext<Row>(state: State<Row>): Promise<void> {
  await state.steps.ready?.();
  take(state);
  await writeBatch(state);
}

/** Fills the batch with what has gathered. */
function take<Row>(state: State<Row>): void {
  const { gathered, batch, bounds, steps } = state;
  let [first] = batch;
  let count = batch.size;
  for (const row of gathered) {
    first ??= row;
    if (count >= bounds.batchMax || steps.sharesBatch?.(row, first) === false) return;
    count += leaveGathered(state, row);
    batch.add(row);
  }
}

/** Tries until each row of the batch has its fate, or until `stop`. */
async function writeBatch<Row>(state: State<Row>): Promise<void> {
  const { batch, steps, clock } = state;
  const { faultsBeforeProbe = Number.POSITIVE_INFINITY } = steps;
  for (let tries = 0; batch.size > 0 && !state.isStopped; tries++) {
    let failure = await attempt(state, [...batch], tries > 0);
    if (failure?.kind === "server_fault" && tries >= faultsBeforeProbe && (await probe(state))) {
      // The fault may have ended with the probe, or the row that was written have caused it.
      failure = await attempt(state, [...batch], true);
      if (failure?.kind === "server_fault") failure = { ...failure, kind: "refused" };
    }
    if (failure?.kind === "refused") failure = await writeHalves(state, [...batch], failure.cause);
    if (failure === null) return;
    const waitMs = steps.onAway([...batch], failure.cause, tries);
    if (waitMs === null) return giveUp(state);
    if (waitMs > 0) await sleep(clock, waitMs);
  }
}

type Failure = { readonly kind: FailureKind; readonly cause: unknown };

/** Returns null when the rows are written. */
async function attempt<Row>(
  state: State<Row>,
  rows: readonly Row[],
  isRepeated: boolean,
): Promise<Failure | null> {
  const { batch, steps } = state;
  let follow: () => void;
  try {
    follow = await steps.write(rows, isRepeated);
  } catch (cause) {
    return { kind: classifyFailure(cause), cause };
  }
  steps.loop?.progress();
  for (const row of rows) batch.delete(row);
  follow();
  if (state.refused.size > 0) dropWritten(state, rows);
  return null;
}

/** The database is at fault, or one row is: true, and a row is, when a single row can be written. */
async function probe<Row>(state: State<Row>): Promise<boolean> {
  take(state);
  const rows = [...state.batch];
  const one = rows[++state.probes % rows.length]!;
  return rows.length > 1 && (await attempt(state, [one], true)) === null;
}

/** The rows fail together: tries their halves in turn, and theirs. Returns why the store could not be reached, or null. */
async function writeHalves<Row>(
  state: State<Row>,
  rows: readonly Row[],
  cause: unknown,
): Promise<Failure | null> {
  if (rows.length === 1) refuse(state, rows[0]!, cause);
  if (rows.length <= 1) return null;
  const middle = rows.length >> 1;
  for (const half of [rows.slice(0, middle), rows.slice(middle)]) {
    const some = half.filter((row) => state.batch.has(row));
    if (some.length === 0) continue;
    const failure = await attempt(state, some, true);
    // The number of halves is bounded, so every answer is progress.
    state.steps.loop?.progress();
    if (failure === null) continue;
    const away = failure.kind === "unreachable" ? failure : await writeHalves(state, some, failure.cause);
    if (away !== null) return away;
  }
  return null;
}

function giveUp<Row>({ batch, retried }: State<Row>): void {
  for (const row of batch) retried.delete(row);
  batch.clear();
}

function refuse<Row>(state: State<Row>, row: Row, cause: unknown): void {
  const { batch, refused, retried, steps } = state;
  batch.delete(row);
  const isKnown = refused.delete(row);
  if (steps.keepsRefused === true) refused.add(row);
  retried.delete(row);
  state.retriedMax = 0;
  if (!isKnown) steps.onRefused(row, cause);
}

function retryRefused<Row>(state: State<Row>): void {
  const { refused, retried } = state;
  if (retried.size > 0) return;
  state.retriedMax ||= RETRIED_FIRST;
  for (const row of refused.values().take(state.retriedMax)) retried.add(row);
  for (const row of retried) add(state, row);
}

/** When all that were tried again are written, the next ones are tried, and more of them. */
function dropWritten<Row>(state: State<Row>, rows: readonly Row[]): void {
  const { refused, retried } = state;
  const wasRetrying = retried.size > 0;
  for (const row of rows) {
    refused.delete(row);
    retried.delete(row);
  }
  if (!wasRetrying || retried.size > 0 || state.retriedMax === 0) return;
  state.retriedMax = Math.min(RETRIED_MAX, 2 * state.retriedMax);
  retryRefused(state);
}
