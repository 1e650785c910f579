/** What a line says of a journey, and when: late, wrong at first, taken back, or as it should be. */
import { seededRandom, randomDurationMs } from "../world/seeded-random.ts";
import type { PlaceCode } from "../world/places.ts";
import { HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import type { Consignment } from "./consignment.ts";
import { reportCallEstimates, reportInlandEstimates } from "./estimates.ts";
import type { Fact, Step } from "./fact.ts";
import type { Ashore, Journey } from "./journey.ts";
import type { Leg } from "./leg.ts";
import { LATE_HOURS_MAX, LATE_HOURS_MIN, type Line } from "./lines.ts";
import { AFTER_SEA, type ReportingContext } from "./reporting-context.ts";
import { type Vessel } from "./voyages.ts";

const NEVER = Number.POSITIVE_INFINITY;

/** Everything that is said of the consignment and of the boxes named, over the whole of their lives. */
export function factsOf(
  seed: number,
  consignment: Consignment,
  journey: Journey,
  boxes: readonly number[],
): readonly Fact[] {
  const { reporting } = consignment.line;
  const facts: Fact[] = [];
  const common: ReportingContext = {
    facts,
    quality: reporting,
    draws: seededRandom(seed, "reporting", -1 - consignment.first),
    box: null,
    journey,
    line: consignment.line,
  };
  reportDocuments(common);
  for (const leg of journey.legs) reportCalls(common, leg);
  for (const box of boxes) {
    const own = { ...common, draws: seededRandom(seed, "reporting", box), box };
    reportBox(own);
  }
  return facts;
}

type JourneyStep = {
  readonly step: Step;
  readonly leg?: number;
  readonly order: number;
  readonly atMs: number;
  readonly place: PlaceCode | null;
  readonly vessel?: Vessel | null;
  readonly voyage?: string | null;
};

/** Transport documents are electronic: they are reported when they are signed. */
function reportDocuments(context: ReportingContext): void {
  const { journey } = context;
  const tell = (step: Step, atMs: number, order: number): void => {
    addFact(context, { step, order, atMs, place: null }, atMs + randomDurationMs(context.draws, 0, 1));
  };
  tell("booked", journey.bookedMs, 0);
  if (journey.cancelledMs !== null) tell("called_off", journey.cancelledMs, 1);
  const { ashore } = journey;
  if (ashore === null) return;
  if (ashore.hold !== null) {
    tell("hold", ashore.hold.fromMs, AFTER_SEA);
    tell("clearance", ashore.hold.untilMs, AFTER_SEA + 1);
  }
  if (ashore.releasedMs !== null && !reportsReleaseByBox(context.line)) {
    tell("release", ashore.releasedMs, AFTER_SEA + 20);
  }
}

/** 2.2 has a paper for the release of the cargo, 3.0 says of each box that it can be fetched. */
function reportsReleaseByBox({ version }: Line): boolean {
  return version === "3.0";
}

function reportCalls(context: ReportingContext, leg: Leg): void {
  const { draws, quality } = context;
  const { sailed } = leg;
  const order = 1_000 + leg.key * 100;
  const last = leg.bookings.at(-1);
  const aboard = { vessel: last?.voyage.vessel ?? null, voyage: last?.voyage.name ?? null };
  const departure = {
    step: "departure",
    leg: leg.key,
    order: order + 20,
    place: leg.from,
    ...aboard,
  } as const;
  const departedMs =
    sailed === null ? null : reportActual(context, { ...departure, atMs: sailed.departedMs });
  reportCallEstimates(context, leg, "departure", departedMs);
  if (sailed !== null && quality.reportsIntermediateCalls) {
    for (const [index, call] of sailed.intermediateCalls.entries()) {
      const place = call.port;
      const on = { leg: leg.key, place, ...aboard };
      const at = order + 30 + index * 2;
      reportActual(context, { ...on, step: "call", order: at, atMs: call.actual.arrivalMs });
      reportActual(context, { ...on, step: "call_departure", order: at + 1, atMs: call.actual.departureMs });
    }
  }
  if (sailed === null || sailed.misroutedUntilMs !== null) {
    reportCallEstimates(context, leg, "arrival", null);
    return;
  }
  const arrival = { leg: leg.key, place: sailed.dischargedAt, ...aboard };
  if (quality.reportsAnchorage && draws.chance(0.5)) {
    const atMs = sailed.arrivedMs - randomDurationMs(draws, 4, 20);
    // The ship says so herself.
    addFact(
      context,
      { ...arrival, step: "anchorage", order: order + 60, atMs },
      atMs + randomDurationMs(draws, 0, 1),
    );
  }
  const arrivedMs = reportActual(context, {
    ...arrival,
    step: "arrival",
    order: order + 61,
    atMs: sailed.arrivedMs,
  });
  reportCallEstimates(context, leg, "arrival", arrivedMs);
}

function reportBox(context: ReportingContext): void {
  const { journey, quality, draws } = context;
  const firstLeg = journey.legs[0] as Leg;
  const firstMs = firstLeg.sailed?.loadedMs ?? null;
  if (firstMs !== null) {
    const place = firstLeg.from;
    reportActual(context, {
      step: "pick_up",
      order: 2,
      atMs: firstMs - randomDurationMs(draws, 70, 110),
      place,
    });
    reportActual(context, {
      step: "gate_in",
      order: 3,
      atMs: firstMs - randomDurationMs(draws, 12, 60),
      place,
    });
  }
  let lastToldMs = 0;
  for (const leg of journey.legs) {
    const { sailed } = leg;
    const order = 1_000 + leg.key * 100;
    const last = leg.bookings.at(-1);
    const aboard = { leg: leg.key, vessel: last?.voyage.vessel ?? null, voyage: last?.voyage.name ?? null };
    const load = { ...aboard, step: "load", order: order + 10, place: leg.from } as const;
    const loadedMs = sailed === null ? null : reportActual(context, { ...load, atMs: sailed.loadedMs });
    if (quality.estimatesMoves) reportCallEstimates(context, leg, "load", loadedMs);
    const discharge = { ...aboard, step: "discharge", order: order + 70 } as const;
    if (sailed !== null) {
      lastToldMs = reportActual(context, {
        ...discharge,
        place: sailed.dischargedAt,
        atMs: sailed.dischargedMs,
      });
    }
    const ended = sailed === null || sailed.misroutedUntilMs !== null;
    if (quality.estimatesMoves) reportCallEstimates(context, leg, "discharge", ended ? null : lastToldMs);
  }
  if (journey.ashore !== null) reportAshore(context, journey.ashore, lastToldMs);
  else if (journey.inland !== null) reportInlandEstimates(context, journey.inland, null);
}

/** The steps ashore are reported in their order, each after the one before. */
function reportAshore(context: ReportingContext, ashore: Ashore, dischargeReportedMs: number): void {
  const { draws } = context;
  let lastMs = dischargeReportedMs;
  const tell = (step: Step, order: number, atMs: number, place: PlaceCode): void => {
    lastMs = reportActual(context, { step, order: AFTER_SEA + order, atMs, place }, lastMs + MINUTE_MS);
  };
  const { rail, port } = ashore;
  if (rail !== null) {
    tell("rail_out", 10, rail.outMs, port);
    tell("rail_departure", 11, rail.departedMs, port);
    tell("rail_arrival", 12, rail.arrivedMs, rail.to);
    tell("rail_discharge", 13, rail.dischargedMs, rail.to);
  }
  const place = rail?.to ?? port;
  if (ashore.releasedMs !== null && reportsReleaseByBox(context.line))
    tell("release", 20, ashore.releasedMs, place);
  lastMs = Math.max(lastMs, ashore.readyMs + HOUR_MS);
  const outMs = ashore.readyMs + randomDurationMs(draws, 4, draws.chance(0.4) ? 240 : 60);
  tell("gate_out", 30, outMs, place);
  if (rail !== null) reportInlandEstimates(context, rail.to, lastMs);
  tell("empty_return", 40, outMs + randomDurationMs(draws, 20, 140), place);
}

/** Says what happened, well or badly. Returns when it has been said for good. */
function reportActual(context: ReportingContext, happening: JourneyStep, notBeforeMs = 0): number {
  const { quality, draws } = context;
  const lateMs = draws.chance(quality.lateShare)
    ? randomDurationMs(draws, LATE_HOURS_MIN, LATE_HOURS_MAX)
    : 0;
  const lagMs = randomDurationMs(draws, 0, quality.lagHoursMax);
  const reportedMs = Math.max(happening.atMs + lagMs + lateMs, notBeforeMs);
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
  }
  addFact(context, happening, reportedMs);
  return reportedMs;
}

type FactEnd = { readonly untilMs: number; readonly takenBack: boolean };
const NEVER_ENDS: FactEnd = { untilMs: NEVER, takenBack: false };

function addFact(
  { facts, box }: ReportingContext,
  happening: JourneyStep,
  fromMs: number,
  ending = NEVER_ENDS,
): void {
  // Written out, for this is most of what an answer costs.
  facts.push({
    step: happening.step,
    leg: happening.leg ?? null,
    order: happening.order,
    box,
    classifier: "actual",
    atMs: happening.atMs,
    place: happening.place,
    vessel: happening.vessel ?? null,
    voyage: happening.voyage ?? null,
    fromMs,
    untilMs: ending.untilMs,
    staleFromMs: NEVER,
    takenBack: ending.takenBack,
  });
}
