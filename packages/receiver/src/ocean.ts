import type { Additional, ShipmentEventTimes } from "./shape.ts";

/** The data of the ocean product's events (spec 2.4 and 6.5). */
export type OceanEvents = {
  readonly container_arrived: ContainerStatusData;
  readonly container_available: ContainerStatusData;
  readonly container_delivered: ContainerStatusData;
  readonly customs_hold: ContainerStatusData;
  readonly vessel_departed: ContainerStatusData;
  readonly demurrage_started: ContainerStatusData;
  readonly demurrage_warning: ContainerStatusData;
  readonly eta_changed: EtaChangedData;
  readonly container_misrouted: ContainerMisroutedData;
  readonly schedule_disruption: ScheduleDisruptionData;
  readonly shipment_updated: ShipmentUpdatedData;
  readonly api_change_announced: ApiChangeAnnouncedData;
};

export type ContainerStatus =
  | "pre_departure"
  | "in_transit"
  | "at_transshipment"
  | "at_anchor"
  | "at_berth"
  | "arriving"
  | "discharged"
  | "customs_hold"
  | "available"
  | "delivered"
  | "returned_empty"
  | "cancelled"
  | "unknown";

export type IdentifierType = "container_id" | "bill_of_lading" | "booking";

/** The shipment of an ocean event, and when the event happened. */
export type ShipmentData = Additional &
  ShipmentEventTimes & {
    /** UUID, the shipment's id in the API; not a shipping reference. */
    readonly container_id: string;
    /** The reference the shipment is tracked by. */
    readonly identifier?: string | null;
    /** Null when unknown, absent on deliveries from before 2026-08-19. */
    readonly identifier_type?: IdentifierType | null;
    /** The container's number; absent until the carrier has named it. */
    readonly equipment_reference?: string;
  };

export type ContainerStatusData = ShipmentData & {
  readonly previous_status: ContainerStatus;
  readonly new_status: ContainerStatus;
  /** UTC, as of the event. */
  readonly eta?: string | null;
  /** Null unless demurrage alerting is armed and applies. */
  readonly demurrage_days_overdue?: number | null;
  readonly demurrage_accrued_usd?: number | null;
};

export type EtaChangedData = ShipmentData & {
  readonly old_eta?: string | null;
  readonly new_eta: string | null;
  /** Signed: positive means later. */
  readonly delta_hours?: number;
};

export type ScheduleDisruptionData = ShipmentData & {
  readonly kind: "slipped" | "not_departed";
  readonly dedup_key?: string;
  /** One sentence for people. */
  readonly headline: string;
  readonly delay_hours?: number | null;
};

export type ContainerMisroutedData = ShipmentData & {
  /** UN/LOCODE of the actual discharge port. */
  readonly discharge_port?: string | null;
  /** UN/LOCODE of the expected destination. */
  readonly expected_port?: string | null;
};

/** Names what changed; read the shipment again for its state. */
export type ShipmentUpdatedData = ShipmentData & {
  readonly changed_fields: readonly ("status" | "eta" | "vessel" | "discharge" | "carrier")[];
};

export type ApiChangeAnnouncedData = Additional & {
  /** Days between `announced_at` and `effective_at`; 0 means no notice. */
  readonly notice_days: number;
  /** The id of the changelog entry; deduplicate on it. */
  readonly id?: string;
  readonly type?: "breaking" | "added" | "fixed" | "deprecated";
  readonly axis?: "shape" | "behaviour" | "platform";
  readonly title?: string;
  readonly detail?: string;
  /** `YYYY-MM-DD`. */
  readonly announced_at?: string;
  /** `YYYY-MM-DD`. */
  readonly effective_at?: string;
  readonly surfaces?: readonly string[];
  /** Path patterns. */
  readonly endpoints?: readonly string[];
  /** SCACs; absent when the change is not specific to carriers. */
  readonly carriers?: readonly string[];
  readonly parser_versions?: readonly string[];
  /** The version that introduces the change; absent when it is not versioned. */
  readonly api_version?: string;
  /** True when code or configuration must change before `effective_at`. */
  readonly action_required?: boolean;
  /** Absent when `action_required` is false. */
  readonly action_detail?: string;
  readonly oldest_supported_version?: string;
  readonly latest_version?: string;
  readonly changelog_url?: string;
  readonly versions_url?: string;
};
