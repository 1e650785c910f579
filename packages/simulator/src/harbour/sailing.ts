/** How a consignment is sailed: what it is booked on, and how that changes until it is ashore for good. */
import { randomDurationMs, type SeededRandom } from "../world/seeded-random.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import { leaveBehind, type LateBoxes } from "./left-behind.ts";
import type { Leg, LegBooking, LeftBehind, Sailed, SailedLeg } from "./leg.ts";
import { endOf, goesWrong } from "./misrouted.ts";
import { sendOn, truckBetween } from "./reroute.ts";
import type { Hop, Route } from "./services.ts";
import { expectedAt, type Call, type Timetable, type Voyage } from "./voyages.ts";

/** Where a leg begins: when the box is there, and the bookings of the leg that brings it. */
type LegStart = { readonly ashoreMs: number; readonly bookings: readonly LegBooking[] };

type SailPlan = {
  readonly draws: SeededRandom;
  /** Connections that are missed are booked again only days later. */
  readonly rebooksLate: boolean;
  /** Boxes are taken off ships again. */
  readonly takesOff: boolean;
  readonly lateBoxes: LateBoxes;
  readonly carriesPast: SeededRandom;
  /** When the world begins. */
  readonly startMs: number;
  readonly timetable: Timetable;
  readonly route: Route;
  readonly bookedMs: number;
  readonly readyMs: number;
  readonly cancelledMs: number | null;
};

/** A hop of the plan and what was booked for it first. */
type PlannedHop = { readonly key: number; readonly hop: Hop; readonly booking: LegBooking };

/** A box changes ships within this time at least; plans leave more. */
const CHANGE_MS_MIN = 10 * HOUR_MS;
const CHANGE_MS_PLANNED = 2 * DAY_MS;
const LOADING_MS_MIN = 6 * HOUR_MS;
const NEVER = Number.POSITIVE_INFINITY;

export function sail(plan: SailPlan): readonly Leg[] {
  const { draws, route, readyMs, bookedMs, cancelledMs } = plan;
  let detour = draws.chance(0.2) ? route.diversion : null;
  // Beside a plan for next month that is kept, nobody would know the one that took its place.
  const waitsMs = detour === null && draws.chance(0.14) ? randomDurationMs(draws, 31 * 24, 40 * 24) : 0;
  let rest = planHops(plan.timetable, route.hops, 0, readyMs, bookedMs, waitsMs);
  if (cancelledMs !== null) return rest.map((one) => unsailedLeg(one, cancelledMs));
  const legs: Leg[] = [];
  let ashoreMs = readyMs;
  // What brings the box to where the next hop begins; after a misrouting more than one leg.
  let bringing: readonly LegBooking[] = [];
  for (let next = rest[0]; next !== undefined; next = rest[0]) {
    rest = rest.slice(1);
    const isOnward = next.key % 10 === ONWARD_DIGIT;
    const leg = sailLeg(plan, next, { ashoreMs, bookings: isOnward ? [] : bringing });
    const { sailed } = leg;
    const decidedMs =
      detour?.from === next.key / 10 ? diversionDecidedMs(draws, leg, rest[0] as PlannedHop) : null;
    bringing = isOnward ? [...bringing, ...leg.bookings] : leg.bookings;
    if (detour !== null && decidedMs !== null) {
      const diverted = divertedLeg(draws, leg, detour.hops[0] as Hop, decidedMs);
      legs.push(diverted, ...rest.map((one) => unsailedLeg(one, decidedMs)));
      ashoreMs = diverted.sailed.dischargedMs;
      bringing = diverted.bookings;
      rest = planHops(plan.timetable, detour.hops.slice(1), next.key + 13, ashoreMs + DAY_MS, decidedMs);
      detour = null;
      continue;
    }
    const wrong = next.key % 10 === 0 ? goesWrong(plan, leg, next.hop, rest.length === 0) : null;
    if (wrong !== null) {
      const { foundMs, onward } = wrong;
      legs.push(wrong.leg);
      // Nobody loads it before it is found.
      ashoreMs = foundMs;
      rest = [
        ...planHops(plan.timetable, [onward], next.key + ONWARD_DIGIT, foundMs + DAY_MS, foundMs),
        ...rest,
      ];
    } else {
      legs.push(leg);
      ashoreMs = sailed.dischargedMs;
    }
  }
  return trucked(draws, sentOn(plan, legs));
}

