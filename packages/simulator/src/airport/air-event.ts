/** What an airline reports of a waybill, before a writer puts it into the form of its source. */

export type WaybillStatement = {
  /** 11 digits. */
  readonly awb: string;
  readonly origin: string | null;
  readonly destination: string | null;
  readonly pieces: number | null;
  readonly weightKg: number | null;
  readonly isInPounds?: true;
  /** True if it names the quantity of its part in the place of the whole's, and none in its status. */
  readonly isOfPart?: true;
  readonly events: readonly AirEvent[];
};

/** Codes of Cargo-IMP. Stations are IATA airport codes. */
export type AirEvent = {
  readonly code: string;
  readonly station: string | null;
  readonly at: LocalTime | null;
  /** True if only the day of `at` is said. */
  readonly isOfDay?: true;
  readonly timeIs: TimeIndicator | null;
  /** True if its quantity is not readable. */
  readonly isGarbled?: true;
  /** True if its weight is written in pounds. */
  readonly isInPounds?: true;
  /** True if each piece is reported by itself. */
  readonly isByPiece?: true;
  /** True if the event is only announced. */
  readonly planned?: true;
  /** `date`: YYYY-MM-DD of the departure, local to the departure airport. */
  readonly flight: { readonly carrier: string; readonly number: string; readonly date: string | null } | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly departure: LocalTime | null;
  readonly departureIs: TimeIndicator | null;
  readonly arrival: LocalTime | null;
  readonly arrivalIs: TimeIndicator | null;
  readonly pieces: number | null;
  readonly weightKg: number | null;
  readonly volumeM3: number | null;
  readonly densityGroup: number | null;
  readonly shipmentPart: "total" | "part" | "split" | "divided" | null;
  /** Of the whole shipment, if the event is of a part. */
  readonly totalPieces: number | null;
  readonly party: string | null;
  readonly transfer: {
    readonly from: string | null;
    readonly to: string | null;
    readonly manifest: string | null;
  } | null;
  readonly discrepancy: string | null;
  readonly remarks: readonly string[];
  readonly customs: readonly {
    readonly country: string | null;
    readonly info: string;
    readonly control: string | null;
    readonly text: string;
  }[];
  readonly ulds: readonly string[];
};

export type TimeIndicator = "actual" | "estimated" | "scheduled";

export type LocalTime = {
  /** Milliseconds since the epoch. */
  readonly ms: number;
  /** The wall clock: `2026-01-02T18:13:00`. */
  readonly local: string;
  /** Minutes to add to UTC for the wall clock; null: the wall clock is UTC. */
  readonly offsetMinutes: number | null;
  /** An IANA name. */
  readonly timeZone: string | null;
};
