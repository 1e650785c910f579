/** An index is computed once a week, on its day, at its hour of UTC. */
import { utcDay } from "../../../model/instant.ts";
import { DAY_MS, HOUR_MS } from "../../../runtime/durations.ts";

export const WEEK_MS = 7 * DAY_MS;

export type WeeklySchedule = {
  /** 1 Monday to 7 Sunday. */
  readonly weekday: number;
  readonly hourUtc: number;
  readonly baseDate: string;
};

/** The first time from `atMs` on, after the base date. */
export function firstDueMs({ weekday, hourUtc, baseDate }: WeeklySchedule, atMs: number): number {
  const today = Temporal.PlainDate.from(utcDay(atMs));
  const inDays = (weekday - today.dayOfWeek + 7) % 7;
  const dueMs = Date.parse(`${today.add({ days: inDays }).toString()}T00:00:00Z`) + hourUtc * HOUR_MS;
  return dueMs < atMs || utcDay(dueMs) <= baseDate ? dueMs + WEEK_MS : dueMs;
}

export function daysBefore(day: string, days: number): string {
  return Temporal.PlainDate.from(day).subtract({ days }).toString();
}
