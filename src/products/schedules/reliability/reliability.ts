/**
 * `reliability_drop` (spec 6.2: reliability_drop): the share of a service's measured calls that arrived on time falls.
 * A fall counts from the highest value since the last event, so that slow falls add up.
 */
import type { EventDraft } from "../events/event-draft.ts";
import type { ServiceWindowRow } from "../store/service-reliability.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

export type ReliabilitySettings = {
  /** How long before its arrival a call's baseline is fixed. */
  readonly noticeMs: number;
  /** Days of arrivals that count, the last one included. */
  readonly windowDays: number;
  /** With fewer measured calls there is no percentage. */
  readonly callsMin: number;
  /** Percentage points of a fall that raises an event. */
  readonly dropPoints: number;
};

export const RELIABILITY_DEFAULTS: ReliabilitySettings = {
  noticeMs: 14 * DAY_MS,
  windowDays: 90,
  callsMin: 10,
  dropPoints: 10,
};

/** `reference`: what falls count from after this day, in thousandths. */
type ServiceDayResult = { readonly reference: number | null; readonly draft: EventDraft | null };

/** The result of a day, `YYYY-MM-DD`. */
export function measureServiceDay(
  window: ServiceWindowRow,
  day: string,
  { windowDays, callsMin, dropPoints }: ReliabilitySettings,
): ServiceDayResult {
  const { carrier, service, onTime, measured, reference } = window;
  if (measured < callsMin) return { reference, draft: null };
  const now = Math.round((1000 * onTime) / measured);
  const highest = Math.max(reference ?? 0, now);
  if (highest - now < dropPoints * 10) return { reference: highest, draft: null };
  const data = {
    carrier,
    service,
    day,
    on_time_percent: now / 10,
    previous_percent: highest / 10,
    drop_points: (highest - now) / 10,
    window_days: windowDays,
    calls: measured,
    calls_on_time: onTime,
  };
  const key = `reliability_drop:${JSON.stringify([carrier, service])}:${day}`;
  return { reference: now, draft: { type: "reliability_drop", data, key } };
}
