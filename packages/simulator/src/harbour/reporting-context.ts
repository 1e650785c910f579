/** What the parts of reporting a journey share. */
import type { SeededRandom } from "../world/seeded-random.ts";
import type { Fact } from "./fact.ts";
import type { Journey } from "./journey.ts";
import type { Leg } from "./leg.ts";
import type { Line } from "./lines.ts";
import type { ReportingQuality } from "./reporting-quality.ts";
import type { ServiceCode } from "./services.ts";
import type { Voyage } from "./voyages.ts";

export type ReportingContext = {
  readonly facts: Fact[];
  readonly quality: ReportingQuality;
  readonly draws: SeededRandom;
  readonly trip: number;
  /** The box that is reported; null: all of the consignment. */
  readonly box: number | null;
  readonly journey: Journey;
  readonly line: Line;
  /** Legs whose departure is never reported. */
  readonly unsaid: Set<number>;
  /** The loadings of the journey are never reported, of any box and leg: a line that tells some tells them all. */
  readonly omitsLoads: boolean;
};

/** Orders of a leg begin at a hundred times its key; those ashore come after all of them. */
export const AFTER_SEA = 100_000;

export function orderOf({ key }: Leg): number {
  return 1_000 + key * 100;
}

const OVER_THE_OCEAN: ReadonlySet<ServiceCode> = new Set(["AE7", "FE2"]);

/** The voyage as the line writes it. */
export function voyageWritten({ quality, journey }: ReportingContext, voyage: Voyage): string {
  if (!quality.oneVoyageNumber || OVER_THE_OCEAN.has(voyage.service)) return voyage.name;
  const mother = journey.legs.find(({ bookings: [first] }) =>
    OVER_THE_OCEAN.has(first?.voyage.service ?? "IA4"),
  );
  return mother?.bookings[0]?.voyage.name ?? voyage.name;
}
