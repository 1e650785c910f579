import type { Additional, ShipmentEventTimes } from "./shape.ts";

/** The data of the schedules product's events (spec 6.2). Times are UTC instants. */
export type SchedulesEvents = {
  readonly blank_sailing: BlankSailingData;
  readonly cutoff_approaching: CutOffApproachingData;
  readonly sailing_slipped: SailingSlippedData;
  readonly reliability_drop: ReliabilityDropData;
};

/** The sailing of an event. */
type Sailing = {
  /** SCAC. */
  readonly carrier: string;
  /** The service's code, else its name; empty when unknown. */
  readonly service: string;
  readonly service_name?: string | null;
  readonly universal_service_reference?: string | null;
  /** The export voyage, else the import voyage; empty when unknown. */
  readonly voyage: string;
  readonly import_voyage?: string | null;
  readonly export_voyage?: string | null;
  readonly vessel_name?: string | null;
  readonly vessel_imo?: string | null;
};

type AtPort = {
  /** UN/LOCODE. */
  readonly port: string;
  readonly port_name?: string | null;
  /** SMDG code. */
  readonly terminal?: string | null;
  readonly transport_call_reference?: string | null;
};

type Reason = { readonly delay_reason?: string | null; readonly remark?: string | null };

export type BlankSailingData = Additional &
  Sailing &
  Partial<AtPort> &
  Reason &
  ShipmentEventTimes & {
    /** Whether the whole voyage is cancelled, or port calls of it. */
    readonly kind: "voyage" | "port_call";
    readonly reason: "blanked" | "slid" | "omitted" | "missing" | null;
    readonly status_code: "BLNK" | "SLID" | "OMIT" | null;
    /** The cancelled calls, as last expected. */
    readonly port_calls: readonly BlankedCall[];
  };

export type BlankedCall = {
  readonly port: string;
  readonly port_name?: string | null;
  readonly terminal?: string | null;
  readonly arrival: string | null;
  readonly departure: string | null;
};

export type SailingSlippedData = Additional &
  Sailing &
  AtPort &
  Reason &
  ShipmentEventTimes & {
    readonly old_departure: string;
    readonly new_departure: string;
    /** Positive means later. */
    readonly delta_hours: number;
  };

export type CutOffApproachingData = Additional &
  Sailing &
  AtPort &
  ShipmentEventTimes & {
    /** `DCO`, `VCO`, `FCO` … (cutOffDateTimeCode of DCSA). */
    readonly cut_off_code: string;
    readonly cut_off_name?: string | null;
    readonly cut_off: string;
    /** Which of the warnings this is. */
    readonly hours_before: number;
    readonly hours_left: number;
    readonly departure?: string | null;
  };

export type ReliabilityDropData = Additional & {
  /** SCAC. */
  readonly carrier: string;
  readonly service: string;
  /** `YYYY-MM-DD`, the last day of the window. */
  readonly day: string;
  readonly on_time_percent: number;
  /** The highest value since the last `reliability_drop`. */
  readonly previous_percent: number;
  readonly drop_points: number;
  readonly window_days: number;
  /** Calls with known times. */
  readonly calls: number;
  readonly calls_on_time: number;
};
