/** Both clocks: the place's own, and the reader's. */
import { zone } from "../../ui/time.tsx";

const DAY_MS = 86_400_000;

const shape = {
  day: "2-digit",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
} as const;
const here = new Intl.DateTimeFormat(undefined, shape);
const hereYear = new Intl.DateTimeFormat(undefined, { ...shape, year: "numeric" });
const wall = new Intl.DateTimeFormat(undefined, { ...shape, timeZone: "UTC" });
const wallYear = new Intl.DateTimeFormat(undefined, { ...shape, year: "numeric", timeZone: "UTC" });
const day = new Intl.DateTimeFormat(undefined, { day: "2-digit", month: "short" });

export { zone };

function isThisYear(date: Date): boolean {
  return date.getFullYear() === new Date().getFullYear();
}

/** In the reader's zone, without seconds; UTC appears when one points at it. */
export function Moment({ at, none = "–" }: { readonly at: string | null; readonly none?: string }) {
  if (at === null) return <span class="quiet">{none}</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={`${at.slice(0, 16).replace("T", " ")} (UTC)`}>
      {(isThisYear(date) ? here : hereYear).format(date)}
    </time>
  );
}

/** `local`: the place's wall clock, without an offset. */
export function wallClock(local: string | undefined): string {
  if (local === undefined) return "time not reported";
  const date = new Date(`${local.slice(0, 19)}Z`);
  if (Number.isNaN(date.getTime())) return local;
  return (isThisYear(date) ? wall : wallYear).format(date);
}

/** `UTC+09:00`; empty where nobody says. */
export function offsetText(minutes: number | undefined): string {
  if (minutes === undefined) return "";
  const size = Math.abs(minutes);
  const part = (value: number): string => String(value).padStart(2, "0");
  return `UTC${minutes < 0 ? "−" : "+"}${part(Math.floor(size / 60))}:${part(size % 60)}`;
}

export function dayText(at: number | string): string {
  return day.format(new Date(at));
}

/** "in 3 days", "2 days ago", "today": by the reader's calendar. */
export function daysFrom(at: string): string {
  const midnight = (date: Date): number =>
    new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  const days = Math.round((midnight(new Date(at)) - midnight(new Date())) / DAY_MS);
  return new Intl.RelativeTimeFormat(undefined, { numeric: "auto" }).format(days, "day");
}

/** "+2 days", "−5 hours": how far an estimate moved. */
export function moveText(ms: number): string {
  const sign = ms < 0 ? "−" : "+";
  const minutes = Math.round(Math.abs(ms) / 60_000);
  if (minutes < 60) return `${sign}${minutes} min`;
  const hours = Math.round(minutes / 60);
  if (hours < 48) return `${sign}${hours} ${hours === 1 ? "hour" : "hours"}`;
  return `${sign}${Math.round(hours / 24)} days`;
}
