/** The events that a call raises by itself, after an answer or as time passes, and when it next may raise one. */
import { absenceDueMs } from "../calls/absence.ts";
import type { CallRecord } from "../calls/call-record.ts";
import { claimDueMs } from "../calls/feed-reports.ts";
import { cutOffDueMs, cutOffEvents } from "./cut-offs.ts";
import type { EventDraft } from "./event-draft.ts";
import { slipDueMs, slipEvents } from "./sailing-slipped.ts";

export type CallEvents = { readonly drafts: readonly EventDraft[]; readonly record: CallRecord };

/** `hoursBefore`: how many hours before a cut-off to warn. */
export function callEvents(record: CallRecord, hoursBefore: readonly number[], nowMs: number): CallEvents {
  const slip = slipEvents(record, record.raised, nowMs);
  const cutOffs = cutOffEvents(record, slip.raised, hoursBefore, nowMs);
  return { drafts: [...slip.drafts, ...cutOffs.drafts], record: { ...record, raised: cutOffs.raised } };
}

/** When time alone may raise an event; null: never. */
export function nextDueMs(record: CallRecord, hoursBefore: readonly number[], nowMs: number): number | null {
  const times = [
    cutOffDueMs(record, hoursBefore, nowMs),
    slipDueMs(record, nowMs),
    voyageDueMs(record),
  ].filter((ms) => ms !== null);
  return times.length === 0 ? null : Math.min(...times);
}

/** When time alone changes a call, and its voyage with it; null: never. */
export function voyageDueMs(record: CallRecord): number | null {
  const times = [absenceDueMs(record), claimDueMs(record.reports)].filter((ms) => ms !== null);
  return times.length === 0 ? null : Math.min(...times);
}
