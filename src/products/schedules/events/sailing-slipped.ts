/**
 * `sailing_slipped` (spec 6.2: sailing_slipped): the expected departure is a day or more, either way, from the one of
 * the last event, or the first known one; small moves add up. A call raises one a UTC day: a further move on that day
 * is raised on the next, if it is still a day or more.
 */
import { utcDay, utcText } from "../../../model/instant.ts";
import { DAY_MS } from "../../../runtime/durations.ts";
import { cancellationOf, expectedTime, type CallRaised, type CallRecord } from "../calls/call-record.ts";
import { companionTimesAt } from "../calls/port-time.ts";
import { hoursOf, portFields, reasonFields, voyageFields, type CallDrafts } from "./event-draft.ts";

const SLIP_MS_MIN = DAY_MS;

export function slipEvents(record: CallRecord, raised: CallRaised, nowMs: number): CallDrafts {
  const none = { drafts: [], raised };
  const departure = expectedTime(record.departure);
  if (departure === null || isFinal(record)) return none;
  if (raised.departure === null) return { drafts: [], raised: { ...raised, departure } };
  const deltaMs = departure.ms - raised.departure.ms;
  const today = utcDay(nowMs);
  if (Math.abs(deltaMs) < SLIP_MS_MIN || (raised.slippedOn ?? "") >= today) return none;
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

/** When to raise a slip that waits for the next day; null: none waits. */
export function slipDueMs(record: CallRecord, nowMs: number): number | null {
  const { departure: from, slippedOn } = record.raised;
  const departure = expectedTime(record.departure);
  if (departure === null || from === null || slippedOn === null || isFinal(record)) return null;
  if (Math.abs(departure.ms - from.ms) < SLIP_MS_MIN) return null;
  const nextDayMs = Date.parse(slippedOn) + DAY_MS;
  return nextDayMs > nowMs ? nextDayMs : null;
}

/** The vessel has left, or does not come. */
export function isFinal(record: CallRecord): boolean {
  return record.departure.actual !== null || cancellationOf(record) !== null;
}
