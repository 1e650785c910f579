/**
 * The record of a shipment, as stored, shown and compared with the next one: one box, or all boxes of a bill
 * of lading or booking, each with its own timeline. Fields that are optional only for their age are absent from
 * records that were stored before the field existed.
 */
import type { EventTime } from "../../../freight/places/local-time.ts";
import type { FindVesselReport } from "../sources/ais/ais-answer.ts";
import type { FreeDay, CarrierEvent, Place, Vessel } from "../sources/carrier-event.ts";
import type { Rate, Tariffs } from "../demurrage/tariff.ts";
import type { IdentifierType } from "../../../freight/references/reference.ts";
import type { ContainerStatus } from "../event-data.ts";
import type { Announced } from "../timeline/route.ts";
import type { Timeline } from "../timeline/timeline.ts";

/** Stored as JSON. */
export type ShipmentRecord = {
  /** An account's own credentials showed it: no lookup does. First in the JSON, by which it is found. */
  readonly isPrivate?: true;
  /** The carrier's SCAC; empty: only imports are known, and they do not say. */
  readonly carrier: string;
  /** As the carrier knows the reference; null while unknown. */
  readonly identifierType: IdentifierType | null;
  /** Status and ETA of the least advanced box. */
  readonly status: ContainerStatus;
  readonly eta: Eta | null;
  /** At least one, sorted by number. */
  readonly boxes: readonly BoxRecord[];
  /** The index of the least advanced box. */
  readonly leastFar?: number;
  /** When time alone next changes a box (arriving, free time, an overdue sailing); null: never. */
  readonly changesAtMs: number | null;
  /** The last answer was cut: more may have happened than the record shows. */
  readonly incomplete?: true;
};

/** The vessel's arrival at the last port, or the arrival at the inland destination if only that is known. */
export type Eta = {
  readonly at: EventTime;
  readonly actual: boolean;
  readonly place?: Place | null;
  /** At an inland place, not at a port. */
  readonly inland?: boolean;
};

export type BoxRecord = {
  /** The container number; null until the carrier names it. */
  readonly equipment: string | null;
  readonly status: ContainerStatus;
  readonly eta: Eta | null;
  /** Oldest first, an entry for each change, at most {@link ETA_HISTORY_MAX}. */
  readonly etaHistory: readonly EtaEntry[];
  /** Oldest first; absent from older records. */
  readonly statusHistory?: readonly StatusEntry[];
  readonly vessel: Vessel | null;
  readonly voyage: string | null;
  readonly origin: Place | null;
  readonly discharge: Place | null;
  readonly destination: Place | null;
  /** As last shown, null unless the carrier leaves it out now; absent: it leaves out neither. */
  readonly leftOut?: { readonly vessel: Vessel | null; readonly discharge: Place | null };
  /** Planned or actual, in the order of the route. */
  readonly transshipments: readonly Place[];
  readonly milestones: readonly Milestone[];
  readonly timeline: Timeline;
  /** All early events of the trip; absent: none. */
  readonly early?: readonly CarrierEvent[];
  readonly announced?: Announced;
  readonly end?: TripEnd | null;
  /** See `trip.ts`. */
  readonly anchorMs: number | null;
  /** The shipment is the trip after the one whose last move was then; absent once that trip has begun. */
  readonly afterTripMs?: number;
  /** Trips of the box that the record showed before this one; absent: none. */
  readonly trip?: number;
  /** See `StatusReading`. */
  readonly arrivingFromMs: number | null;
  readonly misrouting: Misrouting | null;
  readonly sailings: readonly Sailing[];
  readonly missedSailings?: readonly MissedSailing[];
  readonly freeTime: FreeTime | null;
  /** Already raised events, so that each is raised once. */
  readonly told: AlreadyRaised;
};

/** An end value and the statement that it follows from. */
export type TripEnd = {
  readonly status: "delivered" | "returned_empty";
  readonly event: CarrierEvent;
  /** The last answer left the statement out without a reason: the next one decides. */
  readonly doubted?: true;
};

export const ETA_HISTORY_MAX = 100;

export type EtaEntry = Pick<Eta, "at"> & Partial<Eta> & { readonly seenMs: number };

/** `atMs` is the time of the carrier's event, absent where none led to it; `seenMs` when this service learned of it. */
export type StatusEntry = {
  readonly status: ContainerStatus;
  readonly atMs?: number;
  readonly seenMs: number;
};

export type Misrouting = {
  readonly at: EventTime;
  readonly discharge: Place;
  readonly expected: Place;
};

/** A step of the journey with its own event in the catalogue. */
export type Milestone = {
  /** Identifies it among the milestones of the box, in any later record. */
  readonly key: string;
  readonly type: MilestoneType;
  readonly from: ContainerStatus;
  readonly to: ContainerStatus;
  readonly at: EventTime;
  readonly place?: Place | null;
  /** Implied by a later event: it happened by `at`. */
  readonly implied?: true;
};

