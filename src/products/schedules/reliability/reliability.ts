/**
 * How well a service keeps its schedule: of its calls that could be measured, those that came on time. A fall is
 * counted from the highest value since the last fall that was told, so that slow ones add up, and told once.
 */
import type { EventDraft } from "../events/event-draft.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

export type ReliabilitySettings = {
  /** How long before its arrival a call's baseline is fixed. */
  readonly noticeMs: number;
  /** Days that are looked at together, the last of them included. */
  readonly windowDays: number;
  /** Fewer measured calls say nothing. */
  readonly callsMin: number;
  /** Percentage points of a fall that is told. */
  readonly dropPoints: number;
};

export const RELIABILITY_DEFAULTS: ReliabilitySettings = {
  noticeMs: 14 * DAY_MS,
  windowDays: 90,
  callsMin: 10,
  dropPoints: 10,
};

/** A service's window, and what falls were counted from until now; thousandths, null while nothing is known. */
export type ServiceWindow = {
  readonly carrier: string;
  readonly service: string;
  readonly onTime: number;
  readonly measured: number;
  readonly reference: number | null;
};

export type ServiceDayResult = {
  /** What falls are counted from after this day. */
  readonly reference: number | null;
  readonly draft: EventDraft | null;
};

/** What a day, `YYYY-MM-DD`, comes to. */
export function measureServiceDay(
  window: ServiceWindow,
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
