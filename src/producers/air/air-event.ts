/** The neutral form of what an airline says of a waybill, whichever source it came by. */

export type AirStatusCode =
  | "BKD"
  | "FOH"
  | "RCS"
  | "RCT"
  | "PRE"
  | "MAN"
  | "DEP"
  | "ARR"
  | "RCF"
  | "TRM"
  | "TFD"
  | "NFD"
  | "AWR"
  | "AWD"
  | "CRC"
  | "CCD"
  | "TGC"
  | "DLV"
  | "DDL"
  | "DIS";

/** A moment as an airport's clock shows it, and the instant it is. */
export type AirTime = {
  /** Milliseconds of the Unix epoch. */
  readonly ms: number;
  /** YYYY-MM-DDTHH:mm:ss, without an offset. */
  readonly local: string;
  /** What the station's clock is ahead of UTC at that moment; null where its zone is unknown. */
  readonly offsetMinutes: number | null;
  /** IANA; null where the station's zone is unknown. */
  readonly timeZone: string | null;
};

/** What an airline says happened, or will happen, to a waybill or a part of it. */
export type AirEvent = {
  readonly code: AirStatusCode;
  /** IATA airport code the event happened at. */
  readonly station: string | null;
  /** Null where the source gives no time. */
  readonly at: AirTime | null;
  readonly timeIs: "actual" | "estimated" | "scheduled" | null;
  /** `date` is YYYY-MM-DD, local to the airport that the flight leaves from. */
  readonly flight: { readonly carrier: string; readonly number: string; readonly date: string | null } | null;
  /** IATA airport codes of the flight's leg. */
  readonly from: string | null;
  readonly to: string | null;
  /** The flight's own times, where given. */
  readonly departure: AirTime | null;
  readonly arrival: AirTime | null;
  readonly pieces: number | null;
  readonly weightKg: number | null;
  /** Cargo-IMP's T, P, S and D. */
  readonly shipmentPart: "total" | "part" | "split" | "divided" | null;
  /** Of the whole shipment, where the event is of a part of it. */
  readonly totalPieces: number | null;
  /** Whom it was received from or delivered to, or who was told, as written. */
  readonly party: string | null;
  /** Cargo-IMP's discrepancy code: MSCA, FDCA, OVCD and so on. */
  readonly discrepancy: string | null;
  /** Other service information (OSI). */
  readonly remarks: readonly string[];
  /** Customs and security information (OCI). */
  readonly customs: readonly {
    readonly country: string | null;
    readonly info: string;
    readonly control: string | null;
    readonly text: string;
  }[];
  readonly ulds: readonly string[];
};

/** What one source says of one waybill. */
export type WaybillStatement = {
  /** 11 digits. */
  readonly awb: string;
  readonly origin: string | null;
  readonly destination: string | null;
  readonly pieces: number | null;
  readonly weightKg: number | null;
  readonly events: readonly AirEvent[];
};
