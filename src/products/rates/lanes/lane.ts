/** What a container costs on a trade lane, and its validity; also as the store has it. */
import type { LaneColumns, LaneKey, RateColumns } from "../store/rate-lanes.ts";
import type { Layer } from "./layers.ts";
import { offerColumns, offerIn, type Offer } from "./offer.ts";
import { surchargesOf, surchargesText, type Surcharge } from "./surcharges.ts";
import type { Terms } from "./terms.ts";

/**
 * Places are UN/LOCODEs; `equipment` is a size and type code of ISO 6346 or the trade's group (`22G1`, `40HC`);
 * `carrier` a SCAC, or null for the market's rate; `currency` ISO 4217.
 */
export type Lane = Omit<LaneColumns, "carrier"> & { readonly carrier: string | null };

/** A lane, and what its rates are for. At most one of its rates holds on any day. */
export type OfferedLane = Lane & Offer;

/** For one container, in minor units of the lane's currency. */
export type Price = {
  readonly base: bigint;
  /** By code. */
  readonly surcharges: readonly Surcharge[];
  /** The base rate and the surcharges for a container that it does not include, in the lane's currency. */
  readonly total: bigint;
};

/** Days are `YYYY-MM-DD`, both included. */
export type LaneRate = Price & {
  readonly lane: OfferedLane;
  readonly layer: Layer;
  readonly validFrom: string;
  /** Null: until further notice; no promotion is. */
  readonly validTo: string | null;
  readonly terms: Terms;
};

export function laneKey({ origin, destination, equipment, carrier, currency }: Lane): string {
  return [origin, destination, equipment, carrier ?? "", currency].join(" ");
}

/** `CNSHA-NLRTM 40HC HRNL USD` */
export function laneText({ origin, destination, equipment, carrier, currency }: Lane): string {
  return `${origin}-${destination} ${equipment} ${carrier ?? "market"} ${currency}`;
}

/** No field has a tab. */
export function offeredLaneKey(lane: OfferedLane): string {
  return [laneKey(lane), lane.kind ?? "", lane.contract ?? "", lane.commodity].join("\t");
}

/** In the store the market has an empty carrier. */
export function laneColumns({ origin, destination, equipment, carrier, currency }: Lane): LaneColumns {
  return { origin, destination, equipment, carrier: carrier ?? "", currency };
}

export function offeredLaneColumns(lane: OfferedLane): LaneKey {
  return { ...laneColumns(lane), ...offerColumns(lane) };
}

export function laneOf(columns: LaneKey): OfferedLane {
  const { origin, destination, equipment, carrier, currency } = columns;
  const lane = { origin, destination, equipment, carrier: carrier === "" ? null : carrier, currency };
  return { ...lane, ...offerIn(columns) };
}

/** Whole numbers as text; surcharges are JSON. */
type PriceColumns = Pick<RateColumns, "base" | "total" | "surcharges">;

export function priceColumns({ base, total, surcharges }: Price): PriceColumns {
  return { base: base.toString(), total: total.toString(), surcharges: surchargesText(surcharges) };
}

export function priceOf({ base, total, surcharges }: PriceColumns): Price {
  return { base: BigInt(base), total: BigInt(total), surcharges: surchargesOf(surcharges) };
}
