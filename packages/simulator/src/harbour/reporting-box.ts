/** What a line says of one box: its moves, at sea and ashore. */
import { randomDurationMs } from "../world/seeded-random.ts";
import type { PlaceCode } from "../world/places.ts";
import { HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import { dayAfter } from "./calendar.ts";
import { reportCallEstimates, reportInlandEstimates } from "./estimates.ts";
import type { Step } from "./fact.ts";
import type { Ashore, Journey } from "./journey.ts";
import type { Leg, Sailed } from "./leg.ts";
import { DISCHARGE_SAID_MS } from "./plan-gaps.ts";
import { AFTER_SEA, orderOf, voyageWritten, type ReportingContext } from "./reporting-context.ts";
import { reportsReleaseByBox } from "./reporting-release.ts";
import { reportShuttle } from "./reporting-shuttle.ts";
import { addFact, reportActual, restate } from "./statement.ts";

/** Returns when its end has been reported; null: it has none. */
export function reportBox(context: ReportingContext): number | null {
  const { journey, quality } = context;
  const firstLeg = journey.legs[0] as Leg;
  reportFetched(context, firstLeg);
  let lastToldMs = 0;
  const lastSailed = journey.legs.findLast(({ sailed }) => sailed !== null);
  for (const leg of journey.legs) {
    const { sailed } = leg;
    const aboard = aboardOf(context, leg);
    reportTakenOff(context, leg);
    const load = { ...aboard, step: "load", order: orderOf(leg) + 10, place: leg.from } as const;
    const loadedMs =
      sailed === null
        ? null
        : reportActual(context, { ...load, atMs: sailed.loadedMs }, { untilMs: shipSaidMs(context, leg) });
    // Free days that were stated where the box only changed ships stand no longer.
    if (loadedMs !== null && quality.statesFreeDays && leg !== firstLeg) {
      restate(context, "discharge", Math.max(loadedMs, lastToldMs + MINUTE_MS), { lastFreeDay: null });
    }
    if (quality.estimatesMoves && quality.reportsDepartures)
      reportCallEstimates(context, leg, "load", loadedMs);
    if (sailed !== null) lastToldMs = reportDischarge(context, leg, sailed, leg !== lastSailed);
    const ended = sailed === null || sailed.misroutedUntilMs !== null;
    if (quality.estimatesMoves) reportCallEstimates(context, leg, "discharge", ended ? null : lastToldMs);
  }
  if (journey.ashore !== null) return reportAshore(context, journey.ashore, lastToldMs);
  if (journey.inland !== null) reportInlandEstimates(context, journey.inland, null);
  return null;
}

/** From the shipper to the first port, before the first loading and after a ship that it was too late for. */
function reportFetched(context: ReportingContext, { leftBehind, sailed, from: place }: Leg): void {
  const { draws, quality } = context;
  const aboard = leftBehind.find((one) => one.aboard !== null)?.aboard;
  const firstMs = aboard?.fromMs ?? sailed?.loadedMs;
  if (firstMs === undefined) return;
  const outMs = firstMs - randomDurationMs(draws, 70, 110);
  const late = leftBehind[0]?.late ?? null;
  const atMs = late === null ? outMs : Math.min(outMs, late.inMs - PICKED_UP_MS_MIN);
  reportActual(context, { step: "pick_up", order: 2, atMs, place });
  const inMs = firstMs - randomDurationMs(draws, 12, 60);
  // Nothing else tells that it was late.
  const told = late === null ? context : { ...context, quality: { ...quality, omitsShare: 0 } };
  reportActual(told, { step: "gate_in", order: 3, atMs: late?.inMs ?? inMs, place });
}

/** When the line first says of the ship that she has left with the box, or called on her way: it says before who is aboard. */
function shipSaidMs({ facts }: ReportingContext, { key }: Leg): number {
  const said = facts.filter(
    ({ box, leg, classifier, takenBack }) =>
      box === null && leg === key && classifier === "actual" && !takenBack,
  );
  return Math.min(...said.filter(({ step }) => step !== "left").map(({ fromMs }) => fromMs));
}

/** With the shipper. */
const PICKED_UP_MS_MIN = 30 * HOUR_MS;

function aboardOf(context: ReportingContext, leg: Leg) {
  const last = leg.bookings.at(-1);
  return {
    leg: leg.key,
    vessel: last?.voyage.vessel ?? null,
    voyage: last === undefined ? null : voyageWritten(context, last.voyage),
  };
}

const NEVER = Number.POSITIVE_INFINITY;

function sentOnMs({ legs }: Journey, leg: Leg): number {
  return legs[legs.indexOf(leg) + 1]?.bookings[0]?.fromMs ?? NEVER;
}

/** How soon it is said that a box was put aboard or taken off again. */
const TOLD_AT_ONCE_MS = 5 * MINUTE_MS;

function reportTakenOff(context: ReportingContext, leg: Leg): void {
  for (const [index, { booking, aboard }] of leg.leftBehind.entries()) {
    if (aboard === null) continue;
    const { vessel } = booking.voyage;
    const on = { leg: leg.key, vessel, voyage: voyageWritten(context, booking.voyage), place: leg.from };
    const order = orderOf(leg) + 1 + index * 3;
    const tell = (step: Step, at: number, atMs: number): void =>
      addFact(context, { ...on, step, order: at, atMs }, atMs + TOLD_AT_ONCE_MS);
    tell("put_on", order, aboard.fromMs);
    tell("taken_off", order + 1, aboard.untilMs);
  }
}

/** What some lines state as free days of a port where the box only changes ships. */
const TRANSSHIPMENT_FREE_DAYS = 5;

/** Returns when it was reported. */
function reportDischarge(context: ReportingContext, leg: Leg, sailed: Sailed, goesOn: boolean): number {
  const { quality } = context;
  const { dischargedMs, dischargedAt: place, misroutedUntilMs, releasedMs, trucked } = sailed;
  const order = orderOf(leg);
  const onward = quality.callsTransshipments && goesOn && misroutedUntilMs === null && releasedMs === null;
  const discharge = {
    ...aboardOf(context, leg),
    step: "discharge",
    order: order + 70,
    place,
    atMs: dischargedMs,
    onward,
    lastFreeDay:
      quality.statesFreeDays && goesOn ? dayAfter(dischargedMs, place, TRANSSHIPMENT_FREE_DAYS) : null,
  } as const;
  let toldMs = dischargedMs + DISCHARGE_SAID_MS;
  // A line finds out that a box was misrouted when it hears where it is.
  if (misroutedUntilMs !== null || (goesOn && quality.plansEndAtDischarge))
    addFact(context, discharge, toldMs);
  else toldMs = reportActual(context, discharge);
  const at = { leg: leg.key, place, onward };
  if (releasedMs !== null) {
    const byBox = reportsReleaseByBox(context.line);
    const release = { ...at, step: "release", order: order + 75, atMs: releasedMs } as const;
    // A paper names no port, and is withdrawn when the cargo is sent on.
    const untilMs = byBox ? NEVER : sentOnMs(context.journey, leg);
    const own = byBox ? context : { ...context, box: null };
    addFact(own, release, Math.max(releasedMs, toldMs) + MINUTE_MS, { untilMs, takenBack: false });
  }
  if (trucked === null) return toldMs;
  const { outMs, inMs, handedOver } = trucked;
  const out = { ...at, step: "truck_out", order: order + 71, atMs: outMs } as const;
  const back = { ...at, step: "truck_in", order: order + 72, atMs: inMs, elsewhere: true } as const;
  if (handedOver) {
    addFact(context, out, Math.max(outMs, toldMs) + 2 * MINUTE_MS);
    addFact(context, back, inMs);
    return toldMs;
  }
  const outToldMs = reportActual(context, out, { fromMs: toldMs + MINUTE_MS });
  reportActual(context, back, { fromMs: outToldMs + MINUTE_MS });
  return toldMs;
}

/** The steps ashore are reported in their order, each after the one before. */
function reportAshore(context: ReportingContext, ashore: Ashore, dischargeReportedMs: number): number {
  const { draws, quality } = context;
  let lastMs = dischargeReportedMs;
  const tell = (step: Step, order: number, atMs: number, place: PlaceCode): void => {
    lastMs = reportActual(
      context,
      { step, order: AFTER_SEA + order, atMs, place },
      { fromMs: lastMs + MINUTE_MS },
    );
  };
  const { rail, port, shuttle } = ashore;
  if (shuttle !== null) lastMs = reportShuttle(context, shuttle, lastMs);
  if (rail !== null) {
    tell("rail_out", 10, rail.outMs, port);
    tell("rail_departure", 11, rail.departedMs, port);
    tell("rail_arrival", 12, rail.arrivedMs, rail.to);
    tell("rail_discharge", 13, rail.dischargedMs, rail.to);
  }
  const place = rail?.to ?? port;
  if (quality.statesFreeDays) {
    const step = rail === null ? "discharge" : "rail_discharge";
    stateFreeDays(context, step, place, lastMs);
  }
  const [release] = ashore.releases;
  if (reportsReleaseByBox(context.line) && release !== undefined) {
    const isPlain = release.atMs === ashore.readyMs && ashore.releases.length === 1;
    if (isPlain) tell("release", 20, ashore.readyMs, place);
    else reportReleases(context, ashore, place, lastMs);
  }
  lastMs = Math.max(lastMs, ashore.readyMs + HOUR_MS);
  const outMs = ashore.readyMs + randomDurationMs(draws, 4, draws.chance(0.4) ? 240 : 60);
  if (rail !== null || !draws.chance(quality.omitsShare)) tell("gate_out", 30, outMs, place);
  dropEnd(context, "gate_out", lastMs);
  if (rail !== null) reportInlandEstimates(context, rail.to, lastMs);
  tell("empty_return", 40, outMs + randomDurationMs(draws, 20, 140), place);
  dropEnd(context, "empty_return", lastMs);
  return lastMs;
}

/** What is released where it stands is said of it once it is said to stand there. */
function reportReleases(
  context: ReportingContext,
  { releases }: Ashore,
  place: PlaceCode,
  landedToldMs: number,
): void {
  const landedMs =
    context.facts.findLast(({ step, classifier }) => isLanding(step) && classifier === "actual")?.atMs ?? 0;
  for (const { atMs, fromMs, untilMs, number } of releases) {
    const order = AFTER_SEA + 20 + number;
    const saidMs = (atMs < landedMs ? fromMs : Math.max(fromMs, landedToldMs)) + MINUTE_MS;
    addFact(context, { step: "release", order, atMs, place }, saidMs, { untilMs, takenBack: false });
  }
}

function isLanding(step: Step): boolean {
  return step === "discharge" || step === "rail_discharge";
}

/** An answer or two without what was said of the end. */
function dropEnd({ draws, quality, facts }: ReportingContext, step: Step, toldMs: number): void {
  if (!draws.chance(quality.dropsEndShare)) return;
  const last = facts.findLastIndex((fact) => fact.step === step && fact.untilMs === NEVER);
  const end = facts[last];
  if (end === undefined || end.classifier !== "actual") return;
  const untilMs = toldMs + randomDurationMs(draws, 1, 18);
  facts[last] = { ...end, untilMs };
  facts.push({ ...end, fromMs: untilMs + randomDurationMs(draws, 1, 5) });
}

/** States the last free day beside the discharge, and another one some days later. */
function stateFreeDays(
  context: ReportingContext,
  step: "discharge" | "rail_discharge",
  place: PlaceCode,
  toldMs: number,
): void {
  const { draws, facts } = context;
  const last = facts.findLastIndex((fact) => fact.step === step && fact.classifier === "actual");
  const landing = facts[last];
  if (landing === undefined) return;
  const days = draws.integer(2, 7);
  const moved = draws.chance(0.4) ? days + draws.pick([-2, -1, 1, 2, 3, 5]) : null;
  facts[last] = { ...landing, lastFreeDay: dayAfter(landing.atMs, place, days) };
  if (moved === null) return;
  restate(context, step, toldMs + randomDurationMs(draws, 12, 120), {
    lastFreeDay: dayAfter(landing.atMs, place, moved),
  });
}
