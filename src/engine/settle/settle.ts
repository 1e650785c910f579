import {
  settle,
  type DeliveryStatus,
  type InFlightDelivery,
  type Outcome,
  type Peer,
} from "../../model/delivery.ts";
import type { Target } from "../../model/endpoint.ts";
import type { Cell } from "../../store/cell.ts";
import { settleAttempts, type FailingEndpoint } from "../../store/deliveries/settling.ts";
import { endpointTouch } from "../../store/endpoints/endpoints.sql.ts";
import type { NodeContext } from "../../store/node-context.ts";
import { createBatchWriter, type BatchWriter } from "../batch-writer.ts";
import { classifyFailure } from "../statement-failure.ts";
import type { EndpointQueue } from "../dispatch/endpoint-queue.ts";
import type { EngineSettings } from "../settings.ts";
import {
  applyFailureCounts,
  countByEndpoint,
  failedTargets,
  LAST_SUCCESS_EVERY_MS,
  type EndedAttempt,
} from "./endpoint-counts.ts";

/**
 * Writes the results of attempts: the one place where the state of a delivery or an endpoint changes
 * (spec 3.1: delivered, ladder, dead). `model/delivery.ts` decides the next state of a delivery, the statement
 * `delivery_settle` whether the endpoint goes inactive. `batch-writer.ts` shows the states of a result.
 *
 * A result that the database refuses holds up only its own delivery, which is not sent again, because the attempt could
 * not be counted. It keeps its place in memory, so the memory budget bounds them.
 */
export type Settler = ReturnType<typeof createSettler>;

export type SettlerPorts = Pick<NodeContext, "database" | "clock" | "log" | "loops"> & {
  readonly cell: Cell;
  /** The deliveries are no longer in flight; `dueAtMs` is set for a delivery that waits for a retry. */
  readonly onWritten: (ended: readonly EndedAttempt[]) => void;
  readonly onFailing: (endpoints: readonly FailingEndpoint[]) => void;
  readonly unreported?: readonly string[] | undefined;
  readonly onReported?: ((cell: Cell) => void) | undefined;
  /** The answer of a write was lost; it may have disabled these endpoints. */
  readonly onCommitUnknown: (targets: ReadonlySet<Target>) => void;
  /** This node no longer owns these deliveries. */
  readonly onDisowned: (deliveries: readonly InFlightDelivery[]) => void;
};

type State = {
  readonly settings: EngineSettings;
  readonly ports: SettlerPorts;
  readonly lastSuccesses: BatchWriter<EndpointQueue>;
};

/** If results wait and none is written for this long, settling makes no progress. */
const WRITE_MS_MAX = 60_000;
const FAULTS_BEFORE_PROBE = 5;
const RETRY_MS = [50, 100, 200, 500, 1_000] as const;
const NO_PEER: Peer = { address: null, answerBytes: 0 };
/** Replaces a `last_error` that the database may refuse. */
const PLAIN_ERROR = "internal_error: The attempt failed, and the database refused the description of why.";

export function createSettler(settings: EngineSettings, ports: SettlerPorts) {
  const { clock, log, loops, cell } = ports;
  const state: State = { settings, ports, lastSuccesses: createLastSuccesses(ports) };
  const loop = loops.watch(`settling in cell ${cell.number}`, WRITE_MS_MAX);
  loop.idle();
  const bounds = { batchMax: settings.settleBatchMax, gatherMs: settings.settleDelayMs };
  const results = createBatchWriter<EndedAttempt>(bounds, clock, {
    loop,
    // A node that joined again writes its old results separately.
    sharesBatch: ({ delivery }, first) => delivery.node === first.delivery.node,
    write: (batch, isRepeated) => writePlainly(state, batch, isRepeated),
    faultsBeforeProbe: FAULTS_BEFORE_PROBE,
    keepsRefused: true,
    onRefused({ delivery: { id: delivery, endpointId: endpoint } }, cause) {
      const fields = { err: cause, delivery, endpoint };
      log.error(fields, "the database refuses the result of an attempt; every sweep retries it");
    },
    onAway(_batch, cause, tries) {
      if (tries === 0) log.warn({ cause }, "results wait in memory");
      return RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]!;
    },
  });
  return {
    /** Settles an attempt: `outcome` decides the next state of the delivery, which it returns. */
    ended(
      queue: EndpointQueue,
      delivery: InFlightDelivery,
      outcome: Outcome,
      tookMs = 0,
      peer: Peer = NO_PEER,
    ): DeliveryStatus {
      const endedAtMs = clock.nowMs();
      const settlement = settle(delivery.attemptCount, outcome, endedAtMs, settings.retry);
      const failed =
        settlement.lastError === null ? null : { ...peer, endedAtMs, durationMs: Math.round(tookMs) };
      results.add({ queue, delivery, settlement, failed });
      return settlement.status;
    },
    /** Tries some of the refused results again. Call it with every sweep. */
    retryRefused: results.retryRefused,
    refusedCount: results.refusedCount,
    /** The node was replaced: another node owns the deliveries of the refused results. */
    replaced: (): void => ports.onDisowned(results.dropRefused().map(({ delivery }) => delivery)),
    /** Resolves when every gathered result is written, or after `giveUp`. */
    idle: (): Promise<void> => results.flush().then(state.lastSuccesses.flush),
    /** Stops retrying. */
    giveUp(): void {
      results.stop();
      state.lastSuccesses.stop();
    },
  };
}

