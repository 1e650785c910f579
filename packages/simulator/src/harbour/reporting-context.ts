/** What the parts of reporting a journey share. */
import type { SeededRandom } from "../world/seeded-random.ts";
import type { Fact } from "./fact.ts";
import type { Journey } from "./journey.ts";
import type { Line, ReportingQuality } from "./lines.ts";

export type ReportingContext = {
  readonly facts: Fact[];
  readonly quality: ReportingQuality;
  readonly draws: SeededRandom;
  /** The box that is reported; null: all of the consignment. */
  readonly box: number | null;
  readonly journey: Journey;
  readonly line: Line;
};

/** Orders of a leg begin at a hundred times its key; those ashore come after all of them. */
export const AFTER_SEA = 100_000;
