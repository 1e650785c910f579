/** Times of freight: by the clock of the place where it happens, with the reader's own beside. */
import type { ComponentChildren } from "preact";

import { spanOf } from "../ui/time.tsx";

/** A time as the products' routes give it, with the wall clock of its place where that is known. */
export type PlacedTime = {
  readonly event_date_time?: string;
  readonly event_local_datetime?: string;
  readonly utc_offset_minutes?: number;
  readonly event_timezone?: string;
};

const parts = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const day = new Intl.DateTimeFormat(undefined, {
  weekday: "short",
  day: "2-digit",
  month: "short",
  timeZone: "UTC",
});
const clock = new Intl.DateTimeFormat(undefined, { ...parts, timeZone: "UTC" });
const ownDay = new Intl.DateTimeFormat(undefined, { weekday: "short", ...parts });
const ownClock = new Intl.DateTimeFormat(undefined, parts);

/** Of a wall clock without a zone: `2026-11-09T00:07:00`. */
function wallOf(local: string): Date {
  return new Date(`${local.replace(/Z$/, "")}Z`);
}

/** Empty where nobody says. */
function offsetText(minutes: number | undefined): string {
  if (minutes === undefined || Number.isNaN(minutes)) return "";
  if (minutes === 0) return "UTC";
  const all = Math.abs(minutes);
  const rest = all % 60;
  return `UTC${minutes < 0 ? "−" : "+"}${Math.floor(all / 60)}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`}`;
}

type PlacedProps = {
  readonly at: PlacedTime | null;
  /** Where the place has no clock that is known: the instant. */
  readonly instant?: string | null;
  readonly none?: string;
  /** Stands behind the second line. */
  readonly children?: ComponentChildren;
};

/** Two lines: the day and time there, and what the reader's clock shows then, where it shows another time. */
export function Placed({ at, instant = null, none = "–", children }: PlacedProps) {
  const iso = at?.event_date_time ?? instant;
  if (iso === null || Number.isNaN(Date.parse(iso))) return <span class="quiet">{none}</span>;
  const local = at?.event_local_datetime ?? iso;
  const wall = wallOf(local);
  const offset = at?.event_local_datetime === undefined ? 0 : at.utc_offset_minutes;
  return (
    <time dateTime={iso} class="placed" title={`${at?.event_timezone ?? "UTC"}; ${iso}`}>
      <span class="there">
        {day.format(wall)} <strong>{clock.format(wall)}</strong>{" "}
        <span class="quiet offset">{offsetText(offset)}</span>
      </span>{" "}
      <span class="here">
        <span class="quiet">{hereOf(iso, wall)}</span>
        {children}
      </span>
    </time>
  );
}

/** The reader's clock, with its day where that is another one. */
function hereOf(iso: string, wall: Date): string {
  const at = new Date(iso);
  const isSameDay = at.getDate() === wall.getUTCDate() && at.getMonth() === wall.getUTCMonth();
  if (isSameDay && at.getHours() === wall.getUTCHours() && at.getMinutes() === wall.getUTCMinutes())
    return "";
  return `${(isSameDay ? ownClock : ownDay).format(at)} yours`;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** "+2 d 4 h", "−35 min": how far a time has moved. */
export function moveText(ms: number): string {
  return `${ms < 0 ? "−" : "+"}${spanOf(Math.abs(ms))}`;
}

/** In whole hours; null: by less than one. */
export function movedBy(from: string | null, to: string | null): string | null {
  const ms = from === null || to === null ? 0 : Date.parse(to) - Date.parse(from);
  return Math.abs(ms) >= HOUR_MS ? moveText(Math.round(ms / HOUR_MS) * HOUR_MS) : null;
}

export function isDaysApart(from: string | null, to: string | null): boolean {
  return from !== null && to !== null && Math.abs(Date.parse(to) - Date.parse(from)) >= DAY_MS;
}

/** "in 3 h 10 min", "2 d ago". */
export function untilText(iso: string): string {
  const ms = Date.parse(iso) - Date.now();
  return ms < 0 ? `${spanOf(-ms)} ago` : `in ${spanOf(ms)}`;
}

/** "in 3 days", "2 days ago", "today": by the reader's calendar. */
export function daysFrom(at: string): string {
  const midnight = (date: Date): number =>
    new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  const days = Math.round((midnight(new Date(at)) - midnight(new Date())) / DAY_MS);
  return new Intl.RelativeTimeFormat(undefined, { numeric: "auto" }).format(days, "day");
}

const dayAndMonth = { day: "2-digit", month: "short" } as const;
const reader = {
  full: formatsOf({ weekday: "short", ...dayAndMonth, ...parts }),
  brief: formatsOf({ ...dayAndMonth, ...parts }),
};

/** With the year where that is another one. */
function formatsOf(shape: Intl.DateTimeFormatOptions): (at: Date) => string {
  const [here, other] = [shape, { ...shape, year: "numeric" as const }].map(
    (one) => new Intl.DateTimeFormat(undefined, one),
  ) as [Intl.DateTimeFormat, Intl.DateTimeFormat];
  return (at) => (at.getFullYear() === new Date().getFullYear() ? here : other).format(at);
}

type InstantProps = {
  readonly at: string | null;
  readonly none?: string;
  /** Without the day of the week. */
  readonly isBrief?: boolean;
};

/** An instant by the reader's clock, to the minute; UTC appears when one points at it. */
export function Instant({ at, none = "–", isBrief = false }: InstantProps) {
  if (at === null || Number.isNaN(Date.parse(at))) return <span class="quiet">{none}</span>;
  return (
    <time dateTime={at} title={`${at.slice(0, 16).replace("T", " ")} (UTC)`}>
      {reader[isBrief ? "brief" : "full"](new Date(at))}
    </time>
  );
}

export function Moment(props: Omit<InstantProps, "isBrief">) {
  return <Instant {...props} isBrief />;
}

const dayOfYear = new Intl.DateTimeFormat(undefined, dayAndMonth);

export function dayText(at: number): string {
  return dayOfYear.format(new Date(at));
}
