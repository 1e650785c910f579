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

/**
 * An endpoint that has failures after the batch, or none any more. The batch made it inactive (`disabled`), or has
 * changed its condition (`changed`), which is reported.
 */
export type FailingEndpoint = RowOf<typeof deliverySettle>;

/**
 * Writes the results of one batch in one statement; safe to repeat. `counts` must be in the order of
 * the endpoints' ids. Returns the endpoints that are failing now, or have just stopped.
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
    /** Consecutive failures that are reported. */
    readonly failingAfterFailures: number;
    /** The products whose endpoints are not reported. */
    readonly unreported: readonly string[];
  },
): Promise<FailingEndpoint[]> {
  const { node, attempts, counts, atMs } = batch;
  return deliverySettle(db, cell, {
    node,
    attempts: attempts.map(({ deliveryId, settlement }) => ({ ...settlement, id: deliveryId })),
    failed: attempts.flatMap(({ deliveryId, settlement, failed }) =>
      failed ? [{ ...settlement, ...failed, id: deliveryId }] : [],
    ),
    endedClaims: attempts.flatMap(({ deliveryId, queued, settlement }) =>
      queued && settlement.status !== "pending" ? [deliveryId] : [],
    ),
    counts,
    at: atMs,
    disableAfter: batch.disableAfterFailures,
    begunBy: atMs - batch.disableAfterMs,
    failingAfter: batch.failingAfterFailures,
    unreported: batch.unreported,
  });
}
