/** The `data` of ocean events. */
import Type, { type Static } from "typebox";

import {
  CalendarDate,
  shipmentEventTimes,
  nullable,
  openObject,
  UnLocode,
  UtcDateTime,
} from "../../model/data-types.ts";

/** (spec 2.4: container_status) */
export const ContainerStatus = Type.Enum(
  [
    "pre_departure",
    "in_transit",
    "at_transshipment",
    "at_anchor",
    "at_berth",
    "arriving",
    "discharged",
    "customs_hold",
    "available",
    "delivered",
    "returned_empty",
    "cancelled",
    "unknown",
  ],
  { title: "ContainerStatus" },
);

export type ContainerStatus = Static<typeof ContainerStatus>;

/** (spec 2.4: identifier_types) */
const IdentifierType = Type.Enum(["container_id", "bill_of_lading", "booking"]);

/** (spec 2.4: container_id, identifier, identifier_type) */
const shipment = {
  container_id: Type.String({
    format: "uuid",
    description: "the shipment's id in this service (a UUID), not a shipping reference",
  }),
  identifier: Type.Optional(
    nullable(Type.String({ description: "the reference the shipment is tracked by" })),
  ),
  identifier_type: Type.Optional(nullable(IdentifierType)),
  equipment_reference: Type.Optional(
    Type.String({
      description:
        "the number of the container that the event is about, where the carrier has named it; the shipment may have many",
    }),
  ),
};

/** (spec 2.4: status_family, previous_status, new_status, eta, demurrage_days_overdue, demurrage_accrued_usd) */
export const StatusData = openObject("StatusData", {
  ...shipment,
  previous_status: ContainerStatus,
  new_status: ContainerStatus,
  eta: Type.Optional(nullable(UtcDateTime)),
  demurrage_days_overdue: Type.Optional(nullable(Type.Integer())),
  demurrage_accrued_usd: Type.Optional(nullable(Type.Number())),
  ...shipmentEventTimes,
});

/** (spec 2.4: eta_changed) */
export const EtaChangedData = openObject("EtaChangedData", {
  ...shipment,
  old_eta: Type.Optional(nullable(UtcDateTime)),
  new_eta: nullable(UtcDateTime),
  delta_hours: Type.Optional(Type.Number({ description: "signed; positive means later" })),
  ...shipmentEventTimes,
});

/** (spec 2.4: schedule_disruption) */
export const ScheduleDisruptionData = openObject("ScheduleDisruptionData", {
  ...shipment,
  kind: Type.Enum(["slipped", "not_departed"]),
  dedup_key: Type.Optional(Type.String()),
  headline: Type.String({ description: "one sentence for people" }),
  delay_hours: Type.Optional(nullable(Type.Number())),
  ...shipmentEventTimes,
});

/** (spec 2.4: container_misrouted) */
export const MisroutedData = openObject("MisroutedData", {
  ...shipment,
  discharge_port: Type.Optional(nullable(UnLocode)),
  expected_port: Type.Optional(nullable(UnLocode)),
  ...shipmentEventTimes,
});

/** (spec 2.4: shipment_updated) */
export const ShipmentUpdatedData = openObject("ShipmentUpdatedData", {
  ...shipment,
  changed_fields: Type.Array(Type.Enum(["status", "eta", "vessel", "discharge", "carrier"])),
  ...shipmentEventTimes,
});

/**
 * (spec 6.5: notice_days, id, type, axis, title, detail, announced_at, effective_at, surfaces, endpoints, carriers,
 * parser_versions, api_version, action_required, action_detail, oldest_supported_version, latest_version,
 * changelog_url, versions_url)
 */
export const ApiChangeData = openObject("ApiChangeData", {
  notice_days: Type.Integer({ description: "days from announced_at to effective_at; 0 means no notice" }),
  id: Type.Optional(Type.String({ description: "the changelog entry's id; deduplicate on it" })),
  type: Type.Optional(Type.Enum(["breaking", "added", "fixed", "deprecated"])),
  axis: Type.Optional(Type.Enum(["shape", "behaviour", "platform"])),
  title: Type.Optional(Type.String()),
  detail: Type.Optional(Type.String()),
  announced_at: Type.Optional(CalendarDate),
  effective_at: Type.Optional(CalendarDate),
  surfaces: Type.Optional(Type.Array(Type.String())),
  endpoints: Type.Optional(Type.Array(Type.String())),
  carriers: Type.Optional(
    Type.Array(Type.String(), { description: "SCACs; absent when not carrier-specific" }),
  ),
  parser_versions: Type.Optional(Type.Array(Type.String())),
  api_version: Type.Optional(Type.String({ description: "absent when not versioned" })),
  action_required: Type.Optional(Type.Boolean()),
  action_detail: Type.Optional(Type.String({ description: "absent when action_required is false" })),
  oldest_supported_version: Type.Optional(Type.String()),
  latest_version: Type.Optional(Type.String()),
  changelog_url: Type.Optional(Type.String()),
  versions_url: Type.Optional(Type.String()),
});
