import type { FailedAttempt, Settlement } from "../../model/delivery.ts";
import { boolArray, int4Array, textArray, timestampArray, uuidArray } from "../binary.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import type { RowOf } from "../sql.ts";
import * as sql from "./statements.ts";

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
export type FailingEndpoint = RowOf<typeof sql.deliverySettle>;

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
  return db.rows(sql.deliverySettle(cell), [
    batch.node,
    uuidArray(attempts.map((attempt) => attempt.deliveryId)),
    textArray(settlements.map((settlement) => settlement.status)),
    int4Array(settlements.map((settlement) => settlement.attemptCount)),
    int4Array(settlements.map((settlement) => settlement.lastStatusCode)),
    textArray(settlements.map((settlement) => settlement.lastError)),
    timestampArray(settlements.map((settlement) => settlement.deliveredAtMs)),
    timestampArray(settlements.map((settlement) => settlement.dueAtMs)),
    uuidArray(closedClaims.map((attempt) => attempt.deliveryId)),
    uuidArray(counts.map((count) => count.endpointId)),
    boolArray(counts.map((count) => count.delivered)),
    int4Array(counts.map((count) => count.leadingFailures)),
    int4Array(counts.map((count) => count.longestRun)),
    int4Array(counts.map((count) => count.trailingFailures)),
    timestampArray(counts.map((count) => count.lastDeliveredAtMs)),
    new Date(batch.atMs),
    batch.disableAfterFailures,
    new Date(batch.atMs - batch.disableAfterMs),
    uuidArray(failed.map(({ id }) => id)),
    int4Array(failed.map(({ attemptCount }) => attemptCount)),
    timestampArray(failed.map(({ endedAtMs }) => endedAtMs)),
    int4Array(failed.map(({ durationMs }) => durationMs)),
    textArray(failed.map(({ address }) => address)),
    int4Array(failed.map(({ lastStatusCode }) => lastStatusCode)),
    textArray(failed.map(({ lastError }) => lastError)),
    int4Array(failed.map(({ answerBytes }) => answerBytes)),
  ]);
}
