/** At the destination: transport documents, customs, notices, and the deliveries that add up to the whole. */
import { randomDurationMs, type SeededRandom } from "../world/seeded-random.ts";
import { HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import {
  addMilestone,
  splitPieces,
  type Journey,
  type Lot,
  type Milestone,
  type MilestoneFields,
} from "./milestone.ts";
import type { Station } from "./stations.ts";

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
  handOut(journey, deliveries, { station, party, notBeforeMs: Math.max(clearedMs, notifiedMs) });
}

type HandOut = { readonly station: Station; readonly party: string; readonly notBeforeMs: number };

function handOut(journey: Journey, lots: readonly Lot[], { station, party, notBeforeMs }: HandOut): void {
  const { waybill, draws } = journey;
  const code = draws.chance(0.2) ? "DDL" : "DLV";
  const mixes = draws.chance(0.16);
  const isDriven = draws.chance(0.08);
  const lastOfSize = new Map<number, number>();
  const atDoor = new Map<number, number>();
  let lastMs = notBeforeMs;
  for (const lot of lots) {
    const apartMs = lots.length === 1 ? timeBetweenHalves(draws) : null;
    const half = Math.floor(lot.pieces / 2);
    const isHalved = apartMs !== null && half > 0 && lot.pieces !== 3 * half;
    const parts = isHalved
      ? [half, half, ...(lot.pieces > 2 * half ? [lot.pieces - 2 * half] : [])]
      : partsOf(draws, lot.pieces);
    for (const [index, pieces] of parts.entries()) {
      const isSecondHalf = isHalved && index === 1;
      lastMs = Math.max(lot.readyMs, lastMs + MINUTE_MS) + randomDurationMs(draws, 0.5, 20);
      lastMs = Math.max(lastMs, (lastOfSize.get(pieces) ?? Number.NEGATIVE_INFINITY) + ALIKE_APART_MS);
      if (isSecondHalf) lastMs = lastOfSize.get(pieces)! + apartMs;
      lastOfSize.set(pieces, lastMs);
      if (isDriven && !isHalved) {
        bringToDoor(journey, { station, pieces, party, atMs: lastMs }, atDoor);
        continue;
      }
      const handed = mixes && !isHalved && draws.chance(0.5) ? "DDL" : code;
      const isWithBefore = isSecondHalf && apartMs === 0;
      const isNearAlike = isHalved && index < 2 && apartMs < ALIKE_APART_MS;
      const isSelfTotal = pieces < waybill.pieces && draws.chance(waybill.airline.selfTotalShare);
      const near = { isWithBefore, isNearAlike };
      const style = isHalved ? {} : { isSelfTotal, ...styleOf(journey, pieces) };
      addMilestone(journey, handed, { station, pieces, atMs: lastMs, party, ...near, ...style });
    }
  }
}

/** How the airline reports a part. */
function styleOf({ waybill, draws }: Journey, pieces: number): Partial<Milestone> {
  const { partInHeadShare, byPieceShare } = waybill.airline;
  const isPart = pieces < waybill.pieces;
  return {
    isPartInHead: draws.chance(partInHeadShare) && isPart,
    isByPiece: draws.chance(byPieceShare) && isPart && pieces > 1 && pieces <= 8,
  };
}

/** The airport hands them to the driver, who brings them to the door. `lastOfSize`: when he did with as many pieces. */
function bringToDoor(journey: Journey, handed: MilestoneFields, lastOfSize: Map<number, number>): void {
  addMilestone(journey, "DLV", { ...handed, party: DRIVER });
  const notBeforeMs = (lastOfSize.get(handed.pieces) ?? Number.NEGATIVE_INFINITY) + ALIKE_APART_MS;
  const atMs = Math.max(notBeforeMs, handed.atMs + randomDurationMs(journey.draws, 0.5, 20));
  lastOfSize.set(handed.pieces, atMs);
  addMilestone(journey, "DDL", { ...handed, atMs, isBroughtOn: true });
}

const DRIVER = "CITY HAULAGE";

/** Farther apart than any time is put right by, so that two parts alike are known to be two. */
const ALIKE_APART_MS = 6 * HOUR_MS;

/** On two trucks at once, or on one that comes back soon; null: the parts are what they happen to be. */
function timeBetweenHalves(draws: SeededRandom): number | null {
  if (draws.chance(0.06)) return 0;
  if (draws.chance(0.06)) return randomDurationMs(draws, 0.4, 2.5);
  return draws.chance(0.06) ? randomDurationMs(draws, 6, 30) : null;
}

function partsOf(draws: SeededRandom, pieces: number): readonly number[] {
  return pieces > 1 && draws.chance(0.3) ? splitPieces(draws, pieces, draws.integer(2, 4)) : [pieces];
}

/** Nothing is handed out until all of it is there. */
function consolidate(lots: readonly Lot[]): readonly Lot[] {
  const readyMs = Math.max(...lots.map((lot) => lot.readyMs));
  return [{ pieces: lots.reduce((sum, { pieces }) => sum + pieces, 0), readyMs }];
}
