/** Trips of a box before the consignment's and after it, which some lines show in one answer. */
import { randomDurationMs, type SeededRandom } from "../world/seeded-random.ts";
import type { PlaceCode } from "../world/places.ts";
import { DAY_MS, HOUR_MS } from "../world/durations.ts";
import type { Step } from "./fact.ts";
import type { Leg } from "./leg.ts";
import type { ReportingContext } from "./reporting-context.ts";
import { addFact } from "./statement.ts";

const FROM: readonly PlaceCode[] = ["LKCMB", "AEJEA", "USSAV", "IDJKT"];

/** `endedMs`: when the end of the consignment's trip was reported, null: it has none. */
export function reportOtherTrips(
  context: ReportingContext,
  draws: SeededRandom,
  endedMs: number | null,
): void {
  const { journey } = context;
  const port = (journey.legs[0] as Leg).from;
  let untilMs = journey.bookedMs - randomDurationMs(draws, 2 * 24, 25 * 24);
  const before = draws.integer(0, 2);
  for (let trip = -1; trip >= -before; trip -= 1) {
    const fromMs = reportTrip({ ...context, trip }, draws, port, untilMs);
    untilMs = fromMs - randomDurationMs(draws, 3 * 24, 30 * 24);
  }
  if (endedMs === null || !draws.chance(0.5)) return;
  const after = journey.ashore?.rail?.to ?? journey.ashore?.port ?? port;
  const lengthMs = 60 * DAY_MS;
  reportTrip({ ...context, trip: 1 }, draws, after, endedMs + lengthMs + randomDurationMs(draws, 24, 480));
}

/** A trip to `port` whose empty box is back at `untilMs`; it takes less than sixty days. Returns when it began. */
function reportTrip(
  context: ReportingContext,
  draws: SeededRandom,
  port: PlaceCode,
  untilMs: number,
): number {
  const from = draws.pick(FROM);
  const vessel = { name: "SLATE AVOCET", imo: `1990${100 + draws.integer(0, 99)}` };
  const voyage = `${draws.integer(100, 899)}E`;
  const sea = { leg: 0, vessel, voyage };
  const backMs = untilMs;
  const outMs = backMs - randomDurationMs(draws, 20, 140);
  const dischargedMs = outMs - randomDurationMs(draws, 30, 150);
  const arrivedMs = dischargedMs - randomDurationMs(draws, 4, 12);
  const departedMs = arrivedMs - randomDurationMs(draws, 9 * 24, 25 * 24);
  const loadedMs = departedMs - randomDurationMs(draws, 3, 12);
  const inMs = loadedMs - randomDurationMs(draws, 12, 60);
  const pickedUpMs = inMs - randomDurationMs(draws, 12, 60);
  const tell = (step: Step, order: number, atMs: number, place: PlaceCode | null, aboard = {}): void =>
    addFact(context, { step, order, atMs, place, ...aboard }, atMs + randomDurationMs(draws, 0, 2));
  addFact(
    { ...context, box: null },
    { step: "booked", order: 0, atMs: pickedUpMs - 2 * DAY_MS, place: null },
    pickedUpMs - 2 * DAY_MS + HOUR_MS,
  );
  tell("pick_up", 2, pickedUpMs, from);
  tell("gate_in", 3, inMs, from);
  tell("load", 1_010, loadedMs, from, sea);
  tell("departure", 1_020, departedMs, from, sea);
  tell("arrival", 1_061, arrivedMs, port, sea);
  tell("discharge", 1_070, dischargedMs, port, sea);
  tell("gate_out", 100_030, outMs, port);
  tell("empty_return", 100_040, backMs, port);
  return pickedUpMs - 2 * DAY_MS;
}
