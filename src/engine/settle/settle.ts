import {
  settle,
  type DeliveryStatus,
  type InFlightDelivery,
  type Outcome,
  type Peer,
} from "../../model/delivery.ts";
import type { Target } from "../../model/endpoint.ts";
import type { LoopHandle } from "../../runtime/loop-monitor.ts";
import { sleep } from "../../runtime/sleep.ts";
import type { Cell } from "../../store/cell.ts";
import { settleAttempts, type FailingEndpoint } from "../../store/deliveries/settling.ts";
import type { NodeContext } from "../../store/node-context.ts";
import type { EndpointQueue } from "../dispatch/endpoint-queue.ts";
import type { EngineSettings } from "../settings.ts";
import { bisect, classifyFailure, type FailureKind } from "../statement-failure.ts";
import { type EndedAttempt, applyFailureCounts, countByEndpoint, failedTargets } from "./endpoint-counts.ts";
import { createLastSuccesses, type LastSuccesses } from "./last-success.ts";
import { createRefusedResults, type RefusedResults } from "./refused-results.ts";

/**
 * Writes the results of attempts: the one place where the state of a delivery or an endpoint changes
 * (spec 3.1: delivered, ladder, dead; 3.2: disabled). While one batch is written the next one gathers, so batches are as large as the load
 * asks for.
 *
 *      ended ─▶ gathered ─▶ writing ─▶ written ─▶ onWritten
 *                  ▲           │ │
 *                  └─ retried ◀┘ └─ refused ─▶ bisected ─▶ one result ─▶ set aside
 *                  │    while the database is unreachable                   │
 *                  └──────────── retryRefused, a bounded number ◀───────────┘
 *
 * A result that the database refuses holds up only its own delivery.
 */
export type Settler = ReturnType<typeof createSettler>;

export type SettlerPorts = Pick<NodeContext, "database" | "clock" | "log" | "loops"> & {
  readonly cell: Cell;
  /** The deliveries are no longer in flight; `dueAtMs` is set for a delivery that waits for a retry. */
  readonly onWritten: (ended: readonly EndedAttempt[]) => void;
  readonly onFailing: (endpoints: readonly FailingEndpoint[]) => void;
  /** The answer of a write was lost; it may have disabled these endpoints. */
  readonly onCommitUnknown: (targets: ReadonlySet<Target>) => void;
  /** This node no longer owns these deliveries. */
  readonly onDisowned: (deliveries: readonly InFlightDelivery[]) => void;
};

type SettlerState = {
  readonly settings: EngineSettings;
  readonly ports: SettlerPorts;
  readonly refused: RefusedResults;
  readonly lastSuccesses: LastSuccesses;
  readonly loop: LoopHandle;
  gathered: EndedAttempt[];
  writing: Promise<void> | null;
  isTimerSet: boolean;
  hasGivenUp: boolean;
};

type WriteFailure = { readonly kind: FailureKind; readonly cause: unknown };

/** If results wait and none is written for this long, settling makes no progress. */
const WRITE_MS_MAX = 60_000;
/** Server faults of one batch before a single result probes whether one row is to blame. */
const FAULTS_BEFORE_PROBE = 5;
const RETRY_MS = [50, 100, 200, 500, 1_000] as const;
const NO_PEER: Peer = { address: null, answerBytes: 0 };
/** Replaces a `last_error` that the database may refuse. */
const PLAIN_ERROR = "internal_error: The attempt failed, and the database refused the description of why.";

export function createSettler(settings: EngineSettings, ports: SettlerPorts) {
  const state: SettlerState = {
    settings,
    ports,
    refused: createRefusedResults(ports.log),
    lastSuccesses: createLastSuccesses(ports),
    loop: ports.loops.watch(`settling in cell ${ports.cell.number}`, WRITE_MS_MAX),
    gathered: [],
    writing: null,
    isTimerSet: false,
    hasGivenUp: false,
  };
  state.loop.idle();
  return {
    /** Settles an attempt: `outcome` decides the next state of the delivery, which it returns. */
    ended(
      queue: EndpointQueue,
      delivery: InFlightDelivery,
      outcome: Outcome,
      tookMs = 0,
      peer: Peer = NO_PEER,
    ): DeliveryStatus {
      const endedAtMs = ports.clock.nowMs();
      const settlement = settle(delivery.attemptCount, outcome, endedAtMs, settings.retry);
      const failed =
        settlement.lastError === null ? null : { ...peer, endedAtMs, durationMs: Math.round(tookMs) };
      state.gathered.push({ queue, delivery, settlement, failed });
      scheduleWrite(state);
      return settlement.status;
    },
    /** Tries some of the refused results again. Call it with every sweep. */
    retryRefused: (): void => retryRefused(state),
    refusedCount: state.refused.count,
    /** The node was replaced: another node owns the deliveries of the refused results. */
    replaced: (): void => ports.onDisowned(state.refused.abandon()),
    /** Resolves when every gathered result is written, or after `giveUp`. */
    async idle(): Promise<void> {
      while (!state.hasGivenUp && (state.writing !== null || state.gathered.length > 0)) {
        startWrite(state);
        await state.writing;
      }
      if (!state.hasGivenUp) await state.lastSuccesses.write();
    },
    /** Stops retrying. */
    giveUp(): void {
      state.hasGivenUp = true;
      state.lastSuccesses.stop();
      state.loop.end();
    },
  };
}

function scheduleWrite(state: SettlerState): void {
  if (state.isTimerSet || state.writing !== null) return;
  const { settings, ports } = state;
  if (state.gathered.length >= settings.settleBatchMax) return startWrite(state);
  state.isTimerSet = true;
  ports.clock.after(settings.settleDelayMs, () => {
    state.isTimerSet = false;
    startWrite(state);
  });
}

