/** Direct sailings, and how reliable carriers and services are, in the public routes. */
import type { CarrierDay, ServiceDay, StoredSailing } from "../store/schedules-read.ts";
import { expectedTime, type CallRecord } from "../calls/call-record.ts";
import { reasonFields, voyageFields } from "../events/event-draft.ts";
import { readCallRecord } from "../calls/call-row.ts";
import { callState, departureState, isNotMade, showCutOffs, showPort, showTimes } from "./call-view.ts";
import { RELIABILITY_DEFAULTS } from "../reliability/reliability.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

/** A vessel's call at the origin, and its call at the destination. */
export function showSailing({ origin, destination, onTime, measured }: StoredSailing): object {
  const [leaves, comes] = [readCallRecord(origin), readCallRecord(destination)];
  const states = [departureState(leaves), callState(comes)] as const;
  return {
    ...voyageFields(leaves),
    arrival_voyage: comes.voyage.import ?? comes.voyage.export,
    departure: {
      ...showPort(leaves, states[0]),
      ...showTimes(leaves.port, leaves.departure),
      ...reasonFields(leaves),
    },
    arrival: { ...showPort(comes), ...showTimes(comes.port, comes.arrival), ...reasonFields(comes) },
    cancelled: states.some(isNotMade),
    uncertain: states.includes("uncertain") && !states.some(isNotMade),
    transit_days: transitDays(leaves, comes),
    cut_offs: showCutOffs(leaves),
    reliability: onTime === null || measured === null ? null : showScore({ onTime, measured }),
  };
}

/** To a tenth of a day. */
function transitDays(leaves: CallRecord, comes: CallRecord): number | null {
  const [departure, arrival] = [expectedTime(leaves.departure), expectedTime(comes.arrival)];
  return departure === null || arrival === null
    ? null
    : Math.round(((arrival.ms - departure.ms) / DAY_MS) * 10) / 10;
}

/** Too few calls have no percentage. */
function showScore({ onTime, measured }: Pick<CarrierDay, "onTime" | "measured">): object {
  return {
    on_time_percent:
      measured < RELIABILITY_DEFAULTS.callsMin ? null : Math.round((1_000 * onTime) / measured) / 10,
    calls: measured,
    calls_on_time: onTime,
  };
}

export function showCarrier(day: CarrierDay): object {
  return { carrier: day.carrier, ...showScore(day) };
}

export function showService(day: ServiceDay): object {
  const { carrier, service, reference } = day;
  return {
    carrier,
    service,
    ...showScore(day),
    reference_percent: reference === null ? null : reference / 10,
  };
}
