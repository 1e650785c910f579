/**
 * When a call that complete fetches leave out counts as gone. It is uncertain from the first such fetch on, and gone
 *
 * - once a second fetch, an hour or more later, leaves it out too, if one of them certainly covers it;
 * - else a day before its time, if it has been either covered for certain or left out twice by then.
 *
 * A voyage of which all calls are uncertain is gone with the first of them.
 */
import { DAY_MS, HOUR_MS } from "../../../runtime/durations.ts";
import {
  cancellationOf,
  callsAtMs,
  isMade,
  type Absence,
  type CallRecord,
  type FeedReport,
} from "./call-record.ts";

/** Answers nearer to each other may be copies of one. */
const REPEATED_MS_MIN = HOUR_MS;

/** A vessel may sail early: a call that first vanishes later than this before its time does not count as gone. */
export const LAST_NOTICE_MS = DAY_MS;

/** A feed's report after one more fetch without the call; the same object if that says nothing new. */
export function absentReport(
  before: FeedReport,
  isSure: boolean,
  fetch: { readonly atMs: number; readonly isComplete: boolean },
): FeedReport {
  const { atMs } = fetch;
  const isComplete = before.isComplete || fetch.isComplete;
  const { goneMs, absence = { isSure: goneMs !== null, isRepeated: goneMs !== null } } = before;
  const next: Absence = {
    isSure: absence.isSure || isSure,
    isRepeated: absence.isRepeated || (goneMs !== null && atMs - goneMs >= REPEATED_MS_MIN),
  };
  const isSame = goneMs !== null && next.isSure === absence.isSure && next.isRepeated === absence.isRepeated;
  return isSame && before.isComplete === isComplete
    ? before
    : { ...before, goneMs: goneMs ?? atMs, absence: next, isComplete };
}

/** Null: a feed with complete fetches lists the call, or none has such. */
export function absenceOf(reports: CallRecord["reports"]): (Absence & { readonly sinceMs: number }) | null {
  const complete = Object.values(reports).filter(({ isComplete }) => isComplete);
  const times = complete.map(({ goneMs }) => goneMs ?? Number.NaN);
  if (times.length === 0 || times.some(Number.isNaN)) return null;
  const sinceMs = Math.max(...times);
  return {
    sinceMs,
    isSure: complete.some(({ absence }) => absence?.isSure ?? true),
    isRepeated:
      sinceMs - Math.min(...times) >= REPEATED_MS_MIN ||
      complete.some(({ absence }) => absence?.isRepeated ?? true),
  };
}

/** Since when the call is gone by its feeds' reports alone; null: it is not. */
export function goneSince(before: CallRecord["goneMs"], reports: CallRecord["reports"], atMs: number) {
  const absence = absenceOf(reports);
  if (absence === null) return null;
  return before ?? (absence.isSure && absence.isRepeated ? atMs : null);
}

/** Whether the last complete fetch of a feed leaves out a call that otherwise stands. */
export function isUncertain(record: CallRecord): boolean {
  if (isMade(record) || cancellationOf(record) !== null) return false;
  return Object.values(record.reports).some(({ goneMs }) => goneMs !== null);
}

/** When an uncertain call counts as gone though no further fetch says so; null: never. */
export function absenceDueMs(record: CallRecord): number | null {
  const absence = absenceOf(record.reports);
  if (absence === null || !(absence.isSure || absence.isRepeated) || !isUncertain(record)) return null;
  const dueMs = callsAtMs(record) - LAST_NOTICE_MS;
  return absence.sinceMs <= dueMs ? dueMs : null;
}

/** The calls of a voyage that count as gone from now on. */
export function newlyGone(voyage: readonly CallRecord[], nowMs: number): readonly CallRecord[] {
  const absent = voyage.filter((call) => isUncertain(call) && absenceOf(call.reports) !== null);
  const due = absent.filter((call) => (absenceDueMs(call) ?? Number.POSITIVE_INFINITY) <= nowMs);
  const isWhole =
    voyage.length > 1 && voyage.every((call) => absent.includes(call) || cancellationOf(call) !== null);
  const isLost = ({ goneMs, raised }: CallRecord) => goneMs !== null && raised.cancelled?.kind !== "silent";
  const isGone = due.length > 0 || voyage.some(isLost);
  return isWhole && isGone ? absent : due;
}