export type MilestoneType =
  | "vessel_departed"
  | "customs_hold"
  | "container_available"
  | "container_delivered";

/** A sailing leg: its departure as first promised, as expected now, and as made. */
export type Sailing = {
  /** UN/LOCODE. */
  readonly from: string;
  /** The vessel's name, else its IMO number. */
  readonly vessel: string | null;
  readonly imo?: string | null;
  readonly voyage: string | null;
  readonly promisedMs: number;
  readonly expectedMs: number;
  readonly departedMs: number | null;
  /** Since when the answers leave out a departure that one had; absent: they never did. */
  readonly takenBackMs?: number;
};

/** A sailing that the box was to take and does not: see `roll-overs.ts`. */
export type MissedSailing = Pick<Sailing, "from" | "vessel" | "imo" | "voyage"> & {
  /** As last expected, or as made. */
  readonly departureMs: number | null;
  /** As first promised, should the carrier only have left the sailing out of an answer. */
  readonly promisedMs?: number;
  /** To the next sailing, as far as it was known; null: it may yet prove to be one. */
  readonly rollOver: { readonly next: NextSailing | null } | null;
  /** Of the roll-overs from there, from 1; absent of none, and from older records, where they are in order. */
  readonly nth?: number;
  /** The box is booked on another sailing that leaves within the same day. */
  readonly swapped?: true;
  /** It was taken for the departure of the box. */
  readonly departed?: true;
};

export type NextSailing = Pick<Sailing, "vessel" | "voyage" | "expectedMs">;

export type FreeTime = {
  /** `YYYY-MM-DD` at the port. */
  readonly lastFreeDay: string;
  readonly source: "carrier" | "tariff";
  /** The end of that day at the port. */
  readonly endsMs: number;
  /** The beginning of the third day before it. */
  readonly warnsMs?: number;
  readonly daysOverdue: number;
  readonly accruedUsd: number | null;
  /** What days overdue cost; absent: no tariff says, or the record is older. */
  readonly rates?: readonly Rate[];
};

/** By key; the time of a milestone as last stated, milliseconds since the epoch, null of the others. */
export type RaisedKeys = Readonly<Record<string, number | null>>;

export type AlreadyRaised = {
  /** Retracted ones included. */
  readonly keys?: RaisedKeys;
  /**
   * The ETA last raised by `eta_changed`, or first shown, for either kind of arrival; milliseconds since the epoch.
   * Absent: the last one shown.
   */
  readonly etas?: { readonly port?: number; readonly inland?: number };
  /** The UTC day of the last `eta_changed`, `YYYY-MM-DD`. */
  readonly etaChangedOn: string | null;
  /** Dedup keys. */
  readonly disruptions: readonly string[];
  readonly slips?: readonly RaisedSlip[];
} & RaisedOnceInLife;

/** In place of `keys` in records that were stored before events counted by port. */
type RaisedOnceInLife = {
  readonly milestones?: readonly string[];
  readonly arrived?: boolean;
  readonly arrivedAt?: Place | null;
  readonly misrouted?: boolean;
  readonly demurrageWarning?: boolean;
  readonly demurrageStarted?: boolean;
};

/** The latest departure of a sailing for which a slip was raised. */
export type RaisedSlip = {
  /** See `sailingKey`. */
  readonly sailing: string;
  readonly toMs: number;
  /** By the schedules, and not by the box's carrier. */
  readonly scheduled?: true;
};

export const NOTHING_RAISED: AlreadyRaised = { keys: {}, etas: {}, etaChangedOn: null, disruptions: [] };

export type Statements = {
  /** Empty: nobody knows. */
  readonly carrier: string;
  /** False: no carrier has answered, and somebody else states it. Absent: one has. */
  readonly isFound?: boolean;
  readonly identifierType: IdentifierType | null;
  /** As polled: of an answer for one container, only that container counts. */
  readonly reference?: string;
  /** Of a complete answer: the carrier has retracted what is no longer in it. */
  readonly events: readonly CarrierEvent[];
  /** What it takes back by name; absent: nothing. */
  readonly withdrawn?: readonly CarrierEvent[];
  readonly freeDays: readonly FreeDay[];
  /** Stated to an account's own credentials. */
  readonly isPrivate?: true;
  /** The answer was cut: what it leaves out still holds. */
  readonly incomplete?: true;
  /** These stand for an answer that was cut, and are all that is known of it. */
  readonly isOfIncomplete?: true;
};

/** What a record depends on besides the carrier's statements and the time. */
export type RecordContext = {
  readonly tariffs: Tariffs;
  /** When the account armed demurrage alerting; null: not armed. */
  readonly armedFromMs: number | null;
  readonly vesselReportOf?: FindVesselReport;
};
