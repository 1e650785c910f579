import { settle, type HeldDelivery, type Outcome } from "../model/delivery.ts";
import type { Target } from "../model/endpoint.ts";
import { StoreUnavailable } from "../model/errors.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { Cell } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import {
  settleAttempts,
  touchEndpoints,
  type EndpointCount,
  type FailingEndpoint,
} from "../store/settling.ts";
import type { Lane } from "./lane.ts";
import type { EngineSettings } from "./settings.ts";

/**
 * Writes what became of attempts: the one place where the state of a delivery or an endpoint changes.
 * Results are gathered and written one batch at a time; while a batch is under way the next one grows,
 * so that the batches are as large as the load asks for.
 *
 *      ended ─▶ gathered ─▶ under way ─▶ written ─▶ onWritten
 *                   ▲            │
 *                   └── again ◀──┘  while the database cannot be reached
 */
export type Settler = {
  /** Takes the result of an attempt. */
  ended(lane: Lane, delivery: HeldDelivery, outcome: Outcome): void;
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
  /** The deliveries are not held any more; `dueAtMs` is set for those that wait for a retry. */
  readonly onWritten: (ended: readonly Ended[]) => void;
  /** The database refuses the results: a fault of ours. The rows stay pending and held. */
  readonly onRefused: (ended: readonly Ended[]) => void;
  readonly onFailing: (endpoints: readonly FailingEndpoint[]) => void;
  /** An answer was lost that may have said of these endpoints that they were disabled. */
  readonly onDoubtful: (targets: ReadonlySet<Target>) => void;
};

export type Ended = {
  readonly lane: Lane;
  readonly delivery: HeldDelivery;
  readonly settlement: ReturnType<typeof settle>;
};

/** How often an endpoint's last success is written while it goes on succeeding. */
const LAST_SUCCESS_EVERY_MS = 1_000;
const RETRY_MS = [50, 100, 200, 500, 1_000] as const;

export function createSettler(settings: EngineSettings, ports: SettlerPorts): Settler {
  let gathered: Ended[] = [];
  let underWay: Promise<void> | null = null;
  let armed = false;
  let givenUp = false;
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
    underWay = write(takeBatch()).finally(() => {
      underWay = null;
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

  async function write(batch: readonly Ended[]): Promise<void> {
    const atMs = ports.clock.nowMs();
    const counts = countByEndpoint(batch, atMs, untold);
    // A success that is being written came before these failures, and would forget them.
    if (counts.some((count) => count.streak > 0)) await touching;
    for (let attempt = 0; !givenUp; attempt++) {
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
        noteFailureCounts(batch, failing);
        ports.onFailing(failing);
        ports.onWritten(batch);
        if (attempt > 0) ports.onDoubtful(failedTargets(batch));
        armTouch();
        return;
      } catch (cause) {
        if (!(cause instanceof StoreUnavailable)) {
          // Not given back: what cannot be counted must not be sent again and again.
          ports.log.error(
            { err: cause, deliveries: batch.length },
            "the database refused the results of attempts",
          );
          ports.onRefused(batch);
          return;
        }
        if (attempt === 0)
          ports.log.warn({ err: cause }, "the database cannot be reached; results wait in memory");
        await pause(ports.clock, RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]!);
      }
    }
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
    async idle() {
      while (!givenUp && (underWay !== null || gathered.length > 0)) {
        begin();
        await underWay;
      }
      if (!givenUp) await touch();
    },
    giveUp() {
      givenUp = true;
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

type Tally = { -readonly [Key in keyof EndpointCount]: EndpointCount[Key] } & { run: number; lane: Lane };

/**
 * Folds the results of each endpoint in the order in which they ended, so that results settled together
 * count as if they had been settled one by one. An endpoint that only succeeds, has no failures to
 * forget and was written a moment ago is left out; `untold` remembers its last success.
 */
function countByEndpoint(batch: readonly Ended[], atMs: number, untold: Set<Lane>): EndpointCount[] {
  const tallies = new Map<string, Tally>();
  for (const { lane, settlement } of batch) {
    let tally = tallies.get(lane.target.id);
    if (tally === undefined) {
      tally = {
        endpointId: lane.target.id,
        delivered: false,
        carried: 0,
        longest: 0,
        streak: 0,
        lastDeliveredAtMs: null,
        run: 0,
        lane,
      };
      tallies.set(lane.target.id, tally);
    }
    if (settlement.deliveredAtMs !== null) {
      tally.delivered = true;
      tally.run = 0;
      tally.lastDeliveredAtMs = settlement.deliveredAtMs;
      lane.lastDeliveredAtMs = settlement.deliveredAtMs;
    } else {
      tally.run += 1;
      if (tally.delivered) tally.longest = Math.max(tally.longest, tally.run);
      else tally.carried = tally.run;
    }
    tally.streak = tally.run;
  }
  const counts: Tally[] = [];
  for (const tally of tallies.values()) {
    const { lane } = tally;
    const onlySuccess = tally.carried === 0 && tally.longest === 0 && lane.target.failureCount === 0;
    if (onlySuccess && atMs - lane.lastWrittenAtMs < LAST_SUCCESS_EVERY_MS) {
      untold.add(lane);
    } else {
      if (tally.delivered) lane.lastWrittenAtMs = atMs;
      untold.delete(lane);
      counts.push(tally);
    }
  }
  return counts.toSorted((a, b) => (a.endpointId < b.endpointId ? -1 : 1));
}

function pause(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.after(delayMs, resolve));
}
