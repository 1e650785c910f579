/** The reliability of carriers and services in the public routes. */
import type { CarrierDay, ServiceDay } from "../store/schedules-read.ts";
import { RELIABILITY_DEFAULTS } from "../reliability/reliability.ts";

type Score = { readonly onTime: number; readonly measured: number };

/** Too few calls have no percentage. */
export function showScore({ onTime, measured }: Score): object {
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
