/** The neutral form of what an airline says of a waybill, whichever source it came by. */
import type { LocalTime } from "../../../freight/places/local-time.ts";

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

/** Cargo-IMP's A, E and S. */
export type TimeIndicator = "actual" | "estimated" | "scheduled";

/** What an airline says happened, or will happen, to a waybill or a part of it. */
export type AirEvent = {
  readonly code: AirStatusCode;
  /** IATA airport code the event happened at. */
  readonly station: string | null;
  /** Null where the source gives no time; midnight where it gives only the day. */
  readonly at: LocalTime | null;
  readonly timeIs: TimeIndicator | null;
  /** True for what a source only announces. Cargo-IMP's status codes tell what has happened, however their time is marked. */
  readonly planned?: true;
  /** `date` is YYYY-MM-DD, of the departure, local to the airport that the flight leaves from. */
  readonly flight: { readonly carrier: string; readonly number: string; readonly date: string | null } | null;
  /** IATA airport codes of the flight's leg. */
  readonly from: string | null;
  readonly to: string | null;
  /** The flight's own times, where given. */
  readonly departure: LocalTime | null;
  readonly departureIs: TimeIndicator | null;
  readonly arrival: LocalTime | null;
  readonly arrivalIs: TimeIndicator | null;
  readonly pieces: number | null;
  readonly weightKg: number | null;
  readonly volumeM3: number | null;
  /** Cargo-IMP's 1 to 9, where it is told instead of the volume. */
  readonly densityGroup: number | null;
  /** Cargo-IMP's T, P, S and D. */
  readonly shipmentPart: "total" | "part" | "split" | "divided" | null;
  /** Of the whole shipment, where the event is of a part of it. */
  readonly totalPieces: number | null;
  /** Whom it was received from or delivered to, or who was told, as written. */
  readonly party: string | null;
  /** From one carrier's hands into another's: IATA codes, and the number of the transfer manifest. */
  readonly transfer: {
    readonly from: string | null;
    readonly to: string | null;
    readonly manifest: string | null;
  } | null;
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

/** An event of which only the code is known: what a source does not tell stays so. */
export const EMPTY_EVENT: Omit<AirEvent, "code"> = {
  station: null,
  at: null,
  timeIs: null,
  flight: null,
  from: null,
  to: null,
  departure: null,
  departureIs: null,
  arrival: null,
  arrivalIs: null,
  pieces: null,
  weightKg: null,
  volumeM3: null,
  densityGroup: null,
  shipmentPart: null,
  totalPieces: null,
  party: null,
  transfer: null,
  discrepancy: null,
  remarks: [],
  customs: [],
  ulds: [],
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