/** The last leg of some is not the last. */
function sentOn(plan: SailPlan, legs: readonly Leg[]): readonly Leg[] {
  const last = legs.findLast(({ sailed }) => sailed !== null);
  const { sailed } = last ?? {};
  if (plan.route.inland !== null || last === undefined || !sailed) return legs;
  // Nobody sends it again to the port from which it was brought back.
  if (legs.some((leg) => leg.sailed !== null && leg.sailed.carriedPast !== null)) return legs;
  const sent = sendOn(plan.draws, sailed, plan.startMs);
  if (sent === null) return legs;
  const { hop, decidedMs, ashore } = sent;
  const key = Math.ceil((last.key + 1) / 10) * 10 + 10;
  const [next] = planHops(plan.timetable, [hop], key, decidedMs + DAY_MS, decidedMs);
  const onward = sailLeg(plan, next as PlannedHop, { ashoreMs: decidedMs, bookings: [] });
  const before = legs.map((leg) => (leg === last ? { ...leg, sailed: { ...sailed, ...ashore } } : leg));
  return [...before, onward];
}

/** Some change terminals between two ships. */
function trucked(draws: SeededRandom, legs: readonly Leg[]): readonly Leg[] {
  const sailedLegs = legs.filter(({ sailed }) => sailed !== null);
  return legs.map((leg) => {
    const { sailed } = leg;
    const next = sailedLegs[sailedLegs.indexOf(leg) + 1];
    if (sailed === null || sailed.misroutedUntilMs !== null || sailed.releasedMs !== null || !next)
      return leg;
    const nextMs = next.leftBehind[0]?.aboard?.fromMs ?? (next.sailed as Sailed).loadedMs;
    return { ...leg, sailed: { ...sailed, trucked: truckBetween(draws, sailed.dischargedMs, nextMs) } };
  });
}

/** The last digit of the key of a leg that corrects a misrouting. */
const ONWARD_DIGIT = 5;

/** When it is decided at sea to go by another hub: no later than the connection at this one is seen to be missed. */
function diversionDecidedMs(
  draws: SeededRandom,
  { bookings, sailed }: SailedLeg,
  { booking }: PlannedHop,
): number | null {
  const { departedMs, arrivedMs } = sailed;
  const drawnMs = departedMs + draws.between(0.2, 0.5) * (arrivedMs - departedMs);
  const missed = connectionMissed(booking.load, { ashoreMs: arrivedMs, bookings }, booking.fromMs);
  if (missed !== null && missed.atMs <= departedMs) return null;
  return Math.floor(Math.min(drawnMs, missed?.atMs ?? NEVER) / MINUTE_MS) * MINUTE_MS;
}

function planHops(
  timetable: Timetable,
  hops: readonly Hop[],
  key: number,
  readyMs: number,
  fromMs: number,
  waitsMs = 0,
): readonly PlannedHop[] {
  let notBeforeMs = readyMs;
  return hops.map((hop, index) => {
    const number = timetable.numberFrom(hop.service, hop.from, notBeforeMs);
    const booking = bookingOn(timetable.voyage(hop.service, number), hop, fromMs);
    notBeforeMs = booking.discharge.planned.arrivalMs + Math.max(CHANGE_MS_PLANNED, waitsMs);
    return { key: key + index * 10, hop, booking };
  });
}

function bookingOn(voyage: Voyage, { from, to }: Hop, fromMs: number): LegBooking {
  const load = voyage.calls.find(({ port }) => port === from);
  const discharge = voyage.calls.find(({ port }) => port === to);
  if (load === undefined || discharge === undefined) throw new Error(`${voyage.service}: ${from} to ${to}`);
  return { fromMs, voyage, load, discharge };
}

function unsailedLeg({ key, hop, booking }: PlannedHop, droppedMs: number): Leg {
  return { key, from: hop.from, bookings: [booking], droppedMs, sailed: null, leftBehind: [] };
}

/** Ships that leave one box behind in one port. */
const LEFT_BEHIND_MAX = 2;

/** Changes of booking of one leg. */
const REBOOKINGS_MAX = 8;

