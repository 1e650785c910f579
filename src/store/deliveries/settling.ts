import type { FailedAttempt, Settlement } from "../../model/delivery.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import type { RowOf } from "../sql.ts";
import { deliverySettle } from "./deliveries.sql.ts";

/** One settled attempt. */
export type SettledAttempt = {
  readonly deliveryId: string;
  /** The delivery came to this node by a claim, and has a row in the queue. */
  readonly queued: boolean;
  readonly settlement: Settlement;
  /** What is kept of an attempt that failed, beside the settlement. */
  readonly failed?: FailedAttempt | null;
};

/** What the attempts of one batch mean to one endpoint, in the order in which they ended. */
export type EndpointCount = {
  readonly endpointId: string;
  /** Any of them succeeded. */
  readonly delivered: boolean;
  /** Failures before the first success; all of them where none succeeded. */
  readonly leadingFailures: number;
  /** The longest run of failures that began after a success. */
  readonly longestRun: number;
  /** Failures after the last success; all of them where none succeeded. */
  readonly trailingFailures: number;
  readonly lastDeliveredAtMs: number | null;
};

/** An endpoint that has failures after the batch; `disabled`: this batch made it inactive. */
export type FailingEndpoint = RowOf<typeof deliverySettle>;

/**
 * Writes the results of one batch in one statement; safe to repeat. `counts` must be in the order of
 * the endpoints' ids. Returns the endpoints that are failing now.
 */
export function settleAttempts(
  db: Connection,
  cell: Cell,
  batch: {
    readonly node: number;
    readonly attempts: readonly SettledAttempt[];
    readonly counts: readonly EndpointCount[];
    readonly atMs: number;
    readonly disableAfterFailures: number;
    /** How long consecutive failures must last to make an endpoint inactive. */
    readonly disableAfterMs: number;
  },
): Promise<FailingEndpoint[]> {
  const { attempts, counts } = batch;
  const settlements = attempts.map((attempt) => attempt.settlement);
  const failed = attempts.flatMap((attempt) =>
    attempt.failed ? [{ ...attempt.settlement, ...attempt.failed, id: attempt.deliveryId }] : [],
  );
  const closedClaims = attempts.filter(({ queued, settlement }) => queued && settlement.status !== "pending");
  return deliverySettle(
    db,
    cell,
    batch.node,
    attempts.map((attempt) => attempt.deliveryId),
    settlements.map((settlement) => settlement.status),
    settlements.map((settlement) => settlement.attemptCount),
    settlements.map((settlement) => settlement.lastStatusCode),
    settlements.map((settlement) => settlement.lastError),
    settlements.map((settlement) => settlement.deliveredAtMs),
    settlements.map((settlement) => settlement.dueAtMs),
    closedClaims.map((attempt) => attempt.deliveryId),
    counts.map((count) => count.endpointId),
    counts.map((count) => count.delivered),
    counts.map((count) => count.leadingFailures),
    counts.map((count) => count.longestRun),
    counts.map((count) => count.trailingFailures),
    counts.map((count) => count.lastDeliveredAtMs),
    batch.atMs,
    batch.disableAfterFailures,
    batch.atMs - batch.disableAfterMs,
    failed.map(({ id }) => id),
    failed.map(({ attemptCount }) => attemptCount),
    failed.map(({ endedAtMs }) => endedAtMs),
    failed.map(({ durationMs }) => durationMs),
    failed.map(({ address }) => address),
    failed.map(({ lastStatusCode }) => lastStatusCode),
    failed.map(({ lastError }) => lastError),
    failed.map(({ answerBytes }) => answerBytes),
  );
}
