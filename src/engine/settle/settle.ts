import { settle, type InFlightDelivery, type Outcome } from "../../model/delivery.ts";
import type { Target } from "../../model/endpoint.ts";
import type { StoreUnavailable } from "../../model/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { LoopMonitor } from "../../runtime/loop-monitor.ts";
import { sleep } from "../../runtime/sleep.ts";
import type { Cell } from "../../store/cell.ts";
import type { Database } from "../../store/database.ts";
import { settleAttempts, type FailingEndpoint } from "../../store/deliveries/settling.ts";
import { countByEndpoint, failedTargets, applyFailureCounts } from "./endpoint-counts.ts";
import type { EndpointQueue } from "../dispatch/endpoint-queue.ts";
import { createLastSuccesses } from "./last-success.ts";
import { bisect, classifyFailure, type FailureKind } from "../statement-failure.ts";
import { createRefusedResults } from "./refused-results.ts";
import type { EngineSettings } from "../settings.ts";

/**
 * Writes what became of attempts: the one place where the state of a delivery or an endpoint changes.
 * Results are gathered and written one batch at a time; while a batch is under way the next one grows,
 * so that the batches are as large as the load asks for.
 *
 *      ended ─▶ gathered ─▶ under way ─▶ written ─▶ onWritten
 *                   ▲            │ │
 *                   └── again ◀──┘ └─ refused ─▶ its halves ─▶ … ─▶ one result ─▶ set aside
 *                   │     while the database cannot be reached                      │
 *                   └──────────────── retryRefused, some at a time ◀────────────────┘
 *
 * A result that the database refuses costs its own delivery and no other.
 */
export type Settler = {
  /** Takes the result of an attempt. */
  ended(lane: EndpointQueue, delivery: InFlightDelivery, outcome: Outcome): void;
  /** Tries some of the results that the database refused once more. To be called every so often. */
  retryRefused(): void;
  /** Results that the database refuses. */
  refusedCount(): number;
  /** What this node held under an earlier number is another's: its refused results mean nothing any more. */
  replaced(): void;
  /** Resolves when everything gathered so far is written, or `giveUp` was called. */
  idle(): Promise<void>;
  /** No further tries while the database cannot be reached. */
  giveUp(): void;
};

export type SettlerPorts = {
  readonly database: Database;
  readonly cell: Cell;
  readonly clock: Clock;
  readonly log: Log;
  readonly loops: LoopMonitor;
  /** The deliveries are not held any more; `dueAtMs` is set for those that wait for a retry. */
  readonly onWritten: (ended: readonly EndedAttempt[]) => void;
  readonly onFailing: (endpoints: readonly FailingEndpoint[]) => void;
  /** An answer was lost that may have said of these endpoints that they were disabled. */
  readonly onCommitUnknown: (targets: ReadonlySet<Target>) => void;
  /** These deliveries are not this node's any more. */
  readonly onDisowned: (deliveries: readonly InFlightDelivery[]) => void;
};

export type EndedAttempt = {
  readonly queue: EndpointQueue;
  readonly delivery: InFlightDelivery;
  readonly settlement: ReturnType<typeof settle>;
};

type WriteFailure = { readonly kind: FailureKind; readonly cause: unknown };

/** Nothing written for so long, though there is something to write, means that settling does not get on. */
const WRITE_MS_MAX = 60_000;
/** Tries of a batch that the server answers with a fault before it is tried whether one row is to blame. */
const FAULTS_BEFORE_PROBE = 5;
const RETRY_MS = [50, 100, 200, 500, 1_000] as const;
/** Takes the place of a `last_error` that may be what the database refuses. */
const PLAIN_ERROR = "internal_error: The attempt failed, and the database refused the description of why.";

