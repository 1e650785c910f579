/** What happens to the cargo of a waybill: a part of it, at a station, at a moment. */
import type { SeededRandom } from "../world/seeded-random.ts";
import type { MilestoneCode } from "./airlines.ts";
import type { Flight } from "./flights.ts";
import type { Station } from "./stations.ts";
import type { Waybill } from "./waybill.ts";

export type Milestone = {
  readonly code: MilestoneCode;
  readonly station: Station;
  /** A whole minute. */
  readonly atMs: number;
  /** When the airline knows of it, where that is not when it happens. */
  readonly knownMs: number;
  readonly pieces: number;
  /** Of the waybill, as it is thought then. */
  readonly totalPieces: number;
  readonly totalWeightKg: number;
  /** When the airline learns that it will not come about, or never did; null: it holds. */
  readonly revokedMs: number | null;
  readonly flight: Flight | null;
  /** From one carrier into the hands of another. */
  readonly transfer: { readonly from: string; readonly to: string } | null;
  readonly discrepancy: string | null;
  readonly party: string | null;
  /** Handed out at once with another part of as many pieces: what is said of both is said together. */
  readonly isWithBefore: boolean;
  /** A booking that names the city in the place of its airport. */
  readonly isOfCity: boolean;
  /** Said with its quantity where that of the whole has its place. */
  readonly isPartInHead: boolean;
  /** Each piece is reported by itself. */
  readonly isByPiece: boolean;
  /** Said to be of no more pieces than itself. */
  readonly isSelfTotal: boolean;
  /** A departure after which the flight came back to the ramp. */
  readonly isReturned: boolean;
  /** Handed out at the airport before. */
  readonly isBroughtOn: boolean;
  /** Handed out within hours of another part of as many pieces. */
  readonly isNearAlike: boolean;
};

/** Pieces that travel together, and since when they wait for what comes next. */
export type Lot = { readonly pieces: number; readonly readyMs: number };

/** What happens to one waybill, as far as it is worked out. */
export type Journey = {
  readonly waybill: Waybill;
  readonly draws: SeededRandom;
  readonly milestones: Milestone[];
};

/** What has to be said of a happening, and what is other than with most. */
export type MilestoneFields = Partial<Milestone> & Pick<Milestone, "station" | "atMs" | "pieces">;

export function addMilestone(
  { milestones, waybill }: Journey,
  code: MilestoneCode,
  said: MilestoneFields,
): void {
  milestones.push({
    code,
    knownMs: said.atMs,
    totalPieces: waybill.pieces,
    totalWeightKg: waybill.weightKg,
    revokedMs: null,
    flight: null,
    transfer: null,
    discrepancy: null,
    party: null,
    isWithBefore: false,
    isOfCity: false,
    isPartInHead: false,
    isByPiece: false,
    isSelfTotal: false,
    isReturned: false,
    isBroughtOn: false,
    isNearAlike: false,
    ...said,
  });
}

export function isDelivery({ code }: Pick<Milestone, "code">): boolean {
  return code === "DLV" || code === "DDL";
}

/** Whole numbers above 0 that add up to `pieces`. */
export function splitPieces(draws: SeededRandom, pieces: number, parts: number): readonly number[] {
  const counts: number[] = [];
  let left = pieces;
  for (let others = Math.min(parts, pieces) - 1; others > 0; others -= 1) {
    counts.push(draws.integer(1, left - others));
    left -= counts.at(-1)!;
  }
  return [...counts, left];
}
