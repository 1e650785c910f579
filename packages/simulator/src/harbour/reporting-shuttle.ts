/** What a line says of a box that goes to another terminal of its last port. */
import { MINUTE_MS } from "../world/durations.ts";
import type { Step } from "./fact.ts";
import { orderOf, type ReportingContext } from "./reporting-context.ts";
import type { Shuttle } from "./shuttle.ts";
import { reportActual } from "./statement.ts";

const STEPS: Readonly<Record<Shuttle["by"], readonly [out: Step, back: Step]>> = {
  barge: ["barge_out", "barge_in"],
  train: ["train_out", "train_in"],
  truck: ["truck_out", "truck_in"],
};

/** Returns when it was reported that the box is in again. */
export function reportShuttle(
  context: ReportingContext,
  { by, outMs, inMs }: Shuttle,
  toldMs: number,
): number {
  const { legs, ashore } = context.journey;
  const leg = legs.findLast(({ sailed }) => sailed !== null);
  if (leg === undefined || ashore === null) return toldMs;
  const [out, back] = STEPS[by];
  const at = { leg: leg.key, place: ashore.port };
  const order = orderOf(leg) + 71;
  const outToldMs = reportActual(
    context,
    { ...at, step: out, order, atMs: outMs },
    { fromMs: toldMs + MINUTE_MS },
  );
  const comesIn = { ...at, step: back, order: order + 1, atMs: inMs, elsewhere: true };
  return reportActual(context, comesIn, { fromMs: outToldMs + MINUTE_MS });
}
