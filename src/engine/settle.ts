import { settle, type HeldDelivery, type Outcome } from "../model/delivery.ts";
import type { Target } from "../model/endpoint.ts";
import { StoreUnavailable } from "../model/errors.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { Loops } from "../runtime/loops.ts";
import type { Cell } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import {
  settleAttempts,
  touchEndpoints,
  type EndpointCount,
  type FailingEndpoint,
} from "../store/settling.ts";
import { countByEndpoint, LAST_SUCCESS_EVERY_MS } from "./endpoint-counts.ts";
import type { Lane } from "./lane.ts";
import { createRefusedResults } from "./refused-results.ts";
import type { EngineSettings } from "./settings.ts";

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
  ended(lane: Lane, delivery: HeldDelivery, outcome: Outcome): void;
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
  readonly loops: Loops;
  /** The deliveries are not held any more; `dueAtMs` is set for those that wait for a retry. */
  readonly onWritten: (ended: readonly Ended[]) => void;
  readonly onFailing: (endpoints: readonly FailingEndpoint[]) => void;
  /** An answer was lost that may have said of these endpoints that they were disabled. */
  readonly onDoubtful: (targets: ReadonlySet<Target>) => void;
  /** These deliveries are not this node's any more. */
  readonly onLost: (deliveries: readonly HeldDelivery[]) => void;
};

export type Ended = {
  readonly lane: Lane;
  readonly delivery: HeldDelivery;
  readonly settlement: ReturnType<typeof settle>;
};

type Written =
  | { readonly kind: "written"; readonly failing: readonly FailingEndpoint[] }
  | { readonly kind: "unavailable"; readonly cause: StoreUnavailable }
  | { readonly kind: "refused"; readonly cause: unknown };

/** A statement that takes longer hangs. */
const WRITE_MS_MAX = 60_000;
const RETRY_MS = [50, 100, 200, 500, 1_000] as const;
/** Takes the place of a `last_error` that may be what the database refuses. */
const PLAIN_ERROR = "internal_error: The attempt failed, and the database refused the description of why.";

