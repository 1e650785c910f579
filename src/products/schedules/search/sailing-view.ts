/** Direct sailings, connections, and how reliable carriers and services are, in the public routes. */
import type { CarrierDay, ServiceDay, ServiceTrendDay, StoredSailing } from "../store/schedules-read.ts";
import { expectedTime, type CallRecord } from "../calls/call-record.ts";
import { hoursOf, reasonFields, voyageFields } from "../events/event-draft.ts";
import { readCallRecord } from "../calls/call-row.ts";
import {
  callState,
  departureState,
  isNotMade,
  showCutOffs,
  showPort,
  showTimes,
  type CallState,
} from "./call-view.ts";
import type { FoundConnection } from "./search-connections.ts";
import { RELIABILITY_DEFAULTS } from "../reliability/reliability.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

/** A vessel's call at the origin, and its call at the destination. */
export function showSailing({ origin, destination, onTime, measured }: StoredSailing): object {
  const [leaves, comes] = [readCallRecord(origin), readCallRecord(destination)];
  const states = statesOf(leaves, comes);
  return {
    ...showLeg(leaves, comes),
    cancelled: states.some(isNotMade),
    uncertain: states.includes("uncertain") && !states.some(isNotMade),
    reliability: onTime === null || measured === null ? null : showScore({ onTime, measured }),
  };
}

/** A way by several vessels, in their order. */
export function showConnection({ carrier, routing, legs, waitsMs, ...way }: FoundConnection): object {
  const calls = legs.map(
    ({ origin, destination }) => [readCallRecord(origin), readCallRecord(destination)] as const,
  );
  return {
    carrier,
    routing,
    transshipments: waitsMs.map((ms, index) => {
      const { port, portName } = calls[index]![1];
      return { port, port_name: portName, wait_hours: hoursOf(ms) };
    }),
    transit_days: daysOf(way.arrivalMs - way.departureMs),
    uncertain: calls.some((leg) => statesOf(...leg).includes("uncertain")),
    legs: calls.map((leg) => showLeg(...leg)),
  };
}

function showLeg(leaves: CallRecord, comes: CallRecord): object {
  return {
    ...voyageFields(leaves),
    arrival_voyage: comes.voyage.import ?? comes.voyage.export,
    departure: {
      ...showPort(leaves, departureState(leaves)),
      ...showTimes(leaves, "departure"),
      ...reasonFields(leaves),
    },
    arrival: { ...showPort(comes), ...showTimes(comes, "arrival"), ...reasonFields(comes) },
    transit_days: transitDays(leaves, comes),
    cut_offs: showCutOffs(leaves),
  };
}

function statesOf(leaves: CallRecord, comes: CallRecord): readonly CallState[] {
  return [departureState(leaves), callState(comes)];
}

function transitDays(leaves: CallRecord, comes: CallRecord): number | null {
  const [departure, arrival] = [expectedTime(leaves.departure), expectedTime(comes.arrival)];
  return departure === null || arrival === null ? null : daysOf(arrival.ms - departure.ms);
}

/** To a tenth of a day. */
function daysOf(ms: number): number {
  return Math.round((ms / DAY_MS) * 10) / 10;
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

/** `days`: of all services. */
export function showTrend({ carrier, service }: ServiceDay, days: readonly ServiceTrendDay[]): object {
  const own = days.filter((one) => one.carrier === carrier && one.service === service);
  return { trend: own.map((one) => ({ day: one.day, ...showScore(one) })) };
}
