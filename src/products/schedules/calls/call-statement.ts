/** What a feed says of a vessel's call at a port: the one shape that every kind of schedule is read into. */
import type { PublishedRoutings } from "./published-way.ts";

/** An instant, and the port's offset from UTC as the feed gave it; null: the feed gave none. */
export type CallTime = { readonly ms: number; readonly offsetMinutes: number | null };

/** DCSA's eventClassifierCode: PLN, EST and ACT. */
export type CallTimes = {
  readonly planned: CallTime | null;
  readonly estimated: CallTime | null;
  readonly actual: CallTime | null;
  /** Stated as actual, and too far ahead to be: it counts once its time has come. */
  readonly claimed?: CallTime | null;
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

/** The latest time for something before the vessel sails; `code` is cutOffDateTimeCode of CS 1.0 (DCO, VCO, FCO …). */
export type CutOff = { readonly code: string; readonly at: CallTime };

/** A vessel's call at a port on a voyage of a carrier's service; null: the feed does not say. */
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
  /**
   * The carrier's own numbers, never the universal references: the vessel arrives on the import voyage and leaves on
   * the export voyage.
   */
  readonly voyage: { readonly import: string | null; readonly export: string | null };
  /** UN/LOCODE. */
  readonly port: string;
  readonly portName: string | null;
  /** SMDG facility code. */
  readonly terminal: string | null;
  /** transportCallReference: it may change, and differs from feed to feed. */
  readonly reference: string | null;
  /** Null: as planned. */
  readonly status: CallStatus | null;
  readonly arrival: CallTimes;
  readonly departure: CallTimes;
  /** Each code once; empty: the feed says that there are none. */
  readonly cutOffs: readonly CutOff[] | null;
  readonly delayReason: string | null;
  readonly remark: string | null;
};

/** What a feed said at one time. `complete`: the fetch was read to its end, and what it left out of that scope is gone. */
export type FeedUpdate = {
  readonly feed: string;
  readonly atMs: number;
  readonly calls: readonly CallStatement[];
  readonly complete: CompleteScope | null;
  /** The ways by these calls that it published; absent: it is not asked for any. */
  readonly routings?: PublishedRoutings;
};

/**
 * The calls that a complete fetch covers: of this carrier, of this service, port and vessel unless null. From `fromMs`
 * to `toMs` it covers them for certain; if it was asked for more, it may leave out the others for another reason than
 * that they are gone (missing-calls.ts).
 */
export type CompleteScope = {
  readonly carrier: string;
  readonly service: string | null;
  readonly port: string | null;
  /** IMO number. Another vessel may have taken over its calls: they become uncertain, and never gone. */
  readonly vessel?: string | null;
  readonly fromMs: number;
  readonly toMs: number;
  /** Later than `toMs`, unless the fetch listed few calls: until then a call before a listed one is covered. */
  readonly horizonMs?: number;
  /** The requested time, from the fetch on; without it, from `fromMs` to `toMs`. */
  readonly asked?: { readonly fromMs: number; readonly untilMs: number };
};
