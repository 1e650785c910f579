import { join } from "node:path";

import type { InWords } from "../../model/in-words.ts";
import type { JsonObject } from "../../model/json.ts";
import type { EventType, Product } from "../../model/product.ts";
import {
  ApiChangeData,
  EtaChangedData,
  MisroutedData,
  ScheduleDisruptionData,
  ShipmentUpdatedData,
  StatusData,
} from "./event-data.ts";
import {
  apiChangeInWords,
  disruptionInWords,
  etaInWords,
  misroutedInWords,
  statusInWords,
  updatedInWords,
} from "./in-words.ts";

const SHIPMENT = {
  container_id: "01a1fc9f-98f4-77f7-82bf-42bcc7b77f54",
  identifier: "MSCU1234566",
  identifier_type: "container_id",
};

/** A change of the API has none of them. */
const REFERENCES = ["identifier", "equipment_reference"];

const API_CHANGE = {
  notice_days: 30,
  id: "2026-12-identifier-type",
  type: "added",
  axis: "shape",
  title: "Events say the type of the identifier",
  detail: "identifier_type says what identifier is.",
  announced_at: "2026-12-01",
  effective_at: "2026-12-31",
  surfaces: ["webhooks"],
  endpoints: [],
  action_required: false,
  oldest_supported_version: "2026-06-01",
  latest_version: "2026-08-19",
};

const IN_WORDS = new Map<EventType["data"], InWords>([
  [StatusData, statusInWords],
  [EtaChangedData, etaInWords],
  [MisroutedData, misroutedInWords],
  [ScheduleDisruptionData, disruptionInWords],
  [ShipmentUpdatedData, updatedInWords],
  [ApiChangeData, apiChangeInWords],
]);

/** The example of an event of the status family. */
function status(previous_status: string, new_status: string, overdue: number | null = null): JsonObject {
  return {
    ...SHIPMENT,
    previous_status,
    new_status,
    eta: "2026-12-04T06:00:00Z",
    demurrage_days_overdue: overdue,
    demurrage_accrued_usd: overdue === null ? null : overdue * 75,
  };
}

/** (spec 6.2) Each event's rule is where spec 6.3 has it. */
const catalogue: readonly EventType[] = [
  event(
    "container_arrived",
    StatusData,
    "The box is arriving: its estimated arrival at the destination port is under 48 hours away.",
    status("in_transit", "arriving"),
  ),
  event(
    "container_available",
    StatusData,
    "The box is discharged and ready for pickup at the terminal.",
    status("discharged", "available"),
  ),
  event(
    "container_delivered",
    StatusData,
    "The laden box was handed to the consignee.",
    status("available", "delivered"),
  ),
  event(
    "customs_hold",
    StatusData,
    "The box was put on customs hold at its destination.",
    status("discharged", "customs_hold"),
  ),
  event(
    "vessel_departed",
    StatusData,
    "The vessel set out on a sailing leg: from the origin, or onward after a transshipment.",
    status("pre_departure", "in_transit"),
  ),
  event(
    "eta_changed",
    EtaChangedData,
    "The carrier moved the ETA by 24 hours or more; at most once per box per day.",
    { ...SHIPMENT, old_eta: "2026-12-02T06:00:00Z", new_eta: "2026-12-04T06:00:00Z", delta_hours: 48 },
  ),
  event(
    "container_misrouted",
    MisroutedData,
    "The laden box was discharged at a port that is not on its route.",
    { ...SHIPMENT, discharge_port: "DEHAM", expected_port: "NLRTM" },
  ),
  event(
    "demurrage_started",
    StatusData,
    "Free time ran out. Only for accounts with demurrage alerting armed.",
    status("available", "available", 1),
  ),
  event(
    "demurrage_warning",
    StatusData,
    "The last free day is three days away or less, by the calendar of the port. Only for accounts with demurrage alerting armed.",
    status("available", "available", 0),
  ),
  event(
    "schedule_disruption",
    ScheduleDisruptionData,
    "The matched sailing slipped badly or did not depart; once per disruption per box.",
    {
      ...SHIPMENT,
      kind: "slipped",
      dedup_key: "FE1/048W/CNSHA",
      headline: "Harbour Star leaves Shanghai two days late.",
      delay_hours: 48,
    },
  ),
  event(
    "api_change_announced",
    ApiChangeData,
    "A change of the API was announced ahead of its effective date.",
    API_CHANGE,
  ),
  {
    ...event(
      "shipment_updated",
      ShipmentUpdatedData,
      "Fresh carrier data changed the shipment in a way that the status events do not name; read it again. Received with an empty subscription only.",
      { ...SHIPMENT, changed_fields: ["vessel", "eta"] },
    ),
    subscribable: false,
  },
];

export const tracking: Product = {
  tag: "tracking",
  title: "Ocean container tracking",
  headerTag: "Tracking",
  keyPrefixes: ["tracking"],
  entitlement: null,
  envelope: "ok-and-data",
  versions: ["2026-06-01", "2026-08-19"],
  examples: join(import.meta.dirname, "examples.json"),
  catalogue,
};

function event(name: string, data: EventType["data"], description: string, example: JsonObject): EventType {
  const inWords = IN_WORDS.get(data)!;
  return {
    name,
    description,
    subscribable: true,
    raised: true,
    data,
    references: REFERENCES,
    inWords,
    example,
  };
}
