/** Who tells of a journey: what the parts of its telling share. */
import type { Draws } from "../world/chance.ts";
import type { Fact } from "./fact.ts";
import type { Journey } from "./journey.ts";
import type { Line, Telling } from "./lines.ts";

export type Teller = {
  readonly facts: Fact[];
  readonly telling: Telling;
  readonly draws: Draws;
  /** The box that is told of; null: all of the consignment. */
  readonly box: number | null;
  readonly journey: Journey;
  readonly line: Line;
};

/** Orders of a leg begin at a hundred times its key; those ashore come after all of them. */
export const AFTER_SEA = 100_000;
