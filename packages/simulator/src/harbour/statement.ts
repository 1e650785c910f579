/** One happening → what the line says of it: late, wrong at first, ahead of its time, taken back, or as it should be. */
import { randomDurationMs } from "../world/seeded-random.ts";
import { PLACES, type PlaceCode } from "../world/places.ts";
import { DAY_MS, MINUTE_MS } from "../world/durations.ts";
import type { Fact, Step } from "./fact.ts";
import { LATE_HOURS_MAX, LATE_HOURS_MIN } from "./reporting-quality.ts";
import type { ReportingContext } from "./reporting-context.ts";
import type { Vessel } from "./voyages.ts";

export type JourneyStep = {
  readonly step: Step;
  readonly leg?: number;
  readonly order: number;
  readonly atMs: number;
  readonly place: PlaceCode | null;
  readonly vessel?: Vessel | null;
  readonly voyage?: string | null;
  readonly onward?: boolean;
  readonly elsewhere?: boolean;
  readonly lastFreeDay?: string | null;
};

export type FactEnd = { readonly untilMs: number; readonly takenBack: boolean };

const NEVER = Number.POSITIVE_INFINITY;
const NEVER_ENDS: FactEnd = { untilMs: NEVER, takenBack: false };

/** Steps that may be said weeks ahead of their time: no plan of the box knows them where they happen. */
const AHEAD: ReadonlySet<Step> = new Set(["gate_out", "empty_return"]);
/** Steps that what follows implies. */
const OMITTED: ReadonlySet<Step> = new Set([
  "pick_up",
  "gate_in",
  "rail_out",
  "rail_departure",
  "rail_arrival",
]);

type SaidWithin = { readonly fromMs?: number; readonly untilMs?: number };

/** Says what happened, well or badly. Returns when it has been said for good. */
export function reportActual(
  context: ReportingContext,
  happening: JourneyStep,
  { fromMs = 0, untilMs = NEVER }: SaidWithin = {},
): number {
  const { quality, draws } = context;
  const lateMs = draws.chance(quality.lateShare)
    ? randomDurationMs(draws, LATE_HOURS_MIN, LATE_HOURS_MAX)
    : 0;
  const lagMs = randomDurationMs(draws, 0, quality.lagHoursMax);
  const reportedMs = Math.min(Math.max(happening.atMs + lagMs + lateMs, fromMs), untilMs);
  if (OMITTED.has(happening.step) && draws.chance(quality.omitsShare)) return reportedMs;
  if (happening.step === "load" && context.omitsLoads) return reportedMs;
  if (happening.step === "departure" && happening.leg === 0 && draws.chance(quality.falseDepartureShare)) {
    const atMs = happening.atMs - randomDurationMs(draws, 16, 30);
    const withdrawnMs = atMs + randomDurationMs(draws, 3, 10);
    addFact(context, { ...happening, atMs }, atMs + MINUTE_MS, { untilMs: withdrawnMs, takenBack: true });
  } else if (draws.chance(quality.wrongTimeShare)) {
    const atMs = happening.atMs - randomDurationMs(draws, 1, 3);
    const correctedMs = reportedMs + randomDurationMs(draws, 2, 10);
    addFact(context, { ...happening, atMs }, reportedMs, { untilMs: correctedMs, takenBack: false });
    addFact(context, happening, correctedMs);
    return reportedMs;
  } else if (AHEAD.has(happening.step) && draws.chance(quality.aheadShare)) {
    const atMs = reportedMs + randomDurationMs(draws, 10 * 24, 40 * 24);
    const correctedMs = reportedMs + randomDurationMs(draws, 4, 30);
    addFact(context, { ...happening, atMs }, reportedMs, { untilMs: correctedMs, takenBack: false });
    addFact(context, happening, correctedMs);
    return correctedMs;
  }
  addFact(context, happening, reportedMs);
  return reportedMs;
}

export function addFact(
  { facts, box, trip, quality }: ReportingContext,
  happening: JourneyStep,
  fromMs: number,
  ending = NEVER_ENDS,
): void {
  // Written out, for this is most of what an answer costs.
  facts.push({
    trip,
    step: happening.step,
    leg: happening.leg ?? null,
    order: happening.order,
    box,
    classifier: "actual",
    atMs: quality.datesOnly ? midnightOf(happening.atMs, happening.place) : happening.atMs,
    place: happening.place,
    vessel: happening.vessel ?? null,
    voyage: happening.voyage ?? null,
    onward: happening.onward ?? false,
    form: "code",
    elsewhere: happening.elsewhere ?? false,
    lastFreeDay: happening.lastFreeDay ?? null,
    fromMs,
    untilMs: ending.untilMs,
    staleFromMs: NEVER,
    prunedMs: NEVER,
    takenBack: ending.takenBack,
  });
}

/** The beginning of the day by the clock that the line writes. */
export function midnightOf(atMs: number, place: PlaceCode | null): number {
  const offsetMs = place === null ? 0 : PLACES[place].offsetMinutes * MINUTE_MS;
  return Math.floor((atMs + offsetMs) / DAY_MS) * DAY_MS - offsetMs;
}

/** Ends what was said last of a step that has been taken, and says it again as it then is. */
export function restate(context: ReportingContext, step: Step, atMs: number, change: Partial<Fact>): void {
  const { facts } = context;
  const place = facts.findLastIndex(
    (fact) => fact.step === step && fact.classifier === "actual" && fact.untilMs > atMs,
  );
  const last = facts[place];
  if (last === undefined || last.fromMs >= atMs) return;
  facts[place] = { ...last, untilMs: atMs };
  facts.push({ ...last, fromMs: atMs, ...change });
}
