/** Sample records for the tables of events: HERON DAWN 014E at Yokohama unless they say otherwise. */
import type { CallRecord } from "../../../src/products/schedules/calls/call-record.ts";
import { firstRecord } from "../../../src/products/schedules/calls/next-call-record.ts";
import { START_MS } from "../../support/clock.ts";
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
