/** How much is measured, and for how long. */
export type Plan = {
  readonly endpoints: number;
  /** Hosts whose connections go cold in between; more than the service keeps connections. */
  readonly coldEndpoints: number;
  /** How often a figure is measured; the median counts. */
  readonly repeats: number;
  /** Measurements of one figure that may be taken again because others were busy. */
  readonly retries: number;
  /** The longer ones. */
  readonly repeatsOfLong: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly ceilingSeconds: number;
  readonly pacedSeconds: number;
  readonly pendingRows: number;
  readonly deliveredRows: number;
  readonly reads: number;
  readonly eventsPerRequest: number;
  readonly requestsOpen: number;
  readonly eventsPerPacedRequest: number;
};

export const FULL: Plan = {
  endpoints: 200,
  coldEndpoints: 5_000,
  repeats: 7,
  retries: 7,
  repeatsOfLong: 3,
  warmUpSeconds: 4,
  seconds: 5,
  ceilingSeconds: 3,
  pacedSeconds: 8,
  pendingRows: 1_000_000,
  deliveredRows: 5_000_000,
  reads: 4_000,
  eventsPerRequest: 500,
  requestsOpen: 4,
  eventsPerPacedRequest: 10,
};

/** By turns with another commit, in some three minutes. */
export const AGAINST: Plan = { ...FULL, coldEndpoints: FULL.endpoints, repeats: 8, retries: 3, seconds: 3 };

/** Says which way things go, in under three minutes; the figures of record are those of `FULL`. */
export const QUICK: Plan = {
  ...FULL,
  coldEndpoints: 3_000,
  repeats: 2,
  retries: 0,
  repeatsOfLong: 1,
  warmUpSeconds: 2,
  seconds: 3,
  ceilingSeconds: 2,
  pacedSeconds: 4,
  pendingRows: 100_000,
  deliveredRows: 250_000,
  reads: 1_000,
};
