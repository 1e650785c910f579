/** Boxes that a barge, a train or a truck takes to another terminal of their last port, to be fetched there. */
import { HOUR_MS } from "../world/durations.ts";
import { randomDurationMs, type SeededRandom } from "../world/seeded-random.ts";
import type { ReportingQuality } from "./reporting-quality.ts";

export type Shuttle = {
  readonly by: "barge" | "train" | "truck";
  readonly outMs: number;
  readonly inMs: number;
};

const SHUTTLED_SHARE = 0.12;
/** Dates alone tell what follows each other by more than a day; corrected times move by three hours. */
const APART_HOURS = 26;
const APART_HOURS_MIN = 5;

/** Null: the box is fetched where it was discharged. A truck is taken for the consignee's only after `fromMs`. */
export function shuttleOf(
  draws: SeededRandom,
  dischargedMs: number,
  { datesOnly }: ReportingQuality,
  fromMs: number,
): Shuttle | null {
  if (!draws.chance(SHUTTLED_SHARE)) return null;
  const leastHours = datesOnly ? APART_HOURS : APART_HOURS_MIN;
  const outMs = dischargedMs + randomDurationMs(draws, leastHours, leastHours + 40);
  const inMs = outMs + randomDurationMs(draws, leastHours, leastHours + 24);
  const by = draws.pick(["barge", "train", "truck"] as const);
  return { by: by === "truck" && outMs <= fromMs ? "barge" : by, outMs, inMs };
}

/** When it can be fetched at the other terminal, at the earliest. */
export function backMs({ inMs }: Shuttle, { datesOnly }: ReportingQuality): number {
  return inMs + (datesOnly ? APART_HOURS : APART_HOURS_MIN) * HOUR_MS;
}
