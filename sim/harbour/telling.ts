/** What a line says of a journey, and when: late, wrong at first, taken back, or as it should be. */
import { drawsOf, type Draws } from "./chance.ts";
import type { Consignment } from "./consignment.ts";
import type { Fact, Step } from "./fact.ts";
import { minutes, type Ashore, type Journey, type Leg, type Sailed } from "./journey.ts";
import type { Line, Telling } from "./lines.ts";
import type { PlaceCode } from "./places.ts";
import { expectedAt, HOUR_MS, MINUTE_MS, type Shift, type Ship } from "./voyages.ts";

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

type Teller = {
  readonly facts: Fact[];
  readonly telling: Telling;
  readonly draws: Draws;
  readonly box: number | null;
  readonly journey: Journey;
  readonly line: Line;
};

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

/** Orders of a leg begin at a hundred times its key; those ashore come after all of them. */
const AFTER_SEA = 100_000;

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
  expect(teller, leg, "departure", departedMs);
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
    expect(teller, leg, "arrival", null);
    return;
  }
  const arrival = { leg: leg.key, place: sailed.dischargedAt, ...aboard };
  if (telling.tellsAnchorage && draws.is(0.5)) {
    const atMs = sailed.arrivedMs - minutes(draws, 4, 20);
    tellActual(teller, { ...arrival, step: "anchorage", order: order + 60, atMs });
  }
  const arrivedMs = tellActual(teller, {
    ...arrival,
    step: "arrival",
    order: order + 61,
    atMs: sailed.arrivedMs,
  });
  expect(teller, leg, "arrival", arrivedMs);
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
    if (telling.expectsMoves) expect(teller, leg, "load", loadedMs);
    const discharge = { ...aboard, step: "discharge", order: order + 70 } as const;
    if (sailed !== null) {
      lastToldMs = tellActual(teller, {
        ...discharge,
        place: sailed.dischargedAt,
        atMs: sailed.dischargedMs,
      });
    }
    const ended = sailed === null || sailed.misroutedUntilMs !== null;
    if (telling.expectsMoves) expect(teller, leg, "discharge", ended ? null : lastToldMs);
  }
  if (journey.ashore !== null) tellAshore(teller, journey.ashore, lastToldMs);
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
  tell("empty_return", 40, outMs + minutes(draws, 20, 140), place);
}

/** Says what happened, well or badly. Returns when it has been said for good. */
function tellActual(teller: Teller, happening: Happening, notBeforeMs = 0): number {
  const { telling, draws } = teller;
  const lateMs = draws.is(telling.lateShare) ? minutes(draws, 12, 40) : 0;
  const lagMs = minutes(draws, 0, telling.lagHoursMax);
  const toldMs = Math.max(happening.atMs + lagMs + lateMs, notBeforeMs);
  if (happening.step === "departure" && happening.leg === 0 && draws.is(telling.falseDepartureShare)) {
    const atMs = happening.atMs - minutes(draws, 16, 30);
    const withdrawnMs = atMs + minutes(draws, 3, 10);
    say(teller, { ...happening, atMs }, atMs + MINUTE_MS, { untilMs: withdrawnMs, takenBack: true });
  } else if (draws.is(telling.wrongTimeShare)) {
    const atMs = happening.atMs - minutes(draws, 1, 5);
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

/** When the box is loaded before its ship leaves, and discharged after it comes, as plans have it. */
const LOAD_BEFORE_MS = 6 * HOUR_MS;
const DISCHARGE_AFTER_MS = 8 * HOUR_MS;

/** Says what is expected, each time that it changes, until it has been told as done at `doneMs`. */
function expect(
  teller: Teller,
  leg: Leg,
  step: "load" | "departure" | "arrival" | "discharge",
  doneMs: number | null,
): void {
  const outbound = step === "load" || step === "departure";
  const order = { load: 10, departure: 20, arrival: 61, discharge: 70 }[step];
  const endMs = doneMs ?? endOfPlan(leg);
  const versions: Fact[] = [];
  for (const [index, { fromMs, voyage, load, discharge }] of leg.bookings.entries()) {
    const untilMs = Math.min(leg.bookings[index + 1]?.fromMs ?? NEVER, endMs);
    const call = outbound ? load : discharge;
    const shifts: readonly Shift[] = outbound ? load.departureShifts : discharge.arrivalShifts;
    const news = shifts.map(({ knownMs }) => knownMs).filter((ms) => ms > fromMs && ms < untilMs);
    for (const saidMs of fromMs < untilMs ? [fromMs, ...news.toSorted((a, b) => a - b)] : []) {
      const times = expectedAt(call, saidMs);
      versions.push({
        step,
        leg: leg.key,
        order: 1_000 + leg.key * 100 + order,
        box: teller.box,
        // What is planned anew on the way is an estimate from the first.
        classifier: saidMs === teller.journey.bookedMs ? "planned" : "estimated",
        atMs: outbound
          ? times.departureMs - (step === "load" ? LOAD_BEFORE_MS : 0)
          : times.arrivalMs + (step === "discharge" ? DISCHARGE_AFTER_MS : 0),
        place: call.port,
        ship: teller.line.namesVesselLate ? null : voyage.ship,
        voyage: voyage.name,
        fromMs: saidMs,
        untilMs: NEVER,
        staleFromMs: NEVER,
        takenBack: false,
      });
    }
  }
  const stays = doneMs === null ? teller.telling.leavesOldPlans : teller.telling.keepsEstimates;
  for (const [index, version] of versions.entries()) {
    const next = versions[index + 1];
    // A plan for another port is no later version of this one.
    const elsewhere = next !== undefined && next.place !== version.place;
    const left = elsewhere ? teller.telling.leavesOldPlans : next === undefined && stays;
    const overMs = next?.fromMs ?? endMs;
    teller.facts.push({
      ...version,
      untilMs: left ? NEVER : overMs,
      staleFromMs: elsewhere || doneMs === null ? overMs : NEVER,
    });
  }
}

/** When a leg's plan is given up although it has not been sailed to its end. */
function endOfPlan({ droppedMs, sailed }: Leg): number {
  return droppedMs ?? (sailed as Sailed).misroutedUntilMs ?? NEVER;
}
