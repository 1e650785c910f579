import type { EventType, Product } from "../../model/product.ts";
import {
  ApiChangeData,
  EtaChangedData,
  MisroutedData,
  ScheduleDisruptionData,
  ShipmentUpdatedData,
  StatusData,
} from "./event-data.ts";

/**
 * (spec 6.2: container_arrived, container_available, container_delivered, customs_hold, vessel_departed, eta_changed,
 * container_misrouted, demurrage_started, demurrage_warning, schedule_disruption, api_change_announced,
 * shipment_updated)
 */
const catalogue: readonly EventType[] = [
  event(
    "container_arrived",
    StatusData,
    "The box is arriving: its estimated arrival at the destination port is under 48 hours away.",
  ),
  event("container_available", StatusData, "The box is discharged and ready for pickup at the terminal."),
  event("container_delivered", StatusData, "The laden box was handed to the consignee."),
  event("customs_hold", StatusData, "The box was put on customs hold at its destination."),
  event(
    "vessel_departed",
    StatusData,
    "The vessel set out on a sailing leg: from the origin, or onward after a transshipment.",
  ),
  event(
    "eta_changed",
    EtaChangedData,
    "The carrier moved the ETA by 24 hours or more; at most once per box per day.",
  ),
  event(
    "container_misrouted",
    MisroutedData,
    "The laden box was discharged at a port that is not on its route.",
  ),
  event(
    "demurrage_started",
    StatusData,
    "Free time ran out. Only for accounts with demurrage alerting armed.",
  ),
  event(
    "demurrage_warning",
    StatusData,
    "The last free day is three days away or less, by the calendar of the port. Only for accounts with demurrage alerting armed.",
  ),
  event(
    "schedule_disruption",
    ScheduleDisruptionData,
    "The matched sailing slipped badly or did not depart; once per disruption per box.",
  ),
  event(
    "api_change_announced",
    ApiChangeData,
    "A change of the API was announced ahead of its effective date.",
  ),
  {
    ...event(
      "shipment_updated",
      ShipmentUpdatedData,
      "Fresh carrier data changed the shipment in a way that the status events do not name; read it again. Received with an empty subscription only.",
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
  catalogue,
};

function event(name: string, data: EventType["data"], description: string): EventType {
  return { name, description, subscribable: true, raised: true, data };
}
