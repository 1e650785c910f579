/** A vessel's previous, current and next calls. */
import { expectedTime, type CallRecord } from "../calls/call-record.ts";
import { callState, isNotMade, showCall } from "./call-view.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

/** Previous calls shown, and next ones. */
const SHOWN_MAX = 10;
/** Calls to read before the present and after it: several carriers may report each. */
export const VESSEL_CALLS_MAX = 5 * SHOWN_MAX;
/** A vessel this much later than its expected departure has left, though no feed says so. */
const OVERDUE_MS_MAX = 2 * DAY_MS;

/** `records`: its calls in order, at least one. */
export function showVessel(
  imo: string,
  records: readonly CallRecord[],
  withCancelled: boolean,
  nowMs: number,
): object {
  const calls = records
    .filter((record) => withCancelled || !isNotMade(callState(record)))
    .map((record) => ({ record, when: whenOf(record, nowMs) }));
  const of = (when: When) => calls.filter((call) => call.when === when).map(({ record }) => showCall(record));
  return {
    imo,
    name: records.findLast(({ vessel }) => vessel.name !== null)?.vessel.name ?? null,
    previous: of("previous").slice(-SHOWN_MAX),
    current: of("current"),
    next: of("next").slice(0, SHOWN_MAX),
  };
}

type When = "previous" | "current" | "next";

function whenOf(record: CallRecord, nowMs: number): When {
  const state = callState(record);
  const leaves = expectedTime(record.departure)?.ms ?? expectedTime(record.arrival)?.ms ?? null;
  const isOver = leaves !== null && leaves <= nowMs;
  if (state === "departed" || isNotMade(state)) return isOver ? "previous" : "next";
  if (state === "arrived") {
    return leaves === null || leaves + OVERDUE_MS_MAX > nowMs ? "current" : "previous";
  }
  return isOver ? "previous" : "next";
}
