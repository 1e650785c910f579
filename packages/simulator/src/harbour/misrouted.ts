/** Boxes that are discharged elsewhere than they should be: too early, or after their ship has passed the port. */
import { randomDurationMs, type SeededRandom } from "../world/seeded-random.ts";
import type { PlaceCode } from "../world/places.ts";
import type { LegBooking, Sailed, SailedLeg } from "./leg.ts";
import type { Hop } from "./services.ts";
import type { Call } from "./voyages.ts";

type Wrong = {
  readonly leg: SailedLeg;
  readonly foundMs: number;
  /** To where it should be. */
  readonly onward: Hop;
};

type Chances = { readonly draws: SeededRandom; readonly carriesPast: SeededRandom };

/** Null: it is discharged where it was to be. */
export function goesWrong(
  { draws, carriesPast }: Chances,
  leg: SailedLeg,
  hop: Hop,
  isLast: boolean,
): Wrong | null {
  if (leg.sailed.intermediateCalls.length > 0 && draws.chance(0.06)) {
    const wrong = misroutedLeg(draws, leg);
    return wrongBy(wrong, { ...hop, from: wrong.sailed.dischargedAt });
  }
  const back = BACK[hop.to];
  if (!isLast || back === undefined || !carriesPast.chance(0.08)) return null;
  return wrongBy(carriedPastLeg(carriesPast, leg, back.from), back);
}

function wrongBy(leg: SailedLeg, onward: Hop): Wrong {
  return { leg, foundMs: leg.sailed.misroutedUntilMs as number, onward };
}

export function endOf(
  draws: SeededRandom,
  call: Call,
): Pick<Sailed, "arrivedMs" | "dischargedMs" | "dischargedAt"> {
  const arrivedMs = call.actual.arrivalMs;
  return { arrivedMs, dischargedMs: arrivedMs + randomDurationMs(draws, 4, 16), dischargedAt: call.port };
}

/** Taken off at a call where it should have stayed aboard; the line finds out a day or two later. */
function misroutedLeg(draws: SeededRandom, leg: SailedLeg): SailedLeg {
  const call = draws.pick(leg.sailed.intermediateCalls);
  const end = endOf(draws, call);
  return {
    ...leg,
    sailed: {
      ...leg.sailed,
      intermediateCalls: leg.sailed.intermediateCalls.slice(0, leg.sailed.intermediateCalls.indexOf(call)),
      ...end,
      misroutedUntilMs: end.dischargedMs + randomDurationMs(draws, 14, 48),
    },
  };
}

/** From the port after its destination, of a box that stayed aboard there. */
const BACK: Readonly<Partial<Record<PlaceCode, Hop>>> = {
  NLRTM: { service: "NS5", from: "DEHAM", to: "NLRTM" },
  GBFXT: { service: "NS5", from: "NLRTM", to: "GBFXT" },
  SEGOT: { service: "BS4", from: "PLGDN", to: "SEGOT" },
  BRSSZ: { service: "SA6", from: "ARBUE", to: "BRSSZ" },
};

/**
 * Discharged at the ship's next call. The line plans the discharge at the destination until it finds out, or only until
 * the ship has left.
 */
function carriedPastLeg(draws: SeededRandom, leg: SailedLeg, to: PlaceCode): SailedLeg {
  const { voyage, discharge: destination } = leg.bookings.at(-1) as LegBooking;
  const end = endOf(draws, voyage.calls.find(({ port }) => port === to) as Call);
  const foundMs = end.dischargedMs + randomDurationMs(draws, 14, 72);
  const leftMs = destination.actual.departureMs;
  const seenMs = leftMs + Math.floor(draws.between(0.2, 0.8) * (end.arrivedMs - leftMs));
  return {
    ...leg,
    sailed: {
      ...leg.sailed,
      ...end,
      misroutedUntilMs: foundMs,
      carriedPast: { destination, plannedUntilMs: draws.chance(0.5) ? seenMs : foundMs },
    },
  };
}
