/**
 * What is known of a shipment, as it is stored, shown and compared with the next look: one box or all
 * boxes of a bill of lading or booking, each with a timeline of its own.
 */
import type { EventTime } from "../../../freight/places/local-time.ts";
import type { CarrierEvent, Place, Vessel } from "../sources/carrier-event.ts";
import type { Tariffs } from "../demurrage/tariff.ts";
import type { IdentifierType } from "../../../freight/references/reference.ts";
import type { ContainerStatus } from "../status/status.ts";
import type { Timeline } from "../timeline/timeline.ts";

/** All that is known of a shipment: what is stored as JSON. */
export type ShipmentRecord = {
  /** The carrier's SCAC. */
  readonly carrier: string;
  /** As the carrier knows the reference; null while it cannot be told. */
  readonly identifierType: IdentifierType | null;
  /** Of the box that is least far, as its ETA is. */
  readonly status: ContainerStatus;
  readonly eta: Eta | null;
  /** At least one, by number; one request of a bill of lading gives many. */
  readonly boxes: readonly BoxRecord[];
  /** Which of them is least far; absent on records from before it was kept. */
  readonly leastFar?: number;
  /**
   * When time alone changes something of a box next (arriving, free time, a sailing that does not
   * leave), milliseconds since the epoch; null: never.
   */
  readonly changesAtMs: number | null;
};

/** The vessel's arrival at the last port; at the inland destination while no more than that is known. */
export type Eta = {
  readonly at: EventTime;
  readonly actual: boolean;
  /** Where it arrives; absent on records from before it was kept. */
  readonly place?: Place | null;
  /** At an inland place and not at a port; absent on records from before it was kept. */
  readonly inland?: boolean;
};

export type BoxRecord = {
  /** The container's number; null while the carrier has named none. */
  readonly equipment: string | null;
  readonly status: ContainerStatus;
  readonly eta: Eta | null;
  /** Oldest first, one entry each time it changed, at most {@link ETA_HISTORY_MAX}. */
  readonly etaHistory: readonly EtaEntry[];
  readonly vessel: Vessel | null;
  readonly voyage: string | null;
  readonly origin: Place | null;
  readonly discharge: Place | null;
  readonly destination: Place | null;
  /** Planned or made, in the order of the route. */
  readonly transshipments: readonly Place[];
  readonly milestones: readonly Milestone[];
  readonly timeline: Timeline;
  /** Absent on records from before it was kept. */
  readonly announced?: Announced;
  /** What brought the box to its end value; absent or null while it has none. */
  readonly end?: TripEnd | null;
  /** See `trip.ts`. */
  readonly anchorMs: number | null;
  /** From when on the box is less than 48 hours from its destination port; see `status.ts`. */
  readonly arrivingFromMs: number | null;
  /** A laden actual discharge at a port that is neither destination nor transshipment of the route. */
  readonly misrouting: Misrouting | null;
  /** Each sailing leg: the departure first promised, as told now, and made. */
  readonly sailings: readonly Sailing[];
  readonly freeTime: FreeTime | null;
  /** What clients have been told, so that it is told once. */
  readonly told: AlreadyRaised;
};

/**
 * Where the carrier's plan had the box land, and go on to over land. Carriers take a plan out of their
 * answers once it has come true.
 */
export type Announced = { readonly port: Place | null; readonly inland: Place | null };

export const NOTHING_ANNOUNCED: Announced = { port: null, inland: null };

/** An end value stands for as long as the carrier stands by the statement that it follows from. */
export type TripEnd = { readonly status: "delivered" | "returned_empty"; readonly event: CarrierEvent };

export const ETA_HISTORY_MAX = 100;

/** Of entries from before it was kept, only when it was. */
export type EtaEntry = Pick<Eta, "at"> & Partial<Eta> & { readonly seenMs: number };

export type Misrouting = {
  readonly at: EventTime;
  readonly discharge: Place;
  /** Where the route had it discharged. */
  readonly expected: Place;
};

/** A step of the voyage that has an event of its own in the catalogue (spec 6.3). */
export type Milestone = {
  /** What makes it this one and no other of the same box, in any later record. */
  readonly key: string;
  readonly type: MilestoneType;
  readonly from: ContainerStatus;
  readonly to: ContainerStatus;
  readonly at: EventTime;
  /** Absent on records from before it was kept. */
  readonly place?: Place | null;
  /** It follows from what is told, and `at` is by when it had happened. */
  readonly implied?: true;
};

export type MilestoneType =
  | "vessel_departed"
  | "customs_hold"
  | "container_available"
  | "container_delivered";

export type Sailing = {
  /** UN/LOCODE. */
  readonly from: string;
  readonly vessel: string | null;
  readonly voyage: string | null;
  readonly promisedMs: number;
  readonly expectedMs: number;
  readonly departedMs: number | null;
};

export type FreeTime = {
  /** `YYYY-MM-DD` at the port. */
  readonly lastFreeDay: string;
  readonly source: "carrier" | "tariff";
  /** The end of that day at the port. */
  readonly endsMs: number;
  /** From when on the box is within three days of it; absent on records from before it was kept. */
  readonly warnsMs?: number;
  readonly daysOverdue: number;
  readonly accruedUsd: number | null;
};

export type AlreadyRaised = {
  /** Keys of milestones, also of such as were taken back; absent on records from before they were kept. */
  readonly milestones?: readonly string[];
  readonly arrived: boolean;
  /** Where it was told to arrive; absent on records from before it was kept. */
  readonly arrivedAt?: Place | null;
  readonly misrouted: boolean;
  /** The UTC day of the last `eta_changed`, `YYYY-MM-DD`. */
  readonly etaChangedOn: string | null;
  readonly demurrageWarning: boolean;
  readonly demurrageStarted: boolean;
  /** Dedup keys. */
  readonly disruptions: readonly string[];
};

export const NOTHING_RAISED: AlreadyRaised = {
  arrived: false,
  misrouted: false,
  etaChangedOn: null,
  demurrageWarning: false,
  demurrageStarted: false,
  disruptions: [],
};

export type Statements = {
  readonly carrier: string;
  readonly identifierType: IdentifierType | null;
  /** As it was asked for: of an answer for one container, only that container counts. */
  readonly reference?: string;
  /** A complete answer: what is no longer in it, the carrier has taken back. */
  readonly events: readonly CarrierEvent[];
  /** Last free days that the carrier states, `YYYY-MM-DD`, by container; null equipment: all of them. */
  readonly freeDays: readonly FreeDay[];
};

export type FreeDay = { readonly equipment: string | null; readonly lastFreeDay: string };

/** What a record follows from beside the carrier's statements and the time. */
export type RecordContext = {
  readonly tariffs: Tariffs;
  /** Since when demurrage alerting is armed for the shipment's account; null: it is not. */
  readonly armedFromMs: number | null;
  /** Where an AIS feed is configured: what a vessel last said of itself. `imo` is seven digits. */
  readonly vesselReportOf?: (imo: string) => VesselReport | null;
};

export type VesselReport = {
  /** The navigational status of ITU-R M.1371: 0 under way, 1 at anchor, 5 moored … */
  readonly status: number;
  readonly seenMs: number;
};
