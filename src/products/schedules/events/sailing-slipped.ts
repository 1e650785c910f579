/**
 * `sailing_slipped`: the departure that is expected has moved by a day or more, either way, from the one that was
 * last told of, or first known; small moves add up. Once a call a UTC day: what moves again on that day is told on the
 * next if it is still a day or more away.
 */
import { expected, type CallRecord, type CallTold } from "../calls/call-record.ts";
import { cancellationOf } from "../calls/cancellation.ts";
import { DAY_MS } from "../calls/nearness.ts";
import { utcDay } from "../../../model/instant.ts";
import { companionTimes, utcText } from "../calls/port-day.ts";
import { hoursOf, portNames, reasonNames, voyageNames, type CallTelling } from "./draft.ts";

const MOVE_MS_MIN = DAY_MS;

export function slipEvents(record: CallRecord, told: CallTold, nowMs: number): CallTelling {
  const quiet = { drafts: [], told };
  const departure = expected(record.departure);
  if (departure === null || isSettled(record)) return quiet;
  if (told.departure === null) return { drafts: [], told: { ...told, departure } };
  const deltaMs = departure.ms - told.departure.ms;
  const today = utcDay(nowMs);
  if (Math.abs(deltaMs) < MOVE_MS_MIN || (told.slippedOn ?? "") >= today) return quiet;
  const data = {
    ...voyageNames(record),
    ...portNames(record),
    old_departure: utcText(told.departure.ms),
    new_departure: utcText(departure.ms),
    delta_hours: hoursOf(deltaMs),
    ...reasonNames(record),
    ...companionTimes(record.port, departure),
  };
  return {
    drafts: [{ type: "sailing_slipped", data, key: `sailing_slipped:${record.id}:${today}` }],
    told: { ...told, departure, slippedOn: today },
  };
}

/** When a slip is to be told that has come on a day on which one was told already; null: none waits. */
export function slipDueMs(record: CallRecord, nowMs: number): number | null {
  const { departure: from, slippedOn } = record.told;
  const departure = expected(record.departure);
  if (departure === null || from === null || slippedOn === null || isSettled(record)) return null;
  if (Math.abs(departure.ms - from.ms) < MOVE_MS_MIN) return null;
  const nextDayMs = Date.parse(slippedOn) + DAY_MS;
  return nextDayMs > nowMs ? nextDayMs : null;
}

function isSettled(record: CallRecord): boolean {
  return record.departure.actual !== null || cancellationOf(record) !== null;
}
