/**
 * `sailing_slipped`: the departure that is expected has moved by a day or more, either way, from the one that was
 * last raised of, or first known; small moves add up. Once a call a UTC day: what moves again on that day is raised on the
 * next if it is still a day or more away.
 */
import { utcText } from "../../../model/instant.ts";
import { expectedTime, type CallRecord, type CallRaised } from "../calls/call-record.ts";
import { cancellationOf } from "../calls/cancellation.ts";
import { utcDay } from "../../../model/instant.ts";
import { companionTimesAt } from "../calls/port-time.ts";
import { hoursOf, portFields, reasonFields, voyageFields, type CallDrafts } from "./event-draft.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

const SLIP_MS_MIN = DAY_MS;

export function slipEvents(record: CallRecord, raised: CallRaised, nowMs: number): CallDrafts {
  const quiet = { drafts: [], raised: raised };
  const departure = expectedTime(record.departure);
  if (departure === null || isFinal(record)) return quiet;
  if (raised.departure === null) return { drafts: [], raised: { ...raised, departure } };
  const deltaMs = departure.ms - raised.departure.ms;
  const today = utcDay(nowMs);
  if (Math.abs(deltaMs) < SLIP_MS_MIN || (raised.slippedOn ?? "") >= today) return quiet;
  const data = {
    ...voyageFields(record),
    ...portFields(record),
    old_departure: utcText(raised.departure.ms),
    new_departure: utcText(departure.ms),
    delta_hours: hoursOf(deltaMs),
    ...reasonFields(record),
    ...companionTimesAt(record.port, departure),
  };
  return {
    drafts: [{ type: "sailing_slipped", data, key: `sailing_slipped:${record.id}:${today}` }],
    raised: { ...raised, departure, slippedOn: today },
  };
}

/** When a slip is to be raised that has come on a day on which one was raised already; null: none waits. */
export function slipDueMs(record: CallRecord, nowMs: number): number | null {
  const { departure: from, slippedOn } = record.told;
  const departure = expectedTime(record.departure);
  if (departure === null || from === null || slippedOn === null || isFinal(record)) return null;
  if (Math.abs(departure.ms - from.ms) < SLIP_MS_MIN) return null;
  const nextDayMs = Date.parse(slippedOn) + DAY_MS;
  return nextDayMs > nowMs ? nextDayMs : null;
}

function isFinal(record: CallRecord): boolean {
  return record.departure.actual !== null || cancellationOf(record) !== null;
}
