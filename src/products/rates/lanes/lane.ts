/** What a container costs on a lane, and from when to when. */

/** One lane: there is at most one rate for it on any day. */
export type Lane = {
  /** UN/LOCODE. */
  readonly origin: string;
  readonly destination: string;
  /** ISO 6346 size and type code, or the trade's group: `22G1`, `40HC`. */
  readonly equipment: string;
  /** SCAC; null: the market's rate, which is no single carrier's. */
  readonly carrier: string | null;
  /** ISO 4217. */
  readonly currency: string;
};

/** A charge for one container beside the base rate. */
export type Surcharge = {
  /** As the carrier calls it: `BAF`, `THC`, `PSS`. */
  readonly code: string;
  /** Minor units; below zero for a rebate. */
  readonly amount: bigint;
  /** Already in the base rate, and not added to the total. */
  readonly included: boolean;
};

/** What one container costs; amounts in minor units of the lane's currency. */
export type Price = {
  readonly base: bigint;
  /** By code. */
  readonly surcharges: readonly Surcharge[];
  /** The base and the surcharges that it does not include. */
  readonly total: bigint;
};

/** A rate as it is loaded; days are `YYYY-MM-DD`, both included. */
export type LaneRate = Price & {
  readonly lane: Lane;
  readonly validFrom: string;
  /** Null: until further notice. */
  readonly validTo: string | null;
};

export function totalOf(base: bigint, surcharges: readonly Surcharge[]): bigint {
  return surcharges.reduce((sum, { amount, included }) => (included ? sum : sum + amount), base);
}

/** The same text for the same lane. */
export function laneKey({ origin, destination, equipment, carrier, currency }: Lane): string {
  return [origin, destination, equipment, carrier ?? "", currency].join(" ");
}

/** As people write it: `CNSHA-NLRTM 40HC HRNL USD`. */
export function laneText({ origin, destination, equipment, carrier, currency }: Lane): string {
  return `${origin}-${destination} ${equipment} ${carrier ?? "market"} ${currency}`;
}
