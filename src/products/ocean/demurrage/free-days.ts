/** Free days on the calendar of a port. */
import type { Tariff } from "./tariff.ts";

/** ISO weekdays, 1 Monday to 7 Sunday, by country, from Unicode's CLDR. */
const weekends = new Map<string, ReadonlySet<number>>();

function weekendOf(country: string): ReadonlySet<number> {
  const known = weekends.get(country);
  if (known !== undefined) return known;
  const weekend = new Set(new Intl.Locale(`und-${country}`).getWeekInfo().weekend);
  weekends.set(country, weekend);
  return weekend;
}

/** Days are `YYYY-MM-DD`. `country` is the port's, two letters. */
export function lastFreeDay(tariff: Tariff, country: string, dischargeDay: string): string {
  const discharged = Temporal.PlainDate.from(dischargeDay);
  const first = tariff.dischargeDayCounts ? discharged : discharged.add({ days: 1 });
  if (tariff.days === "calendar") return first.add({ days: tariff.freeDays - 1 }).toString();
  const weekend = weekendOf(country);
  const holidays = new Set(tariff.holidays);
  const isWorkingDay = (day: Temporal.PlainDate): boolean =>
    !weekend.has(day.dayOfWeek) && !holidays.has(day.toString());
  let day = first.subtract({ days: 1 });
  for (let free = tariff.freeDays; free > 0;) {
    day = day.add({ days: 1 });
    if (isWorkingDay(day)) free -= 1;
  }
  return day.toString();
}

/** Milliseconds since the epoch. */
export function endOfDayMs(day: string, zone: string): number {
  return Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds;
}

/** (spec 8: demurrage_warning) */
const WARNING_DAYS = 3;

/** The beginning of the third day before the last free day, milliseconds since the epoch. */
export function warningMs(lastDay: string, zone: string): number {
  return Temporal.PlainDate.from(lastDay).subtract({ days: WARNING_DAYS }).toZonedDateTime(zone)
    .epochMilliseconds;
}

/** Negative if `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(to).days;
}
