/** What a line says of a journey, and when: the documents and the ships of a consignment, then each of its boxes. */
import { seededRandom, randomDurationMs } from "../world/seeded-random.ts";
import { MINUTE_MS } from "../world/durations.ts";
import type { Consignment } from "./consignment.ts";
import { LEFT_SAID_MS, reportCallEstimates } from "./estimates.ts";
import type { Fact, Step } from "./fact.ts";
import { withForeseenDays } from "./foreseen-days.ts";
import { reportInspection } from "./inspection.ts";
import type { Journey } from "./journey.ts";
import type { Leg } from "./leg.ts";
import { inOtherForm } from "./place-forms.ts";
import { withoutPlans } from "./plan-gaps.ts";
import { reportBox } from "./reporting-box.ts";
import { AFTER_SEA, orderOf, voyageWritten, type ReportingContext } from "./reporting-context.ts";
import { reportsReleaseByBox } from "./reporting-release.ts";
import { addFact, reportActual } from "./statement.ts";
import { reportOtherTrips } from "./other-trips.ts";

/** Everything that is said of the consignment and of the boxes named, over the whole of their lives. */
export function factsOf(
  seed: number,
  consignment: Consignment,
  journey: Journey,
  boxes: readonly number[],
  ofBox: boolean,
): readonly Fact[] {
  const { reporting } = consignment.line;
  const facts: Fact[] = [];
  const draws = seededRandom(seed, "reporting", -1 - consignment.first);
  const common: ReportingContext = {
    facts,
    quality: reporting,
    draws,
    trip: 0,
    box: null,
    journey,
    line: consignment.line,
    unsaid: new Set(),
    omitsLoads: draws.chance(reporting.omitsShare),
  };
  reportDocuments(common);
  for (const leg of journey.legs) reportCalls(common, leg);
  for (const box of boxes) {
    const own = { ...common, draws: seededRandom(seed, "reporting", box), box };
    const endedMs = reportBox(own);
    reportInspection(own, seededRandom(seed, "inspection", box));
    if (ofBox && reporting.showsTrips) reportOtherTrips(own, seededRandom(seed, "trips", box), endedMs);
  }
  const { first, line } = consignment;
  const dated = withForeseenDays(seed, first, line, journey, facts);
  const said = inOtherForm(seed, first, line, journey, dated);
  return reporting.plansEndAtDischarge ? withoutPlans(said, journey) : said;
}

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
  for (const [index, { fromMs, untilMs }] of ashore.holds.entries()) {
    tell("hold", fromMs, AFTER_SEA + index * 2);
    tell("clearance", untilMs, AFTER_SEA + index * 2 + 1);
  }
  if (reportsReleaseByBox(context.line)) return;
  for (const { atMs, fromMs, untilMs, number } of ashore.releases) {
    const order = AFTER_SEA + 20 + number;
    addFact(context, { step: "release", order, atMs, place: null }, fromMs + MINUTE_MS, {
      untilMs,
      takenBack: false,
    });
  }
}

function reportCalls(context: ReportingContext, leg: Leg): void {
  const { quality } = context;
  const { sailed } = leg;
  const order = orderOf(leg);
  const last = leg.bookings.at(-1);
  const aboard = {
    leg: leg.key,
    vessel: last?.voyage.vessel ?? null,
    voyage: last === undefined ? null : voyageWritten(context, last.voyage),
  };
  // Without either nobody knows which ship the box is aboard of.
  if (!context.omitsLoads && context.draws.chance(quality.omitsShare)) context.unsaid.add(leg.key);
  if (quality.reportsDepartures && !context.unsaid.has(leg.key)) {
    reportLeftBehind(context, leg);
    const departure = { step: "departure", order: order + 20, place: leg.from, ...aboard } as const;
    const saidMs = sailed === null ? null : reportActual(context, { ...departure, atMs: sailed.departedMs });
    reportCallEstimates(context, leg, "departure", saidMs);
  }
  if (sailed !== null && quality.reportsIntermediateCalls) {
    for (const [index, call] of sailed.intermediateCalls.entries()) {
      const on = { ...aboard, place: call.port };
      const at = order + 30 + index * 2;
      reportActual(context, { ...on, step: "call", order: at, atMs: call.actual.arrivalMs });
      reportActual(context, { ...on, step: "call_departure", order: at + 1, atMs: call.actual.departureMs });
    }
  }
  const { carriedPast = null, misroutedUntilMs = null } = sailed ?? {};
  if (sailed === null || (misroutedUntilMs !== null && carriedPast === null)) {
    reportCallEstimates(context, leg, "arrival", null);
    return;
  }
  const calls = carriedPast?.destination;
  const arrival = { ...aboard, place: calls?.port ?? sailed.dischargedAt };
  const arrivalMs = calls?.actual.arrivalMs ?? sailed.arrivedMs;
  if (quality.reportsAnchorage && context.draws.chance(0.5)) {
    const atMs = arrivalMs - randomDurationMs(context.draws, 4, 20);
    // The ship says so herself.
    const saidMs = atMs + randomDurationMs(context.draws, 0, 1);
    addFact(context, { ...arrival, step: "anchorage", order: order + 60, atMs }, saidMs);
  }
  const arrivedMs = reportActual(context, {
    ...arrival,
    step: "arrival",
    order: order + 61,
    atMs: arrivalMs,
  });
  reportCallEstimates(context, leg, "arrival", arrivedMs);
  if (calls === undefined || !quality.reportsIntermediateCalls) return;
  const passed = { ...arrival, step: "passed", order: order + 62, atMs: calls.actual.departureMs } as const;
  reportActual(context, passed, { fromMs: arrivedMs });
}

const TOLD_AT_ONCE_MS = 5 * MINUTE_MS;

/** Said at once and in order: a ship that left after the box was taken off has left after that was said, too. */
function reportLeftBehind(context: ReportingContext, leg: Leg): void {
  for (const [index, { booking, departedMs, late }] of leg.leftBehind.entries()) {
    const { vessel } = booking.voyage;
    const on = { leg: leg.key, vessel, voyage: voyageWritten(context, booking.voyage), place: leg.from };
    const next = leg.bookings[leg.bookings.indexOf(booking) + 1];
    const aboard = leg.leftBehind[index]?.aboard ?? null;
    // While the plan has the box aboard of her, a ship that sails takes it along.
    const saidMs = departedMs + LEFT_SAID_MS;
    addFact(
      context,
      { ...on, step: "left", order: orderOf(leg) + 3 + index * 3, atMs: departedMs },
      late?.leftSaidMs ??
        (aboard === null ? Math.max(saidMs, (next?.fromMs ?? saidMs) + TOLD_AT_ONCE_MS) : saidMs),
    );
  }
}
