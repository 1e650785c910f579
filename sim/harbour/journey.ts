/**
 * What happens to a consignment: the sailings it is booked on and how they change, and what becomes of
 * it ashore. Nothing here is told yet; when a line says what is `telling.ts`.
 */
import { drawsOf, type Draws } from "./chance.ts";
import type { Consignment } from "./consignment.ts";
import type { PlaceCode } from "./places.ts";
import { WAYS, type Hop, type Way } from "./services.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type Call, type Timetable, type Voyage } from "./voyages.ts";

export type Journey = {
  readonly bookedMs: number;
  /** The booking is called off, and nothing more happens. */
  readonly cancelledMs: number | null;
  /** In the order in which they follow each other; those that are never sailed among them. */
  readonly legs: readonly Leg[];
  readonly ashore: Ashore | null;
};

export type Leg = {
  /** Rises along the way; a leg that takes another one's place has a key of its own. */
  readonly key: number;
  readonly from: PlaceCode;
  /** What the box is booked on, the latest last. */
  readonly bookings: readonly LegBooking[];
  /** From when on it belongs to the plan no more; null: it is sailed. */
  readonly droppedMs: number | null;
  readonly sailed: Sailed | null;
};

export type LegBooking = {
  readonly fromMs: number;
  readonly voyage: Voyage;
  readonly load: Call;
  readonly discharge: Call;
};

export type Sailed = {
  readonly loadedMs: number;
  readonly departedMs: number;
  /** Calls at which the box stayed aboard. */
  readonly onTheWay: readonly Call[];
  readonly arrivedMs: number;
  readonly dischargedMs: number;
  readonly dischargedAt: PlaceCode;
  /** Discharged where it should not have been; the line finds out at this moment. */
  readonly misroutedUntilMs: number | null;
};

export type Ashore = {
  readonly port: PlaceCode;
  readonly hold: { readonly fromMs: number; readonly untilMs: number } | null;
  readonly rail: {
    readonly to: PlaceCode;
    readonly outMs: number;
    readonly departedMs: number;
    readonly arrivedMs: number;
    readonly dischargedMs: number;
  } | null;
  /** Null: the line never says so. */
  readonly releasedMs: number | null;
  /** When the first box can be fetched. */
  readonly readyMs: number;
};

/** Journeys begin this long before and after the world does. */
const BOOKED_BEFORE_DAYS = 50;
const BOOKED_AFTER_DAYS = 20;

export function journeyOf(
  seed: number,
  startMs: number,
  timetable: Timetable,
  { first }: Consignment,
): Journey {
  const draws = drawsOf(seed, "journey", first);
  const bookedMs = startMs + minutes(draws, -BOOKED_BEFORE_DAYS * 24, BOOKED_AFTER_DAYS * 24);
  const way = draws.pick(WAYS);
  const readyMs = bookedMs + minutes(draws, 6 * 24, 12 * 24);
  const cancelledMs = draws.is(0.03) ? bookedMs + minutes(draws, 10, 100) : null;
  const legs = sail({ draws, timetable, way, bookedMs, readyMs, cancelledMs });
  const last = legs.findLast(({ sailed }) => sailed !== null)?.sailed ?? null;
  return {
    bookedMs,
    cancelledMs,
    legs,
    ashore: last === null || cancelledMs !== null ? null : comeAshore(draws, last, way.inland),
  };
}

/** A whole number of minutes, in milliseconds. */
export function minutes(draws: Draws, leastHours: number, mostHours: number): number {
  return draws.whole(leastHours * 60, mostHours * 60) * MINUTE_MS;
}

type Plan = {
  readonly draws: Draws;
  readonly timetable: Timetable;
  readonly way: Way;
  readonly bookedMs: number;
  readonly readyMs: number;
  readonly cancelledMs: number | null;
};

/** A hop of the plan and what was booked for it first. */
type PlannedHop = { readonly key: number; readonly hop: Hop; readonly booking: LegBooking };

