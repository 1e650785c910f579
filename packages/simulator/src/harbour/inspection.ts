/** Boxes that a truck takes to an inspection and back into their last port before it is reported. */
import { HOUR_MS } from "../world/durations.ts";
import { randomDurationMs, type SeededRandom } from "../world/seeded-random.ts";
import { orderOf, type ReportingContext } from "./reporting-context.ts";
import { addFact } from "./statement.ts";

/** Once the discharge has been said, and before the box is released. */
export function reportInspection(context: ReportingContext, draws: SeededRandom): void {
  const { journey, facts, quality } = context;
  const leg = journey.legs.findLast(({ sailed }) => sailed !== null);
  if (leg === undefined || journey.ashore === null || journey.ashore.rail !== null) return;
  if (journey.ashore.shuttle !== null) return;
  if (!draws.chance(quality.inspectedShare)) return;
  const ended = facts.find(({ step, box }) => step === "gate_out" && box === context.box);
  const landed = facts.findLast(
    ({ step, box, classifier }) => step === "discharge" && box === context.box && classifier === "actual",
  );
  if (ended === undefined || landed === undefined) return;
  const outMs = Math.max(landed.fromMs, landed.atMs) + randomDurationMs(draws, 1, 3);
  const inMs = outMs + randomDurationMs(draws, 1, 6);
  const released = journey.ashore.releases.map(({ fromMs }) => fromMs);
  if (inMs + HOUR_MS > Math.min(ended.fromMs, ended.atMs, ...released)) return;
  const at = { leg: leg.key, place: journey.ashore.port };
  addFact(context, { ...at, step: "truck_out", order: orderOf(leg) + 71, atMs: outMs }, inMs);
  addFact(context, { ...at, step: "truck_in", order: orderOf(leg) + 72, atMs: inMs }, inMs);
}
