/** An event of an air waybill, in the same form from every source. */
import type { LocalTime } from "../../../freight/places/local-time.ts";

/**
 * The status codes of Cargo-IMP and ONE Record, with their names (spec 2.6: events). We have not seen DPU, DOC,
 * FIW and FOW live.
 */
export const MILESTONES = {
  BKD: "Booked",
  DPU: "Picked up from the shipper's door",
  DOC: "Documents received by the handling party",
  FOH: "Freight on hand",
  RCS: "Received from shipper",
  RCT: "Received from other carrier",
  PRE: "Prepared for loading",
  MAN: "Manifested",
  FOW: "Out of the warehouse",
  DEP: "Departed",
  ARR: "Arrived",
  FIW: "Into the warehouse",
  RCF: "Received from flight",
  TRM: "To be transferred to other carrier",
  TFD: "Transferred to other carrier",
  NFD: "Consignee notified",
  AWR: "Documents received",
  AWD: "Documents delivered",
  CRC: "Reported to customs",
  CCD: "Cleared by customs",
  TGC: "Transferred to customs",
  DLV: "Delivered",
  DDL: "Delivered to the door",
  DIS: "Discrepancy",
} as const;

export type AirStatusCode = keyof typeof MILESTONES;

/** Cargo-IMP's A, E and S. */
export type TimeIndicator = "actual" | "estimated" | "scheduled";

/** What happened, or is planned, for a waybill or a part of it. */
export type AirEvent = {
  readonly code: AirStatusCode;
  /** IATA code of the airport, or the city, that the event happened at. */
  readonly station: string | null;
  /** Null without a time; midnight if the source gives only the day. */
  readonly at: LocalTime | null;
  readonly timeIs: TimeIndicator | null;
  /** True if the event is only announced. A Cargo-IMP status has happened, whatever its time indicator. */
  readonly planned?: true;
  /** `date`: YYYY-MM-DD of the departure, local to the departure airport. */
  readonly flight: { readonly carrier: string; readonly number: string; readonly date: string | null } | null;
  /** IATA codes of the leg. */
  readonly from: string | null;
  readonly to: string | null;
  readonly departure: LocalTime | null;
  readonly departureIs: TimeIndicator | null;
  readonly arrival: LocalTime | null;
  readonly arrivalIs: TimeIndicator | null;
  readonly pieces: number | null;
  readonly weightKg: number | null;
  readonly volumeM3: number | null;
  /** Cargo-IMP's 1 to 9, given instead of the volume. */
  readonly densityGroup: number | null;
  /** Cargo-IMP's T, P, S and D. */
  readonly shipmentPart: "total" | "part" | "split" | "divided" | null;
  /** Of the whole shipment, if the event is of a part. */
  readonly totalPieces: number | null;
  /** Who delivered or received the cargo or was notified, as written. */
  readonly party: string | null;
  /** Between carriers: IATA codes, and the number of the transfer manifest. */
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
  /** Tells parts alike apart that one message says, or that come without a time. Absent: the first, or the only one. */
  readonly copy?: string;
  /** In a statement: when its source recorded it, if that is known. */
  readonly said?: Saying;
};

/** How a record came to know an event. */
export type Saying = {
  /** When it was said first, milliseconds since the epoch; 0: before records kept it. */
  readonly ms: number;
  /** When a message, or an answer after others without it, said it last; of a booking only, which may come back after another. */
  readonly againMs?: number;
  /** The pushed messages that say it. */
  readonly messages: readonly string[];
  /** The polled sources whose last answer says it. */
  readonly answers: readonly string[];
  /** The answer that first said it beside another delivery of as many pieces, which are two even if it is not repeated. */
  readonly beside?: string;
};

/** What an event has beside its code if the source gives nothing. */
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

/** What one answer or message of a source states about one waybill. */
export type WaybillStatement = {
  /** 11 digits. */
  readonly awb: string;
  readonly origin: string | null;
  readonly destination: string | null;
  readonly pieces: number | null;
  readonly weightKg: number | null;
  readonly events: readonly AirEvent[];
  /**
   * When it was said, milliseconds since the epoch, with fractions in the order of one request. Absent in messages
   * stored before.
   */
  readonly saidMs?: number;
  /** Of a pushed message: the same for all that it says, and for no other message. */
  readonly message?: string;
  /** The polled source whose whole answer this is; absent: a message, which only adds. */
  readonly answer?: "fsr" | "one-record" | "mapped";
  /** A pushed waybill or house manifest, whose facts count though it reports no event. */
  readonly isDocument?: true;
};