/** A box changes ships within this time at least; plans leave more. */
const CHANGE_MS_MIN = 10 * HOUR_MS;
const CHANGE_MS_PLANNED = 2 * DAY_MS;

function sail(plan: Plan): readonly Leg[] {
  const { draws, way, readyMs, bookedMs, cancelledMs } = plan;
  let rest = planned(plan.timetable, way.hops, 0, readyMs, bookedMs);
  if (cancelledMs !== null) return rest.map((one) => neverSailed(one, cancelledMs));
  const legs: Leg[] = [];
  let ashoreMs = readyMs;
  let detour = draws.is(0.2) ? way.detour : null;
  for (let next = rest[0]; next !== undefined; next = rest[0]) {
    rest = rest.slice(1);
    const leg = sailedOn(plan, next, ashoreMs);
    const { sailed } = leg;
    if (detour !== null && detour.from * 10 === next.key) {
      const diverted = divertedTo(draws, leg, detour.hops[0] as Hop);
      const decidedMs = diverted.bookings.at(-1)?.fromMs as number;
      legs.push(diverted, ...rest.map((one) => neverSailed(one, decidedMs)));
      ashoreMs = diverted.sailed.dischargedMs;
      rest = planned(plan.timetable, detour.hops.slice(1), next.key + 13, ashoreMs + DAY_MS, decidedMs);
      detour = null;
    } else if (sailed.onTheWay.length > 0 && draws.is(0.06)) {
      const wrong = misrouted(draws, leg);
      legs.push(wrong);
      ashoreMs = wrong.sailed.dischargedMs;
      const onward = { ...next.hop, from: wrong.sailed.dischargedAt };
      const foundMs = wrong.sailed.misroutedUntilMs as number;
      rest = [...planned(plan.timetable, [onward], next.key + 5, foundMs + DAY_MS, foundMs), ...rest];
    } else {
      legs.push(leg);
      ashoreMs = sailed.dischargedMs;
    }
  }
  return legs;
}

function planned(
  timetable: Timetable,
  hops: readonly Hop[],
  key: number,
  readyMs: number,
  fromMs: number,
): readonly PlannedHop[] {
  let notBeforeMs = readyMs;
  return hops.map((hop, index) => {
    const number = timetable.numberFrom(hop.service, hop.from, notBeforeMs);
    const booking = bookingOn(timetable.voyage(hop.service, number), hop, fromMs);
    notBeforeMs = booking.discharge.planned.arrivalMs + CHANGE_MS_PLANNED;
    return { key: key + index * 10, hop, booking };
  });
}

function bookingOn(voyage: Voyage, { from, to }: Hop, fromMs: number): LegBooking {
  const load = voyage.calls.find(({ port }) => port === from);
  const discharge = voyage.calls.find(({ port }) => port === to);
  if (load === undefined || discharge === undefined) throw new Error(`${voyage.service}: ${from} to ${to}`);
  return { fromMs, voyage, load, discharge };
}

function neverSailed({ key, hop, booking }: PlannedHop, droppedMs: number): Leg {
  return { key, from: hop.from, bookings: [booking], droppedMs, sailed: null };
}

type SailedLeg = Leg & { readonly sailed: Sailed };

/** Changes of booking of one leg. */
const REBOOKINGS_MAX = 4;