/**
 * Writes `last_delivery_at` (spec 2.1: last_delivery_at) of endpoints that only succeed: once a second, not with every
 * batch of results. A time that is not written is lost: the next success has a later one.
 */
function createLastSuccesses({ database, cell, clock, log }: SettlerPorts): BatchWriter<EndpointQueue> {
  const lose = (cause: unknown): void =>
    log.warn({ err: cause }, "the times of the last successes were not written");
  const bounds = { batchMax: Number.POSITIVE_INFINITY, gatherMs: LAST_SUCCESS_EVERY_MS };
  return createBatchWriter<EndpointQueue>(bounds, clock, {
    async write(unwritten) {
      const queues = unwritten.toSorted((a, b) => (a.target.id < b.target.id ? -1 : 1));
      for (const queue of queues) queue.lastWrittenAtMs = queue.lastDeliveredAtMs;
      const touched = queues.map(({ target, lastDeliveredAtMs }) => ({ id: target.id, lastDeliveredAtMs }));
      await endpointTouch(database, cell, touched);
      return () => undefined;
    },
    onRefused: (_queue, cause) => lose(cause),
    onAway(_queues, cause) {
      lose(cause);
      return null;
    },
  });
}

/** Writes a single result that is refused with a plain description, in case the database refuses that. */
async function writePlainly(
  state: State,
  batch: readonly EndedAttempt[],
  isRepeated: boolean,
): Promise<() => void> {
  try {
    return await write(state, batch, isRepeated);
  } catch (cause) {
    const [{ settlement, ...one }] = batch as readonly [EndedAttempt];
    if (batch.length > 1 || settlement.lastError === null || classifyFailure(cause) !== "refused")
      throw cause;
    const plain = { ...one, settlement: { ...settlement, lastError: PLAIN_ERROR } };
    return write(state, [plain], true);
  }
}

async function write(
  { settings: { retry, failingAfterFailures }, ports, lastSuccesses }: State,
  batch: readonly EndedAttempt[],
  isRepeated: boolean,
): Promise<() => void> {
  const atMs = ports.clock.nowMs();
  const { counts, onlySucceeded } = countByEndpoint(batch, atMs);
  for (const { queue } of counts) lastSuccesses.remove(queue);
  // An earlier success that is still being written would reset the count of these failures.
  if (counts.some((count) => count.trailingFailures > 0)) await lastSuccesses.written();
  const failing = await settleAttempts(ports.database, ports.cell, {
    node: batch[0]!.delivery.node,
    attempts: batch.map(({ delivery, settlement, failed }) => ({
      deliveryId: delivery.id,
      queued: delivery.queued,
      settlement,
      failed,
    })),
    counts,
    atMs,
    disableAfterFailures: retry.disableAfterFailures,
    disableAfterMs: retry.disableAfterMs,
    failingAfterFailures,
    unreported: ports.unreported ?? [],
  });
  return () => {
    const steps = [
      () => applyFailureCounts(batch, failing),
      () => ports.onWritten(batch),
      () => ports.onFailing(failing),
      () => hasReports(batch, failing) && ports.onReported?.(ports.cell),
      () => isRepeated && ports.onCommitUnknown(failedTargets(batch)),
      () => {
        for (const queue of onlySucceeded) lastSuccesses.add(queue);
      },
    ];
    for (const step of steps) {
      try {
        step();
      } catch (cause) {
        ports.log.error({ err: cause }, "results are written, but a step that follows failed");
      }
    }
  };
}

function hasReports(batch: readonly EndedAttempt[], endpoints: readonly FailingEndpoint[]): boolean {
  return (
    endpoints.some(({ changed }) => changed) || batch.some(({ settlement }) => settlement.status === "dead")
  );
}
