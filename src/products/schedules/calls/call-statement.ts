// What a feed says of a call of a vessel at a port: the one shape that every kind of schedule becomes.

/** An instant, and how far the port's own clock was from UTC when the feed named it; null when it did not say. */
export type CallTime = { readonly ms: number; readonly offsetMinutes: number | null };

/** The three classes of a time (DCSA eventClassifierCode PLN, EST and ACT). */
export type CallTimes = {
  readonly planned: CallTime | null;
  readonly estimated: CallTime | null;
  readonly actual: CallTime | null;
};

/** The status codes of a transport call (OVS 3.0.2). */
export const CALL_STATUSES = [
  "OMIT",
  "BLNK",
  "ADHO",
  "PHOT",
  "PHIN",
  "ROTC",
  "SLID",
  "CUTR",
  "DRYD",
  "BUNK",
  "OOSV",
] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

/** The latest time for something before the vessel sails; `code` as in cutOffDateTimeCode of CS 1.0 (DCO, VCO, FCO …). */
export type CutOff = { readonly code: string; readonly at: CallTime };

/** What a feed says of one call of a vessel at a port on a voyage of a carrier's service. */
export type CallStatement = {
  /** SCAC. */
  readonly carrier: string;
  readonly service: {
    readonly code: string | null;
    readonly name: string | null;
    /** The universal service reference, `SR12345A`. */
    readonly universal: string | null;
  };
  readonly vessel: { readonly imo: string | null; readonly name: string | null; readonly isDummy: boolean };
  /** The carrier's own numbers, never the universal references. */
  readonly voyage: { readonly import: string | null; readonly export: string | null };
  /** UN/LOCODE. */
  readonly port: string;
  readonly portName: string | null;
  /** SMDG facility code. */
  readonly terminal: string | null;
  /** transportCallReference. */
  readonly reference: string | null;
  readonly status: CallStatus | null;
  readonly arrival: CallTimes;
  readonly departure: CallTimes;
  /** Null when the answer does not say; empty when it says that there are none. */
  readonly cutOffs: readonly CutOff[] | null;
  readonly delayReason: string | null;
  readonly remark: string | null;
};

/**
 * What a feed told at one time. With `complete`, the fetch was read to its end, and a call of that scope which was
 * not in it is gone.
 */
export type FeedUpdate = {
  readonly feed: string;
  readonly atMs: number;
  readonly calls: readonly CallStatement[];
  readonly complete: CompleteScope | null;
};

/**
 * The calls a complete fetch was about: of this carrier, of this service and port unless null, within this time.
 * With a horizon, what lies towards it may be missing for that reason alone (producers/schedules/missing.ts).
 */
export type CompleteScope = {
  readonly carrier: string;
  readonly service: string | null;
  readonly port: string | null;
  readonly fromMs: number;
  readonly toMs: number;
  /** Later than `toMs`, unless little was told. */
  readonly horizonMs?: number;
};