/** Booked on the next voyage when this one is not sailed, is missed, or leaves the box behind. */
function sailedOn({ draws, timetable }: Plan, next: PlannedHop, ashoreMs: number): SailedLeg {
  const { hop, key } = next;
  const bookings = [next.booking];
  let rolled = false;
  for (let times = 0; times < REBOOKINGS_MAX; times += 1) {
    const { voyage, load, fromMs } = bookings.at(-1) as LegBooking;
    let newsMs: number | null = null;
    if (voyage.blankedMs !== null) newsMs = voyage.blankedMs;
    else if (load.actual.departureMs < ashoreMs + CHANGE_MS_MIN) newsMs = ashoreMs - minutes(draws, 2, 48);
    else if (!rolled && draws.is(0.06)) {
      rolled = true;
      newsMs = load.actual.departureMs + minutes(draws, 1, 36);
    }
    if (newsMs === null) break;
    const instead = bookingOn(
      timetable.voyage(hop.service, voyage.number + 1),
      hop,
      Math.max(newsMs, fromMs),
    );
    // What was known before is how it was booked in the first place.
    if (newsMs <= fromMs) bookings.pop();
    bookings.push(instead);
  }
  const { voyage, load, discharge } = bookings.at(-1) as LegBooking;
  const calls = voyage.calls.slice(voyage.calls.indexOf(load) + 1, voyage.calls.indexOf(discharge));
  return {
    key,
    from: hop.from,
    bookings,
    droppedMs: null,
    sailed: {
      loadedMs: load.actual.departureMs - minutes(draws, 2, 12),
      departedMs: load.actual.departureMs,
      onTheWay: calls,
      ...endOf(draws, discharge),
      misroutedUntilMs: null,
    },
  };
}

function endOf(draws: Draws, call: Call): Pick<Sailed, "arrivedMs" | "dischargedMs" | "dischargedAt"> {
  const arrivedMs = call.actual.arrivalMs;
  return { arrivedMs, dischargedMs: arrivedMs + minutes(draws, 4, 16), dischargedAt: call.port };
}

/** Decided at sea: the box goes to another hub of the same voyage. */
function divertedTo(draws: Draws, leg: SailedLeg, hop: Hop): SailedLeg {
  const { sailed } = leg;
  const { voyage } = leg.bookings.at(-1) as LegBooking;
  const seaMs = sailed.arrivedMs - sailed.departedMs;
  const decidedMs = Math.floor((sailed.departedMs + draws.between(0.2, 0.5) * seaMs) / MINUTE_MS) * MINUTE_MS;
  const instead = bookingOn(voyage, { ...hop, from: leg.from }, decidedMs);
  const onTheWay = voyage.calls.slice(
    voyage.calls.indexOf(instead.load) + 1,
    voyage.calls.indexOf(instead.discharge),
  );
  return {
    ...leg,
    bookings: [...leg.bookings, instead],
    sailed: { ...sailed, onTheWay, ...endOf(draws, instead.discharge) },
  };
}

/** Taken off at a call where it should have stayed aboard; the line finds out a day or two later. */
function misrouted(draws: Draws, leg: SailedLeg): SailedLeg {
  const call = draws.pick(leg.sailed.onTheWay);
  const end = endOf(draws, call);
  return {
    ...leg,
    sailed: {
      ...leg.sailed,
      onTheWay: leg.sailed.onTheWay.slice(0, leg.sailed.onTheWay.indexOf(call)),
      ...end,
      misroutedUntilMs: end.dischargedMs + minutes(draws, 14, 48),
    },
  };
}

/** A hold before the box is ashore holds it from the discharge on. */
function comeAshore(draws: Draws, last: Sailed, inland: PlaceCode | null): Ashore {
  const { dischargedMs, dischargedAt: port } = last;
  let freeMs = dischargedMs;
  let hold: Ashore["hold"] = null;
  if (draws.is(0.18)) {
    const fromMs = draws.is(0.25)
      ? last.arrivedMs - minutes(draws, 5, 30)
      : dischargedMs + minutes(draws, 2, 20);
    freeMs = Math.max(fromMs, dischargedMs) + minutes(draws, 20, 90);
    hold = { fromMs, untilMs: freeMs };
  }
  let rail: Ashore["rail"] = null;
  if (inland !== null) {
    const outMs = freeMs + minutes(draws, 20, 70);
    const departedMs = outMs + minutes(draws, 1, 4);
    const arrivedMs = departedMs + minutes(draws, 20, 80);
    rail = { to: inland, outMs, departedMs, arrivedMs, dischargedMs: arrivedMs + minutes(draws, 1, 5) };
    freeMs = rail.dischargedMs;
  }
  const readyMs = freeMs + minutes(draws, 2, 40);
  return { port, hold, rail, releasedMs: draws.is(0.05) ? null : readyMs, readyMs };
}
