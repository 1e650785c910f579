/** Calls of the record, as tables of events make them up: of HERON DAWN 014E at Yokohama unless they say otherwise. */
import type { CallRecord } from "../../../src/products/schedules/calls/call-record.ts";
import { firstRecord } from "../../../src/products/schedules/calls/next-call-record.ts";
import { START_MS } from "../../support/clock.ts";
import { DAY_MS, said, type Said } from "../said.ts";

export const NOW_MS = START_MS + DAY_MS;

export type Known = Partial<Pick<CallRecord, "id" | "goneMs">> & {
  readonly told?: Partial<CallRecord["told"]>;
};

/** A call that says this, known since {@link START_MS}. */
export function callOf(says: Said, { id = "1", told = {}, ...more }: Known = {}): CallRecord {
  const telling = { feed: "ovs", atMs: START_MS, isComplete: true };
  const record = firstRecord({ id, nth: 1 }, said(says), telling, 14 * DAY_MS);
  return { ...record, ...more, told: { ...record.told, ...told } };
}
