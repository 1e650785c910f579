/** At the destination: papers, customs, notices, and the deliveries that add up to the whole. */
import { minutes } from "../world/chance.ts";
import { MINUTE_MS } from "../world/durations.ts";
import { happen, shares, type Journey, type Lot } from "./happening.ts";
import type { Station } from "./stations.ts";

const CONSIGNEES = ["SIMULATED CONSIGNEE", "SOUTH IMPORT", "HARBOUR STREET 5/7"];

export function handOut(journey: Journey, lots: readonly Lot[]): void {
  const { waybill, draws } = journey;
  const station = waybill.route.at(-1) as Station;
  const sorted = lots.toSorted((a, b) => a.readyMs - b.readyMs);
  const first = sorted[0] as Lot;
  const party = draws.pick(CONSIGNEES);
  const whole = { station, pieces: waybill.pieces };
  happen(journey, "AWR", { ...whole, atMs: first.readyMs + minutes(draws, 0, 2) });
  const clearedMs = first.readyMs + minutes(draws, -6, 30);
  happen(journey, "CRC", { ...whole, atMs: clearedMs - minutes(draws, 0.5, 4) });
  happen(journey, "CCD", { ...whole, atMs: clearedMs });
  const notifiedMs = first.readyMs + minutes(draws, 0.2, 10);
  happen(journey, "NFD", { station, pieces: first.pieces, atMs: notifiedMs, party });
  happen(journey, "AWD", { ...whole, atMs: notifiedMs + minutes(draws, 0.5, 6), party });
  const deliveries = draws.is(0.5) ? together(sorted) : sorted;
  const code = draws.is(0.2) ? "DDL" : "DLV";
  const mixes = draws.is(0.1);
  let lastMs = Math.max(clearedMs, notifiedMs);
  for (const lot of deliveries) {
    const parts =
      lot.pieces > 1 && draws.is(0.3) ? shares(draws, lot.pieces, draws.whole(2, 4)) : [lot.pieces];
    for (const pieces of parts) {
      // No two in one minute: of equal size they would be one told twice.
      lastMs = Math.max(lot.readyMs, lastMs + MINUTE_MS) + minutes(draws, 0.5, 20);
      const handed = mixes && draws.is(0.5) ? "DDL" : code;
      happen(journey, handed, { station, pieces, atMs: lastMs, party });
    }
  }
}

/** Nothing is handed out until all of it is there. */
function together(lots: readonly Lot[]): readonly Lot[] {
  const readyMs = Math.max(...lots.map((lot) => lot.readyMs));
  return [{ pieces: lots.reduce((sum, { pieces }) => sum + pieces, 0), readyMs }];
}
