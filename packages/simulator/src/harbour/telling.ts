/** What a line says of a journey, and when: late, wrong at first, taken back, or as it should be. */
import { drawsOf, minutes } from "../world/chance.ts";
import type { PlaceCode } from "../world/places.ts";
import { HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import type { Consignment } from "./consignment.ts";
import { expectCall, expectInland } from "./expecting.ts";
import type { Fact, Step } from "./fact.ts";
import type { Ashore, Journey } from "./journey.ts";
import type { Leg } from "./leg.ts";
import { LATE_HOURS_MAX, LATE_HOURS_MIN, type Line } from "./lines.ts";
import { AFTER_SEA, type Teller } from "./teller.ts";
import { type Ship } from "./voyages.ts";

const NEVER = Number.POSITIVE_INFINITY;

/** Everything that is said of the consignment and of the boxes named, over the whole of their lives. */
export function factsOf(
  seed: number,
  consignment: Consignment,
  journey: Journey,
  boxes: readonly number[],
): readonly Fact[] {
  const { telling } = consignment.line;
  const facts: Fact[] = [];
  const common: Teller = {
    facts,
    telling,
    draws: drawsOf(seed, "telling", -1 - consignment.first),
    box: null,
    journey,
    line: consignment.line,
  };
  tellPapers(common);
  for (const leg of journey.legs) tellCalls(common, leg);
  for (const box of boxes) {
    const own = { ...common, draws: drawsOf(seed, "telling", box), box };
    tellBox(own);
  }
  return facts;
}

type Happening = {
  readonly step: Step;
  readonly leg?: number;
  readonly order: number;
  readonly atMs: number;
  readonly place: PlaceCode | null;
  readonly ship?: Ship | null;
  readonly voyage?: string | null;
};

/** Papers are electronic: they are told as they are signed. */
function tellPapers(teller: Teller): void {
  const { journey } = teller;
  const tell = (step: Step, atMs: number, order: number): void => {
    say(teller, { step, order, atMs, place: null }, atMs + minutes(teller.draws, 0, 1));
  };
  tell("booked", journey.bookedMs, 0);
  if (journey.cancelledMs !== null) tell("called_off", journey.cancelledMs, 1);
  const { ashore } = journey;
  if (ashore === null) return;
  if (ashore.hold !== null) {
    tell("hold", ashore.hold.fromMs, AFTER_SEA);
    tell("clearance", ashore.hold.untilMs, AFTER_SEA + 1);
  }
  if (ashore.releasedMs !== null && !releasesByBox(teller.line)) {
    tell("release", ashore.releasedMs, AFTER_SEA + 20);
  }
}

/** 2.2 has a paper for the release of the cargo, 3.0 says of each box that it can be fetched. */
function releasesByBox({ version }: Line): boolean {
  return version === "3.0";
}

function tellCalls(teller: Teller, leg: Leg): void {
  const { draws, telling } = teller;
  const { sailed } = leg;
  const order = 1_000 + leg.key * 100;
  const last = leg.bookings.at(-1);
  const aboard = { ship: last?.voyage.ship ?? null, voyage: last?.voyage.name ?? null };
  const departure = {
    step: "departure",
    leg: leg.key,
    order: order + 20,
    place: leg.from,
    ...aboard,
  } as const;
  const departedMs = sailed === null ? null : tellActual(teller, { ...departure, atMs: sailed.departedMs });
  expectCall(teller, leg, "departure", departedMs);
  if (sailed !== null && telling.tellsCallsOnTheWay) {
    for (const [index, call] of sailed.onTheWay.entries()) {
      const place = call.port;
      const on = { leg: leg.key, place, ...aboard };
      const at = order + 30 + index * 2;
      tellActual(teller, { ...on, step: "call", order: at, atMs: call.actual.arrivalMs });
      tellActual(teller, { ...on, step: "call_departure", order: at + 1, atMs: call.actual.departureMs });
    }
  }
  if (sailed === null || sailed.misroutedUntilMs !== null) {
    expectCall(teller, leg, "arrival", null);
    return;
  }
  const arrival = { leg: leg.key, place: sailed.dischargedAt, ...aboard };
  if (telling.tellsAnchorage && draws.is(0.5)) {
    const atMs = sailed.arrivedMs - minutes(draws, 4, 20);
    // The ship says so herself.
    say(teller, { ...arrival, step: "anchorage", order: order + 60, atMs }, atMs + minutes(draws, 0, 1));
  }
  const arrivedMs = tellActual(teller, {
    ...arrival,
    step: "arrival",
    order: order + 61,
    atMs: sailed.arrivedMs,
  });
  expectCall(teller, leg, "arrival", arrivedMs);
}

function tellBox(teller: Teller): void {
  const { journey, telling, draws } = teller;
  const firstLeg = journey.legs[0] as Leg;
  const firstMs = firstLeg.sailed?.loadedMs ?? null;
  if (firstMs !== null) {
    const place = firstLeg.from;
    tellActual(teller, { step: "pick_up", order: 2, atMs: firstMs - minutes(draws, 70, 110), place });
    tellActual(teller, { step: "gate_in", order: 3, atMs: firstMs - minutes(draws, 12, 60), place });
  }
  let lastToldMs = 0;
  for (const leg of journey.legs) {
    const { sailed } = leg;
    const order = 1_000 + leg.key * 100;
    const last = leg.bookings.at(-1);
    const aboard = { leg: leg.key, ship: last?.voyage.ship ?? null, voyage: last?.voyage.name ?? null };
    const load = { ...aboard, step: "load", order: order + 10, place: leg.from } as const;
    const loadedMs = sailed === null ? null : tellActual(teller, { ...load, atMs: sailed.loadedMs });
    if (telling.expectsMoves) expectCall(teller, leg, "load", loadedMs);
    const discharge = { ...aboard, step: "discharge", order: order + 70 } as const;
    if (sailed !== null) {
      lastToldMs = tellActual(teller, {
        ...discharge,
        place: sailed.dischargedAt,
        atMs: sailed.dischargedMs,
      });
    }
    const ended = sailed === null || sailed.misroutedUntilMs !== null;
    if (telling.expectsMoves) expectCall(teller, leg, "discharge", ended ? null : lastToldMs);
  }
  if (journey.ashore !== null) tellAshore(teller, journey.ashore, lastToldMs);
  else if (journey.inland !== null) expectInland(teller, journey.inland, null);
}

/** The end of the way is told in its order, each step after the one before. */
function tellAshore(teller: Teller, ashore: Ashore, dischargeToldMs: number): void {
  const { draws } = teller;
  let lastMs = dischargeToldMs;
  const tell = (step: Step, order: number, atMs: number, place: PlaceCode): void => {
    lastMs = tellActual(teller, { step, order: AFTER_SEA + order, atMs, place }, lastMs + MINUTE_MS);
  };
  const { rail, port } = ashore;
  if (rail !== null) {
    tell("rail_out", 10, rail.outMs, port);
    tell("rail_departure", 11, rail.departedMs, port);
    tell("rail_arrival", 12, rail.arrivedMs, rail.to);
    tell("rail_discharge", 13, rail.dischargedMs, rail.to);
  }
  const place = rail?.to ?? port;
  if (ashore.releasedMs !== null && releasesByBox(teller.line)) tell("release", 20, ashore.releasedMs, place);
  lastMs = Math.max(lastMs, ashore.readyMs + HOUR_MS);
  const outMs = ashore.readyMs + minutes(draws, 4, draws.is(0.4) ? 240 : 60);
  tell("gate_out", 30, outMs, place);
  if (rail !== null) expectInland(teller, rail.to, lastMs);
  tell("empty_return", 40, outMs + minutes(draws, 20, 140), place);
}

/** Says what happened, well or badly. Returns when it has been said for good. */
function tellActual(teller: Teller, happening: Happening, notBeforeMs = 0): number {
  const { telling, draws } = teller;
  const lateMs = draws.is(telling.lateShare) ? minutes(draws, LATE_HOURS_MIN, LATE_HOURS_MAX) : 0;
  const lagMs = minutes(draws, 0, telling.lagHoursMax);
  const toldMs = Math.max(happening.atMs + lagMs + lateMs, notBeforeMs);
  if (happening.step === "departure" && happening.leg === 0 && draws.is(telling.falseDepartureShare)) {
    const atMs = happening.atMs - minutes(draws, 16, 30);
    const withdrawnMs = atMs + minutes(draws, 3, 10);
    say(teller, { ...happening, atMs }, atMs + MINUTE_MS, { untilMs: withdrawnMs, takenBack: true });
  } else if (draws.is(telling.wrongTimeShare)) {
    const atMs = happening.atMs - minutes(draws, 1, 3);
    const correctedMs = toldMs + minutes(draws, 2, 10);
    say(teller, { ...happening, atMs }, toldMs, { untilMs: correctedMs, takenBack: false });
    say(teller, happening, correctedMs);
    return toldMs;
  }
  say(teller, happening, toldMs);
  return toldMs;
}

type Ending = { readonly untilMs: number; readonly takenBack: boolean };
const FOR_GOOD: Ending = { untilMs: NEVER, takenBack: false };

function say({ facts, box }: Teller, happening: Happening, fromMs: number, ending = FOR_GOOD): void {
  // Written out, for this is most of what an answer costs.
  facts.push({
    step: happening.step,
    leg: happening.leg ?? null,
    order: happening.order,
    box,
    classifier: "actual",
    atMs: happening.atMs,
    place: happening.place,
    ship: happening.ship ?? null,
    voyage: happening.voyage ?? null,
    fromMs,
    untilMs: ending.untilMs,
    staleFromMs: NEVER,
    takenBack: ending.takenBack,
  });
}
