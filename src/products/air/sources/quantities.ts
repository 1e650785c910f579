/** What quantities are measured in, and how much of the waybill they are. */
import type { AirEvent } from "../timeline/air-event.ts";

/** Kilograms of one unit of weight, by the codes of UN/ECE Recommendation 20 and of Cargo-IMP. */
export const KILOGRAMS_OF: Readonly<Record<string, number>> = {
  KGM: 1,
  KG: 1,
  K: 1,
  LBR: 0.45359237,
  LB: 0.45359237,
  L: 0.45359237,
  GRM: 0.001,
  TNE: 1_000,
};

export const CUBIC_METRES_OF: Readonly<Record<string, number>> = {
  MTQ: 1,
  MC: 1,
  CMQ: 1e-6,
  CC: 1e-6,
  FTQ: 0.028316846592,
  CF: 0.028316846592,
  INQ: 0.000016387064,
  CI: 0.000016387064,
};

/** Codes of Cargo-IMP, which Cargo-XML has too. M is one of multiple parts; nobody defines how they form the consignment. */
export const PARTS: Readonly<Record<string, AirEvent["shipmentPart"]>> = {
  T: "total",
  P: "part",
  S: "split",
  D: "divided",
  M: "part",
};

/** Pieces of the part that the whole message is about: 20 of `P20T30` and of `P20`. */
export function partPiecesOf(
  { shipmentPart, pieces }: Pick<AirEvent, "shipmentPart" | "pieces">,
  totalPieces: number | null,
): number | null {
  if (pieces === null || shipmentPart === null) return null;
  const isPart = totalPieces === null ? shipmentPart !== "total" : pieces < totalPieces;
  return isPart ? pieces : null;
}

/** Some airlines give the weight in a status only; the last that is about the whole waybill counts. */
export function weightOfAll(events: readonly AirEvent[]): number | null {
  const told = events.findLast(
    ({ shipmentPart, pieces, totalPieces, weightKg }) =>
      shipmentPart === "total" && pieces === totalPieces && weightKg !== null,
  );
  return told?.weightKg ?? null;
}