export function createSettler(settings: EngineSettings, ports: SettlerPorts): Settler {
  let gathered: EndedAttempt[] = [];
  let underWay: Promise<void> | null = null;
  let armed = false;
  let givenUp = false;
  const refused = createRefusedResults(ports.log);
  const pulse = ports.loops.watch(`settling in cell ${ports.cell.number}`, WRITE_MS_MAX);
  pulse.idle();
  const lastSuccesses = createLastSuccesses(ports);

  function arm(): void {
    if (armed || underWay !== null) return;
    if (gathered.length >= settings.settleBatchMax) return begin();
    armed = true;
    ports.clock.after(settings.settleDelayMs, () => {
      armed = false;
      begin();
    });
  }

  function begin(): void {
    if (underWay !== null || gathered.length === 0 || givenUp) return;
    pulse.busy();
    underWay = write(takeBatch())
      .catch((cause: unknown) =>
        ports.log.error({ err: cause }, "results that are written were not all taken"),
      )
      .finally(() => {
        underWay = null;
        if (gathered.length > 0) arm();
        else pulse.idle();
      });
  }

  function takeBatch(): EndedAttempt[] {
    return take(gathered[0]!.delivery.node, settings.settleBatchMax);
  }

  /** What has come since the batch was taken, and fits in with it. */
  function takeMore(batch: readonly EndedAttempt[]): EndedAttempt[] {
    return take(batch[0]!.delivery.node, settings.settleBatchMax - batch.length);
  }

  /** One batch is of one node number: a node that joined anew writes its old results apart. */
  function take(node: number, countMax: number): EndedAttempt[] {
    const limit = Math.min(gathered.length, countMax);
    let count = 0;
    while (count < limit && gathered[count]!.delivery.node === node) count += 1;
    const batch = gathered.slice(0, count);
    gathered = gathered.slice(count);
    return batch;
  }

  /** Tries until the database has taken or refused the batch, or `giveUp` was called. */
  async function write(batch: readonly EndedAttempt[]): Promise<void> {
    for (let attempt = 0; !givenUp; attempt++) {
      const tried = await writeOnce(batch, attempt > 0);
      if (tried === null) return;
      if (tried.kind === "refused") return writeApart(batch, tried.cause);
      if (attempt === 0) logWaiting(ports.log, tried.cause as StoreUnavailable);
      if (tried.kind === "server_fault" && attempt >= FAULTS_BEFORE_PROBE) {
        // The fault may be the database's, or one row's: if a single result is taken, it is a row's.
        batch = [...batch, ...takeMore(batch)];
        const probe = batch[attempt % batch.length]!;
        if (batch.length > 1 && (await writeOnce([probe], true)) === null) {
          const rest = batch.filter((one) => one !== probe);
          return writeApart(rest, tried.cause);
        }
      }
      await sleep(ports.clock, RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]!);
    }
  }

  /** Null: it is written. `isRepeated`: an earlier try may have been written, and its answer lost. */
  async function writeOnce(
    batch: readonly EndedAttempt[],
    isRepeated: boolean,
  ): Promise<WriteFailure | null> {
    const atMs = ports.clock.nowMs();
    const counts = countByEndpoint(batch, atMs, lastSuccesses.unwritten);
    // A success that is being written came before these failures, and would forget them.
    if (counts.some((count) => count.trailingFailures > 0)) await lastSuccesses.written();
    let failing: readonly FailingEndpoint[];
    try {
      failing = await settleAttempts(ports.database, ports.cell, {
        node: batch[0]!.delivery.node,
        attempts: batch.map(({ delivery, settlement }) => ({
          deliveryId: delivery.id,
          queued: delivery.queued,
          settlement,
        })),
        counts,
        atMs,
        disableAfterFailures: settings.retry.disableAfterFailures,
      });
    } catch (cause) {
      return { kind: classifyFailure(cause), cause };
    }
    pulse.progress();
    taken(batch, failing, isRepeated);
    return null;
  }

  function taken(
    batch: readonly EndedAttempt[],
    failing: readonly FailingEndpoint[],
    isRepeated: boolean,
  ): void {
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
        ports.log.error({ err: cause }, "results are written, and not all that follows from them was done");
      }
    }
    lastSuccesses.arm();
    if (refused.written(batch)) retryRefused();
  }

  /** The batch fails as a whole: its halves are tried one after the other, down to the results that fail alone. */
  async function writeApart(batch: readonly EndedAttempt[], cause: unknown): Promise<void> {
    const left = new Set(batch);
    let last = cause;
    const failing = await bisect(batch, async (some) => {
      const failure = await writeOnce(some, true);
      // There are only so many halves: every answer is a step on.
      pulse.progress();
      if (failure !== null) {
        last = failure.cause;
        return failure.kind;
      }
      for (const one of some) left.delete(one);
      return "done";
    });
    if (failing === null) return write([...left]);
    for (const one of failing) await writePlain(one, last);
  }

  /** Once more with a plain description, which may be what the database refuses; then it is set aside. */
  async function writePlain(one: EndedAttempt, cause: unknown): Promise<void> {
    if (one.settlement.lastError !== null) {
      const settlement = { ...one.settlement, lastError: PLAIN_ERROR };
      if ((await writeOnce([{ ...one, settlement }], true)) === null) return;
    }
    refused.setAside(one, cause);
  }

  function retryRefused(): void {
    const again = refused.retry();
    if (again.length === 0) return;
    gathered.push(...again);
    arm();
  }

  return {
    ended(lane, delivery, outcome) {
      const settlement = settle(delivery.attemptCount, outcome, ports.clock.nowMs(), settings.retry);
      gathered.push({ queue: lane, delivery, settlement });
      arm();
    },
    retryRefused,
    refusedCount: refused.count,
    replaced: () => ports.onDisowned(refused.abandon()),
    async idle() {
      while (!givenUp && (underWay !== null || gathered.length > 0)) {
        begin();
        await underWay;
      }
      if (!givenUp) await lastSuccesses.write();
    },
    giveUp() {
      givenUp = true;
      lastSuccesses.stop();
      pulse.end();
    },
  };
}

function logWaiting(log: Log, { reason, message }: StoreUnavailable): void {
  log.warn({ reason }, `results wait in memory: ${message}`);
}
