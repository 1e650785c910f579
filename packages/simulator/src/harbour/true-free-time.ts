/** When free time ends where a box was landed, and what that calls for (spec 6.3: demurrage_warning, demurrage_started). */
import { PLACES } from "../world/places.ts";
import type { Fact } from "./fact.ts";
import type { TruthOptions, TrueStatus } from "./true-event.ts";
import type { TrueState } from "./true-state.ts";

/** Of each place of landing: the last free days that were warned of, and the latest that ran out. */
export type FreeTimeTold = Map<string, { readonly warned: Set<string>; ranOut: string }>;

export type FreeTime = {
  readonly key: string;
  /** The last free day in the place's calendar. */
  readonly lastDay: string;
  /** Its end, and the beginning of the third day before it. */
  readonly endsMs: number;
  readonly warnsMs: number;
};

const WARNING_DAYS = 3;

const FREE_TIME_RUNS: ReadonlySet<TrueStatus> = new Set(["discharged", "customs_hold", "available"]);

/** Null while free time does not run. */
export function freeTimeOf(
  { landing, endShown, status, freeDays: stated }: TrueState,
  { freeDays }: TruthOptions,
): FreeTime | null {
  if (landing === null || landing.place === null || !FREE_TIME_RUNS.has(status)) return null;
  const { zone } = PLACES[landing.place];
  const landed = Temporal.Instant.fromEpochMilliseconds(landing.atMs).toZonedDateTimeISO(zone).toPlainDate();
  const day = statedDay(stated, landing, landed) ?? (endShown ? landed.add({ days: freeDays }) : null);
  if (day === null) return null;
  const startMs = (days: number): number => day.add({ days }).toZonedDateTime(zone).epochMilliseconds;
  return {
    key: landing.place,
    lastDay: day.toString(),
    endsMs: startMs(1),
    warnsMs: startMs(-WARNING_DAYS),
  };
}

/** What was said last of the box, else of all boxes, where it was landed: a day long over by then is an old one. */
function statedDay(
  stated: readonly Fact[],
  { place }: Fact,
  landed: Temporal.PlainDate,
): Temporal.PlainDate | null {
  const possible = stated
    .filter((fact) => fact.place === place)
    .toSorted((a, b) => a.fromMs - b.fromMs)
    .map(({ box, lastFreeDay }) => ({ box, day: Temporal.PlainDate.from(lastFreeDay as string) }))
    .filter(({ day }) => Temporal.PlainDate.compare(day, landed.subtract({ days: 1 })) >= 0);
  return (possible.findLast(({ box }) => box !== null) ?? possible.at(-1))?.day ?? null;
}

/** Each last free day is warned of once and runs out once; one before the day that ran out says nothing. */
export function warnOfFreeTime(
  free: FreeTime | null,
  all: FreeTimeTold,
  { armedFromMs }: TruthOptions,
  nowMs: number,
): "demurrage_started" | "demurrage_warning" | null {
  if (free === null || armedFromMs === null || free.endsMs <= armedFromMs) return null;
  const told = all.get(free.key) ?? { warned: new Set(), ranOut: "" };
  all.set(free.key, told);
  if (free.lastDay <= told.ranOut) return null;
  if (nowMs >= free.endsMs) {
    told.ranOut = free.lastDay;
    return "demurrage_started";
  }
  if (nowMs < free.warnsMs || told.warned.has(free.lastDay)) return null;
  told.warned.add(free.lastDay);
  return "demurrage_warning";
}

export function nextFreeTimeMs(free: FreeTime | null, nowMs: number): number | null {
  if (free === null) return null;
  return [free.warnsMs, free.endsMs].find((ms) => ms > nowMs) ?? null;
}