export function createSettler(settings: EngineSettings, ports: SettlerPorts): Settler {
  let gathered: Ended[] = [];
  let underWay: Promise<void> | null = null;
  let armed = false;
  let givenUp = false;
  const refused = createRefusedResults(ports.log);
  const pulse = ports.loops.watch(`settling in cell ${ports.cell.number}`, WRITE_MS_MAX);
  pulse.rest();
  const untold = new Set<Lane>();
  let touchArmed = false;
  /** The last writing of untold successes that was asked for. */
  let touching: Promise<void> = Promise.resolve();

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
    pulse.beat();
    underWay = write(takeBatch())
      .catch((cause: unknown) =>
        ports.log.error({ err: cause }, "results that are written were not all taken"),
      )
      .finally(() => {
        underWay = null;
        pulse.rest();
        if (gathered.length > 0) arm();
      });
  }

  /** One batch is of one node number: a node that joined anew writes its old results apart. */
  function takeBatch(): Ended[] {
    const node = gathered[0]!.delivery.node;
    const limit = Math.min(gathered.length, settings.settleBatchMax);
    let count = 1;
    while (count < limit && gathered[count]!.delivery.node === node) count += 1;
    const batch = gathered.slice(0, count);
    gathered = gathered.slice(count);
    return batch;
  }

  /** Tries until the database has taken or refused the batch, or `giveUp` was called. */
  async function write(batch: readonly Ended[]): Promise<void> {
    const atMs = ports.clock.nowMs();
    const counts = countByEndpoint(batch, atMs, untold);
    // A success that is being written came before these failures, and would forget them.
    if (counts.some((count) => count.streak > 0)) await touching;
    for (let attempt = 0; !givenUp; attempt++) {
      const outcome = await tryToWrite(batch, counts, atMs);
      pulse.beat();
      if (outcome.kind === "written") return taken(batch, outcome.failing, attempt > 0);
      if (outcome.kind === "refused") return writeApart(batch, outcome.cause);
      if (attempt === 0)
        ports.log.warn({ reason: outcome.cause.reason }, `results wait in memory: ${outcome.cause.message}`);
      await pause(ports.clock, RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]!);
    }
  }

  async function tryToWrite(
    batch: readonly Ended[],
    counts: readonly EndpointCount[],
    atMs: number,
  ): Promise<Written> {
    try {
      const failing = await settleAttempts(ports.database, ports.cell, {
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
      return { kind: "written", failing };
    } catch (cause) {
      return cause instanceof StoreUnavailable ? { kind: "unavailable", cause } : { kind: "refused", cause };
    }
  }

  /** `isRepeated`: an earlier try may have been written, and its answer lost. */
  function taken(batch: readonly Ended[], failing: readonly FailingEndpoint[], isRepeated: boolean): void {
    refused.written(batch);
    noteFailureCounts(batch, failing);
    ports.onFailing(failing);
    ports.onWritten(batch);
    if (isRepeated) ports.onDoubtful(failedTargets(batch));
    armTouch();
  }

  /** The batch is refused: its halves are tried one after the other, down to the result that is at fault. */
  async function writeApart(batch: readonly Ended[], cause: unknown): Promise<void> {
    const [only] = batch;
    if (only === undefined) return;
    if (batch.length > 1) {
      const half = batch.length >> 1;
      await write(batch.slice(0, half));
      return write(batch.slice(half));
    }
    const { lastError } = only.settlement;
    if (lastError !== null && lastError !== PLAIN_ERROR) {
      return write([{ ...only, settlement: { ...only.settlement, lastError: PLAIN_ERROR } }]);
    }
    refused.setAside(only, cause);
  }

  function armTouch(): void {
    if (touchArmed || untold.size === 0) return;
    touchArmed = true;
    ports.clock.after(LAST_SUCCESS_EVERY_MS, () => {
      touchArmed = false;
      if (!givenUp) void touch();
    });
  }

  /** Writes the last success of the endpoints that `untold` names. */
  function touch(): Promise<void> {
    const lanes = [...untold].toSorted((a, b) => (a.target.id < b.target.id ? -1 : 1));
    untold.clear();
    if (lanes.length === 0) return touching;
    for (const lane of lanes) lane.lastWrittenAtMs = lane.lastDeliveredAtMs;
    const ids = lanes.map((lane) => lane.target.id);
    const timesMs = lanes.map((lane) => lane.lastDeliveredAtMs);
    touching = touching
      .then(() => touchEndpoints(ports.database, ports.cell, ids, timesMs))
      .catch((cause: unknown) =>
        ports.log.warn({ err: cause }, "the times of the last successes were not written"),
      );
    return touching;
  }

  return {
    ended(lane, delivery, outcome) {
      const settlement = settle(delivery.attemptCount, outcome, ports.clock.nowMs(), settings.retry);
      gathered.push({ lane, delivery, settlement });
      arm();
    },
    retryRefused() {
      const again = refused.retry();
      if (again.length === 0) return;
      gathered.push(...again);
      arm();
    },
    refusedCount: refused.count,
    replaced: () => ports.onLost(refused.abandon()),
    async idle() {
      while (!givenUp && (underWay !== null || gathered.length > 0)) {
        begin();
        await underWay;
      }
      if (!givenUp) await touch();
    },
    giveUp() {
      givenUp = true;
      pulse.end();
    },
  };
}

function noteFailureCounts(batch: readonly Ended[], failing: readonly FailingEndpoint[]): void {
  for (const { lane } of batch) {
    if (lane.target.failureCount !== 0) lane.target = { ...lane.target, failureCount: 0 };
  }
  if (failing.length === 0) return;
  const counts = new Map(failing.map((endpoint) => [endpoint.id, endpoint.failureCount]));
  for (const { lane } of batch) {
    const failureCount = counts.get(lane.target.id);
    if (failureCount !== undefined && failureCount !== lane.target.failureCount) {
      lane.target = { ...lane.target, failureCount };
    }
  }
}

function failedTargets(batch: readonly Ended[]): ReadonlySet<Target> {
  const failed = batch.filter(({ settlement }) => settlement.deliveredAtMs === null);
  return new Set(failed.map(({ lane }) => lane.target));
}

function pause(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.after(delayMs, resolve));
}