function startWrite(state: SettlerState): void {
  const { gathered, loop } = state;
  if (state.writing !== null || gathered.length === 0 || state.hasGivenUp) return;
  loop.busy();
  const batch = takeBatch(state, gathered[0]!.delivery.node, state.settings.settleBatchMax);
  state.writing = writeUntilDone(state, batch)
    .catch((cause: unknown) =>
      state.ports.log.error({ err: cause }, "the follow-up of written results failed"),
    )
    .finally(() => {
      state.writing = null;
      if (state.gathered.length > 0) scheduleWrite(state);
      else loop.idle();
    });
}

/** A batch has one node number: a node that joined again writes its old results separately. */
function takeBatch(state: SettlerState, node: number, countMax: number): EndedAttempt[] {
  const { gathered } = state;
  const limit = Math.min(gathered.length, countMax);
  let count = 0;
  while (count < limit && gathered[count]!.delivery.node === node) count += 1;
  state.gathered = gathered.slice(count);
  return gathered.slice(0, count);
}

/** Tries until the database has written or refused the batch, or until `giveUp`. */
async function writeUntilDone(state: SettlerState, batch: readonly EndedAttempt[]): Promise<void> {
  const { ports, settings } = state;
  for (let tries = 0; !state.hasGivenUp; tries++) {
    const failure = await writeOnce(state, batch, tries > 0);
    if (failure === null) return;
    if (failure.kind === "refused") return writeBisected(state, batch, failure.cause);
    if (tries === 0) ports.log.warn({ cause: failure.cause }, "results wait in memory");
    if (failure.kind === "server_fault" && tries >= FAULTS_BEFORE_PROBE) {
      // The database is at fault, or one row is. If a single result can be written, a row is.
      const { node } = batch[0]!.delivery;
      batch = [...batch, ...takeBatch(state, node, settings.settleBatchMax - batch.length)];
      const probe = batch[tries % batch.length]!;
      if (batch.length > 1 && (await writeOnce(state, [probe], true)) === null) {
        const rest = batch.filter((one) => one !== probe);
        return writeBisected(state, rest, failure.cause);
      }
    }
    await sleep(ports.clock, RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]!);
  }
}

/** Returns null when written. `isRepeated`: an earlier try may have been committed, its answer lost. */
async function writeOnce(
  state: SettlerState,
  batch: readonly EndedAttempt[],
  isRepeated: boolean,
): Promise<WriteFailure | null> {
  const { ports, lastSuccesses } = state;
  const atMs = ports.clock.nowMs();
  const counts = countByEndpoint(batch, atMs, lastSuccesses.unwritten);
  // An earlier success that is still being written would reset the count of these failures.
  if (counts.some((count) => count.trailingFailures > 0)) await lastSuccesses.written();
  let failing: readonly FailingEndpoint[];
  try {
    failing = await settleAttempts(ports.database, ports.cell, {
      node: batch[0]!.delivery.node,
      attempts: batch.map(({ delivery, settlement, failed }) => ({
        deliveryId: delivery.id,
        queued: delivery.queued,
        settlement,
        failed,
      })),
      counts,
      atMs,
      disableAfterFailures: state.settings.retry.disableAfterFailures,
      disableAfterMs: state.settings.retry.disableAfterMs,
    });
  } catch (cause) {
    return { kind: classifyFailure(cause), cause };
  }
  state.loop.progress();
  afterWrite(state, batch, failing, isRepeated);
  return null;
}

function afterWrite(
  state: SettlerState,
  batch: readonly EndedAttempt[],
  failing: readonly FailingEndpoint[],
  isRepeated: boolean,
): void {
  const { ports } = state;
  applyFailureCounts(batch, failing);
  const steps = [
    () => ports.onWritten(batch),
    () => ports.onFailing(failing),
    () => isRepeated && ports.onCommitUnknown(failedTargets(batch)),
  ];
  for (const step of steps) {
    try {
      step();
    } catch (cause) {
      ports.log.error({ err: cause }, "results are written, but a step that follows failed");
    }
  }
  state.lastSuccesses.arm();
  if (state.refused.written(batch)) retryRefused(state);
}

/** The batch fails as a whole: try its halves in turn, down to the results that fail alone. */
async function writeBisected(
  state: SettlerState,
  batch: readonly EndedAttempt[],
  cause: unknown,
): Promise<void> {
  const unwritten = new Set(batch);
  let lastCause = cause;
  const failing = await bisect(batch, async (some) => {
    const failure = await writeOnce(state, some, true);
    // The number of halves is bounded, so every answer is progress.
    state.loop.progress();
    if (failure !== null) {
      lastCause = failure.cause;
      return failure.kind;
    }
    for (const one of some) unwritten.delete(one);
    return "done";
  });
  if (failing === null) return writeUntilDone(state, [...unwritten]);
  for (const one of failing) await writePlain(state, one, lastCause);
}

/** Retries with a plain description, in case the database refuses that; then sets the result aside. */
async function writePlain(state: SettlerState, one: EndedAttempt, cause: unknown): Promise<void> {
  if (one.settlement.lastError !== null) {
    const settlement = { ...one.settlement, lastError: PLAIN_ERROR };
    if ((await writeOnce(state, [{ ...one, settlement }], true)) === null) return;
  }
  state.refused.setAside(one, cause);
}

function retryRefused(state: SettlerState): void {
  const again = state.refused.retry();
  if (again.length === 0) return;
  state.gathered.push(...again);
  scheduleWrite(state);
}
