/** What is to be told of one call by itself, after an answer or as time passes, and when that is looked at next. */
import type { CallRecord } from "../calls/call-record.ts";
import { cutOffDueMs, cutOffEvents } from "./cut-offs.ts";
import type { Draft } from "./draft.ts";
import { slipDueMs, slipEvents } from "./sailing-slipped.ts";

export type CallLook = { readonly drafts: readonly Draft[]; readonly record: CallRecord };

/** `hoursBefore`: how long before a cut-off it is told of. */
export function lookAtCall(record: CallRecord, hoursBefore: readonly number[], nowMs: number): CallLook {
  const slip = slipEvents(record, record.told, nowMs);
  const cutOffs = cutOffEvents(record, slip.told, hoursBefore, nowMs);
  return { drafts: [...slip.drafts, ...cutOffs.drafts], record: { ...record, told: cutOffs.told } };
}

/** When time alone changes something; null: never. */
export function nextLookMs(record: CallRecord, hoursBefore: readonly number[], nowMs: number): number | null {
  const times = [cutOffDueMs(record, hoursBefore, nowMs), slipDueMs(record, nowMs)].filter(
    (ms) => ms !== null,
  );
  return times.length === 0 ? null : Math.min(...times);
}
