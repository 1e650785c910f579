/** Times in the reader's zone, with UTC beside them. */

const DAY_MS = 86_400_000;

const exact = new Intl.DateTimeFormat(undefined, {
  year: "numeric",
  month: "short",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});
const timeOfDay = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});

export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

type TimeProps = { readonly at: string | null; readonly none?: string; readonly full?: boolean };

/** Today's times without their date, unless `full`. */
export function Time({ at, none = "–", full = false }: TimeProps) {
  if (at === null) return <span class="quiet">{none}</span>;
  const date = new Date(at);
  const isToday = Math.abs(Date.now() - date.getTime()) < DAY_MS && date.getDate() === new Date().getDate();
  return (
    <time dateTime={at} title={`${utcOf(at)} (UTC)`} class="time">
      {isToday && !full ? timeOfDay.format(date) : exact.format(date)}
      {full && <span class="quiet"> · {isSameDay(date, at) ? utcOf(at).slice(11) : utcOf(at)} UTC</span>}
    </time>
  );
}

function isSameDay(local: Date, utc: string): boolean {
  return local.getDate() === Number(utc.slice(8, 10));
}

function utcOf(at: string): string {
  return at.replace("T", " ").replace(/(\.\d+)?Z$/, "");
}

const UNITS = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
] as const;

/** "2 h 5 min": the two greatest units. */
export function spanOf(ms: number): string {
  let rest = Math.max(0, Math.round(ms / 1_000));
  const parts: string[] = [];
  for (const [name, seconds] of UNITS) {
    const count = Math.floor(rest / seconds);
    if (count > 0 && parts.length < 2) parts.push(`${count} ${name}`);
    rest -= count * seconds;
    if (parts.length === 2) break;
  }
  return parts.length === 0 ? "0 s" : parts.join(" ");
}

export function sinceOf(at: string): string {
  return spanOf(Date.now() - Date.parse(at));
}
