/** At the destination: transport documents, customs, notices, and the deliveries that add up to the whole. */
import { randomDurationMs } from "../world/seeded-random.ts";
import { HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import { addMilestone, splitPieces, type Journey, type Lot } from "./milestone.ts";
import type { Station } from "./stations.ts";

/** What puts a time right moves it by less. */
const CORRECTION_MS_MAX = 3 * HOUR_MS;

const CONSIGNEES = ["SIMULATED CONSIGNEE", "SOUTH IMPORT", "HARBOUR STREET 5/7"];

export function deliverCargo(journey: Journey, lots: readonly Lot[]): void {
  const { waybill, draws } = journey;
  const station = waybill.route.at(-1) as Station;
  const sorted = lots.toSorted((a, b) => a.readyMs - b.readyMs);
  const first = sorted[0] as Lot;
  const party = draws.pick(CONSIGNEES);
  const whole = { station, pieces: waybill.pieces };
  addMilestone(journey, "AWR", { ...whole, atMs: first.readyMs + randomDurationMs(draws, 0, 2) });
  const clearedMs = first.readyMs + randomDurationMs(draws, -6, 30);
  addMilestone(journey, "CRC", { ...whole, atMs: clearedMs - randomDurationMs(draws, 0.5, 4) });
  addMilestone(journey, "CCD", { ...whole, atMs: clearedMs });
  const notifiedMs = first.readyMs + randomDurationMs(draws, 0.2, 10);
  addMilestone(journey, "NFD", { station, pieces: first.pieces, atMs: notifiedMs, party });
  addMilestone(journey, "AWD", { ...whole, atMs: notifiedMs + randomDurationMs(draws, 0.5, 6), party });
  const deliveries = draws.chance(0.5) ? consolidate(sorted) : sorted;
  const code = draws.chance(0.2) ? "DDL" : "DLV";
  const mixes = draws.chance(0.1);
  const lastOfSize = new Map<number, number>();
  let lastMs = Math.max(clearedMs, notifiedMs);
  for (const lot of deliveries) {
    const parts =
      lot.pieces > 1 && draws.chance(0.3)
        ? splitPieces(draws, lot.pieces, draws.integer(2, 4))
        : [lot.pieces];
    for (const pieces of parts) {
      lastMs = Math.max(lot.readyMs, lastMs + MINUTE_MS) + randomDurationMs(draws, 0.5, 20);
      // Of equal size and near each other they would look like one whose time is put right.
      const before = lastOfSize.get(pieces) ?? Number.NEGATIVE_INFINITY;
      lastMs = Math.max(lastMs, before + CORRECTION_MS_MAX);
      lastOfSize.set(pieces, lastMs);
      const handed = mixes && draws.chance(0.5) ? "DDL" : code;
      addMilestone(journey, handed, { station, pieces, atMs: lastMs, party });
    }
  }
}

/** Nothing is handed out until all of it is there. */
function consolidate(lots: readonly Lot[]): readonly Lot[] {
  const readyMs = Math.max(...lots.map((lot) => lot.readyMs));
  return [{ pieces: lots.reduce((sum, { pieces }) => sum + pieces, 0), readyMs }];
}