/** Booked on a later voyage when this one is not sailed, is missed, or leaves the box behind. */
function sailLeg(plan: SailPlan, next: PlannedHop, before: LegStart): SailedLeg {
  const { draws, timetable } = plan;
  const { hop, key } = next;
  const bookings = [next.booking];
  const leftBehind: LeftBehind[] = [];
  for (let changes = 0; changes < REBOOKINGS_MAX; changes += 1) {
    const { voyage, load, fromMs } = bookings.at(-1) as LegBooking;
    const missed = connectionMissed(load, before, fromMs);
    const lateMs = missed !== null && plan.rebooksLate ? randomDurationMs(draws, 6, 72) : 0;
    let newsMs = Math.min(voyage.blankedMs ?? NEVER, missed === null ? NEVER : missed.atMs + lateMs);
    const times = leftBehind.length;
    if (newsMs === NEVER && times < LEFT_BEHIND_MAX && draws.chance(times === 0 ? 0.09 : 0.3)) {
      const lateBoxes = key === 0 && times === 0 ? plan.lateBoxes : null;
      const behind = leaveBehind(
        draws,
        bookings.at(-1) as LegBooking,
        before.ashoreMs,
        plan.takesOff,
        lateBoxes,
      );
      leftBehind.push(behind);
      newsMs = behind.newsMs;
    }
    if (newsMs === NEVER) break;
    const ready = Math.max(newsMs, (missed?.arrivalMs ?? 0) + CHANGE_MS_MIN) - CHANGE_MS_PLANNED;
    const first = timetable.numberFrom(hop.service, hop.from, ready);
    const number = Math.max(voyage.number + 1, first);
    const knownMs = Math.max(newsMs, fromMs);
    const instead = nextBooking(timetable, hop, number, knownMs, leftBehind.at(-1)?.late?.inMs);
    // What was known before is how it was booked in the first place.
    if (newsMs <= fromMs) bookings.pop();
    bookings.push(instead);
  }
  const { voyage, load, discharge, fromMs } = bookings.at(-1) as LegBooking;
  const calls = voyage.calls.slice(voyage.calls.indexOf(load) + 1, voyage.calls.indexOf(discharge));
  const isThere = fromMs < before.ashoreMs && load.actual.departureMs < before.ashoreMs + 6 * DAY_MS;
  const atOnce = isThere && leftBehind.length === 0 && before.bookings.length > 0 && draws.chance(0.7);
  const loadsMs = load.actual.departureMs - randomDurationMs(draws, 2, 12);
  return {
    key,
    from: hop.from,
    bookings,
    droppedMs: null,
    leftBehind,
    sailed: {
      loadedMs: Math.max(atOnce ? 0 : loadsMs, before.ashoreMs + 4 * HOUR_MS),
      departedMs: load.actual.departureMs,
      intermediateCalls: calls,
      ...endOf(draws, discharge),
      misroutedUntilMs: null,
      carriedPast: null,
      trucked: null,
      releasedMs: null,
    },
  };
}

/** On the first voyage from `number` on that leaves time to load a box that is in the port from `inMs` on. */
function nextBooking(
  timetable: Timetable,
  hop: Hop,
  number: number,
  fromMs: number,
  inMs = fromMs,
): LegBooking {
  const booking = bookingOn(timetable.voyage(hop.service, number), hop, fromMs);
  return booking.load.actual.departureMs > Math.max(fromMs, inMs) + DAY_MS
    ? booking
    : nextBooking(timetable, hop, number + 1, fromMs, inMs);
}

/**
 * When it is first seen, if ever, that the ship which brings the box comes too late for the one that is to
 * take it on, and when she is then expected.
 */
function connectionMissed(
  load: Call,
  { ashoreMs, bookings }: LegStart,
  fromMs: number,
): { readonly atMs: number; readonly arrivalMs: number } | null {
  const news = [
    fromMs,
    ...bookings.flatMap((one) => [one.fromMs, ...one.discharge.arrivalShifts.map(({ knownMs }) => knownMs)]),
    ...load.departureShifts.map(({ knownMs }) => knownMs),
  ];
  for (const atMs of news.filter((ms) => ms >= fromMs && ms < ashoreMs).toSorted((a, b) => a - b)) {
    const last = bookings.findLast((one) => one.fromMs <= atMs);
    if (last === undefined) continue;
    const { arrivalMs } = expectedAt(last.discharge, atMs);
    if (arrivalMs + CHANGE_MS_MIN > expectedAt(load, atMs).departureMs) return { atMs, arrivalMs };
  }
  if (load.actual.departureMs >= ashoreMs + LOADING_MS_MIN) return null;
  // Nobody saw it coming: the ship sails while the box is still being discharged.
  return { atMs: Math.max(fromMs, Math.min(ashoreMs, load.actual.departureMs)), arrivalMs: ashoreMs };
}

/** The box goes to another hub of the same voyage. */
function divertedLeg(draws: SeededRandom, leg: SailedLeg, hop: Hop, decidedMs: number): SailedLeg {
  const { sailed } = leg;
  const { voyage } = leg.bookings.at(-1) as LegBooking;
  const instead = bookingOn(voyage, { ...hop, from: leg.from }, decidedMs);
  const onTheWay = voyage.calls.slice(
    voyage.calls.indexOf(instead.load) + 1,
    voyage.calls.indexOf(instead.discharge),
  );
  return {
    ...leg,
    bookings: [...leg.bookings, instead],
    sailed: { ...sailed, intermediateCalls: onTheWay, ...endOf(draws, instead.discharge) },
  };
}
