/** Sample records for the tables of events: HERON DAWN 014E at Yokohama unless they say otherwise. */
import type { CallRecord } from "../../../src/products/schedules/calls/call-record.ts";
import { firstRecord, nextRecord } from "../../../src/products/schedules/calls/next-call-record.ts";
import { START_MS } from "../../support/clock.ts";
import type { CallStatement } from "../../../src/products/schedules/calls/call-statement.ts";
import { DAY_MS, said, type Said } from "../statements.ts";

export const NOW_MS = START_MS + DAY_MS;

export type Known = Partial<Pick<CallRecord, "id" | "goneMs">> & {
  readonly raised?: Partial<CallRecord["raised"]>;
};

/** A call with these facts, known since {@link START_MS}. */
export function callOf(facts: Said, { id = "1", raised = {}, ...more }: Known = {}): CallRecord {
  const source = { feed: "ovs", atMs: START_MS, isComplete: true };
  const record = firstRecord({ id, nth: 1 }, said(facts), source, 14 * DAY_MS);
  return { ...record, ...more, raised: { ...record.raised, ...raised } };
}

/** The record once a feed has made this statement of the call. */
export function recordAfter(
  before: CallRecord | null,
  says: CallStatement,
  feed: string,
  atMs: number,
): CallRecord {
  const source = { feed, atMs, isComplete: false };
  return before === null
    ? firstRecord({ id: "1", nth: 1 }, says, source, 14 * DAY_MS)
    : nextRecord(before, says, source, 14 * DAY_MS);
}
