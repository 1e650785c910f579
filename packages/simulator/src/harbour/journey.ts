/**
 * What happens to a consignment: the sailings it is booked on and how they change, and what becomes of
 * it ashore. When a line reports what is in `reporting.ts`.
 */
import { seededRandom, randomDurationMs, type SeededRandom } from "../world/seeded-random.ts";
import type { PlaceCode } from "../world/places.ts";
import { HOUR_MS } from "../world/durations.ts";
import type { Consignment } from "./consignment.ts";
import type { Leg, Sailed } from "./leg.ts";
import { LATE_HOURS_MAX, type ReportingQuality } from "./lines.ts";
import { sail } from "./sailing.ts";
import { ROUTES } from "./services.ts";
import { type Timetable } from "./voyages.ts";

export type Journey = {
  readonly bookedMs: number;
  /** The booking is called off, and nothing more happens. */
  readonly cancelledMs: number | null;
  /** In the order in which they follow each other; legs that are never sailed among them. */
  readonly legs: readonly Leg[];
  readonly ashore: Ashore | null;
  /** Where it is to go on to by rail. */
  readonly inland: PlaceCode | null;
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
  { first, line }: Consignment,
): Journey {
  const draws = seededRandom(seed, "journey", first);
  const bookedMs = startMs + randomDurationMs(draws, -BOOKED_BEFORE_DAYS * 24, BOOKED_AFTER_DAYS * 24);
  const way = draws.pick(ROUTES);
  const readyMs = bookedMs + randomDurationMs(draws, 6 * 24, 12 * 24);
  const cancelledMs = draws.chance(0.03) ? bookedMs + randomDurationMs(draws, 10, 100) : null;
  const legs = sail({
    draws,
    rebooksLate: line.reporting.rebooksLate,
    timetable,
    route: way,
    bookedMs,
    readyMs,
    cancelledMs,
  });
  const last = legs.findLast(({ sailed }) => sailed !== null)?.sailed ?? null;
  return {
    bookedMs,
    cancelledMs,
    legs,
    ashore: last === null || cancelledMs !== null ? null : ashoreOf(draws, last, way.inland, line.reporting),
    inland: way.inland,
  };
}

/** A hold before the box is ashore holds it from the discharge on. */
function ashoreOf(
  draws: SeededRandom,
  last: Sailed,
  inland: PlaceCode | null,
  quality: ReportingQuality,
): Ashore {
  const { dischargedMs, dischargedAt: port } = last;
  let freeMs = dischargedMs;
  let hold: Ashore["hold"] = null;
  if (draws.chance(0.18)) {
    const fromMs = draws.chance(0.25)
      ? last.arrivedMs - randomDurationMs(draws, 5, 30)
      : dischargedMs + randomDurationMs(draws, 2, 20);
    // A hold that is over is not reported.
    const reportedMs =
      dischargedMs + (quality.lagHoursMax + (quality.lateShare > 0 ? LATE_HOURS_MAX : 0)) * HOUR_MS;
    freeMs = Math.max(fromMs, reportedMs) + randomDurationMs(draws, 12, 90);
    hold = { fromMs, untilMs: freeMs };
  }
  let rail: Ashore["rail"] = null;
  if (inland !== null) {
    const outMs = freeMs + randomDurationMs(draws, 20, 70);
    const departedMs = outMs + randomDurationMs(draws, 1, 4);
    const arrivedMs = departedMs + randomDurationMs(draws, 20, 80);
    rail = {
      to: inland,
      outMs,
      departedMs,
      arrivedMs,
      dischargedMs: arrivedMs + randomDurationMs(draws, 1, 5),
    };
    freeMs = rail.dischargedMs;
  }
  const readyMs = freeMs + randomDurationMs(draws, 4, 40);
  return { port, hold, rail, releasedMs: draws.chance(0.05) ? null : readyMs, readyMs };
}
