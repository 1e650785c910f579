/** What a line expects of a journey, and each time that it expects something else. */
import type { PlaceCode } from "../world/places.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import type { Fact } from "./fact.ts";
import type { Leg, LegBooking, Sailed } from "./leg.ts";
import { AFTER_SEA, orderOf, voyageWritten, type ReportingContext } from "./reporting-context.ts";
import { midnightOf } from "./statement.ts";
import { expectedAt, type Shift } from "./voyages.ts";

const NEVER = Number.POSITIVE_INFINITY;

/** When the box is loaded before its ship leaves, and discharged after it comes, as plans have it. */
const LOAD_BEFORE_MS = 6 * HOUR_MS;
const DISCHARGE_AFTER_MS = 8 * HOUR_MS;

/** How long after a ship has left without the box the line says so. */
export const LEFT_SAID_MS = 15 * MINUTE_MS;

type CallStep = "load" | "departure" | "arrival" | "discharge";

/** Reports what is expected, each time that it changes, until it is reported as done at `doneMs`. */
export function reportCallEstimates(
  context: ReportingContext,
  leg: Leg,
  step: CallStep,
  doneMs: number | null,
): void {
  const endMs = doneMs ?? endOfPlan(leg);
  addVersions(context, versionsOf(context, leg, step, endMs), endMs, doneMs !== null);
}

/** A box is planned to be fetched inland this long after the ship has come. */
const FETCHED_AFTER_MS = 6 * DAY_MS;

/** Says when the box is to be fetched at its place inland: as many days after the ship as ever. */
export function reportInlandEstimates(
  context: ReportingContext,
  inland: PlaceCode,
  doneMs: number | null,
): void {
  const { legs, cancelledMs } = context.journey;
  const endMs = doneMs ?? cancelledMs ?? NEVER;
  const versions = legs.flatMap((leg) =>
    versionsOf(context, leg, "arrival", Math.min(endMs, leg.sailed === null ? endMs : endOfPlan(leg))).map(
      (version): Fact => ({
        ...version,
        step: "gate_out",
        leg: null,
        order: AFTER_SEA + 30,
        atMs: fetchedMs(context, version.atMs, inland),
        place: inland,
        vessel: null,
        voyage: null,
      }),
    ),
  );
  addVersions(context, versions, endMs, doneMs !== null);
}

function fetchedMs({ quality }: ReportingContext, arrivalMs: number, inland: PlaceCode): number {
  const atMs = arrivalMs + FETCHED_AFTER_MS;
  return quality.datesOnly ? midnightOf(atMs, inland) : atMs;
}

/** When it is said that a ship that took the box off again, or that it missed, has sailed, and nothing is planned of her any more. */
function sailedWithoutMs({ leftBehind }: Leg, booking: LegBooking): number {
  const left = leftBehind.find((one) => one.booking === booking);
  if (left === undefined) return NEVER;
  return left.aboard === null ? (left.late?.leftSaidMs ?? NEVER) : left.departedMs + LEFT_SAID_MS;
}

function versionsOf(context: ReportingContext, leg: Leg, step: CallStep, endMs: number): readonly Fact[] {
  const outbound = step === "load" || step === "departure";
  const order = { load: 10, departure: 20, arrival: 61, discharge: 70 }[step];
  const versions: Fact[] = [];
  for (const [index, booking] of leg.bookings.entries()) {
    const { fromMs, voyage, load, discharge } = booking;
    const overMs = outbound ? sailedWithoutMs(leg, booking) : NEVER;
    const untilMs = Math.min(leg.bookings[index + 1]?.fromMs ?? NEVER, endMs, overMs);
    const call = outbound ? load : discharge;
    const shifts: readonly Shift[] = outbound ? load.departureShifts : discharge.arrivalShifts;
    const news = shifts.map(({ knownMs }) => knownMs).filter((ms) => ms > fromMs && ms < untilMs);
    for (const saidMs of fromMs < untilMs ? [fromMs, ...news.toSorted((a, b) => a - b)] : []) {
      const times = expectedAt(call, saidMs);
      const atMs = outbound
        ? times.departureMs - (step === "load" ? LOAD_BEFORE_MS : 0)
        : times.arrivalMs + (step === "discharge" ? DISCHARGE_AFTER_MS : 0);
      versions.push({
        trip: context.trip,
        step,
        leg: leg.key,
        order: orderOf(leg) + order,
        box: context.box,
        // What is planned again during the journey is an estimate from the first.
        classifier: saidMs === context.journey.bookedMs ? "planned" : "estimated",
        atMs: context.quality.datesOnly ? midnightOf(atMs, call.port) : atMs,
        place: call.port,
        vessel: context.line.namesVesselLate ? null : voyage.vessel,
        voyage: voyageWritten(context, voyage),
        onward: false,
        form: "code",
        elsewhere: false,
        lastFreeDay: null,
        fromMs: saidMs,
        untilMs,
        staleFromMs: NEVER,
        prunedMs: NEVER,
        takenBack: false,
      });
    }
  }
  return versions;
}

/** Says each version until the next one takes its place, and the last as long as the line keeps it. */
function addVersions(
  context: ReportingContext,
  versions: readonly Fact[],
  endMs: number,
  isDone: boolean,
): void {
  const stays = isDone ? context.quality.keepsEstimates : context.quality.keepsOldPlans;
  for (const [index, version] of versions.entries()) {
    const next = versions[index + 1];
    // A plan for another port is no later version of this one.
    const elsewhere = next !== undefined && next.place !== version.place;
    const left = elsewhere ? context.quality.keepsOldPlans : next === undefined && stays;
    const overMs = Math.min(version.untilMs, next?.fromMs ?? endMs);
    context.facts.push({
      ...version,
      untilMs: left ? NEVER : overMs,
      staleFromMs: elsewhere || !isDone ? overMs : NEVER,
    });
  }
}

/** When a leg's plan is given up although it has not been sailed to its end. */
function endOfPlan({ droppedMs, sailed }: Leg): number {
  const { carriedPast, misroutedUntilMs } = (sailed ?? {}) as Partial<Sailed>;
  return droppedMs ?? carriedPast?.plannedUntilMs ?? misroutedUntilMs ?? NEVER;
}
