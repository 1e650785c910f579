/**
 * What happens to a consignment: the sailings it is booked on and how they change, and what becomes of
 * it ashore. When a line reports what is in `reporting.ts`.
 */
import { seededRandom, randomDurationMs, type SeededRandom } from "../world/seeded-random.ts";
import type { PlaceCode } from "../world/places.ts";
import { HOUR_MS } from "../world/durations.ts";
import type { Consignment } from "./consignment.ts";
import type { Leg, SailedLeg } from "./leg.ts";
import { LATE_HOURS_MAX, type ReportingQuality } from "./reporting-quality.ts";
import { sail } from "./sailing.ts";
import { ROUTES } from "./services.ts";
import { backMs, shuttleOf, type Shuttle } from "./shuttle.ts";
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
  readonly holds: readonly Hold[];
  /** To another terminal of the port, before it can be fetched. */
  readonly shuttle: Shuttle | null;
  readonly rail: {
    readonly to: PlaceCode;
    readonly outMs: number;
    readonly departedMs: number;
    readonly arrivedMs: number;
    readonly dischargedMs: number;
  } | null;
  /** None: the line never says so. */
  readonly releases: readonly Release[];
  /** When the first box can be fetched. */
  readonly readyMs: number;
};

const NEVER = Number.POSITIVE_INFINITY;

export type Hold = { readonly fromMs: number; readonly untilMs: number };

export type Release = {
  readonly atMs: number;
  /** When it is said, and until when; one that is withdrawn may be repeated as it was. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Two of one number are the same. */
  readonly number: number;
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
    // A date does not say that a box was loaded before it was taken off.
    takesOff: line.reporting.reportsDepartures && !line.reporting.datesOnly,
    lateBoxes: {
      draws: seededRandom(seed, "late_box", first),
      hoursMin: line.reporting.datesOnly ? 2 * APART_HOURS : APART_HOURS + 3,
      reportMsMax: reportMsMax(line.reporting),
    },
    carriesPast: seededRandom(seed, "carried_past", first),
    startMs,
    timetable,
    route: way,
    bookedMs,
    readyMs,
    cancelledMs,
  });
  const last = legs.findLast((leg): leg is SailedLeg => leg.sailed !== null) ?? null;
  return {
    bookedMs,
    cancelledMs,
    legs,
    ashore:
      last === null || cancelledMs !== null
        ? null
        : ashoreOf(draws, last, way.inland, line.reporting, (dischargedMs) =>
            shuttleOf(seededRandom(seed, "shuttle", first), dischargedMs, line.reporting, startMs),
          ),
    inland: way.inland,
  };
}

/** A hold before the box is ashore holds it from the discharge on. */
function ashoreOf(
  draws: SeededRandom,
  last: SailedLeg,
  inland: PlaceCode | null,
  quality: ReportingQuality,
  shuttleFrom: (dischargedMs: number) => Shuttle | null,
): Ashore {
  const { dischargedMs, dischargedAt: port } = last.sailed;
  const holds: Hold[] = [];
  let freeMs = dischargedMs;
  const early = inland === null && draws.chance(0.08) ? releasedAtSea(draws, last) : null;
  if (early === null && draws.chance(0.18)) {
    const fromMs = draws.chance(0.25)
      ? last.sailed.arrivedMs - randomDurationMs(draws, 5, 30)
      : dischargedMs + randomDurationMs(draws, 2, 20);
    // A hold that is over is not reported.
    freeMs = Math.max(fromMs, dischargedMs + reportMsMax(quality)) + randomDurationMs(draws, APART_HOURS, 90);
    holds.push({ fromMs, untilMs: freeMs });
  }
  const isPlain = inland === null && early === null && holds.length === 0;
  const shuttle = isPlain ? shuttleFrom(dischargedMs) : null;
  if (shuttle !== null) freeMs = backMs(shuttle, quality);
  const reportedMs = (shuttle?.inMs ?? dischargedMs) + reportMsMax(quality);
  const rail = inland === null ? null : railTo(draws, inland, freeMs);
  const readyMs = (rail?.dischargedMs ?? freeMs) + randomDurationMs(draws, 4, 40);
  const common = { port, holds, shuttle, rail };
  if (draws.chance(0.05)) return { ...common, releases: [], readyMs };
  const first: Release = { atMs: early ?? readyMs, fromMs: early ?? readyMs, untilMs: NEVER, number: 0 };
  const changes = draws.fraction();
  const changedMs = Math.max(readyMs, reportedMs) + randomDurationMs(draws, APART_HOURS, APART_HOURS + 12);
  const againMs = changedMs + randomDurationMs(draws, APART_HOURS, 60);
  if (changes < 0.05 && inland === null) {
    return {
      ...common,
      holds: [...holds, { fromMs: changedMs, untilMs: againMs }],
      releases: [first],
      readyMs: againMs,
    };
  }
  if (changes < 0.1) {
    const withdrawn = { ...first, untilMs: changedMs };
    const again = { ...first, fromMs: againMs };
    const other = { atMs: againMs, fromMs: againMs, untilMs: NEVER, number: 1 };
    return {
      ...common,
      releases: [withdrawn, draws.chance(0.5) ? again : other],
      readyMs: againMs,
    };
  }
  return { ...common, releases: [first], readyMs };
}

/** From what happens to its report. */
function reportMsMax({ lagHoursMax, lateShare }: ReportingQuality): number {
  return (lagHoursMax + (lateShare > 0 ? LATE_HOURS_MAX : 0)) * HOUR_MS;
}

/** Dates alone tell what follows each other by more than a day. */
const APART_HOURS = 26;

/** Null: the passage is too short for it. */
function releasedAtSea(draws: SeededRandom, { sailed }: SailedLeg): number | null {
  const fromMs = sailed.departedMs + 30 * HOUR_MS;
  const untilMs = sailed.arrivedMs - 30 * HOUR_MS;
  return fromMs < untilMs ? fromMs + randomDurationMs(draws, 0, (untilMs - fromMs) / HOUR_MS) : null;
}

function railTo(draws: SeededRandom, to: PlaceCode, freeMs: number): NonNullable<Ashore["rail"]> {
  const outMs = freeMs + randomDurationMs(draws, 20, 70);
  const departedMs = outMs + randomDurationMs(draws, 1, 4);
  const arrivedMs = departedMs + randomDurationMs(draws, 20, 80);
  return { to, outMs, departedMs, arrivedMs, dischargedMs: arrivedMs + randomDurationMs(draws, 1, 5) };
}
