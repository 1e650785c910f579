/** Ocean container tracking (spec 6.2, 6.3, 9). */
import type { EventType, Product } from "../../model/product.ts";
import {
  ApiChangeData,
  EtaChangedData,
  MisroutedData,
  ScheduleDisruptionData,
  ShipmentUpdatedData,
  StatusData,
} from "./event-data.ts";

const catalogue: readonly EventType[] = [
  {
    name: "container_arrived",
    description: "The box is arriving: its estimated arrival at the destination port is under 48 hours away.",
    subscribable: true,
    raised: true,
    data: StatusData,
  },
  {
    name: "container_available",
    description: "The box is discharged and ready for pickup at the terminal.",
    subscribable: true,
    raised: true,
    data: StatusData,
  },
  {
    name: "container_delivered",
    description: "The laden box was handed to the consignee.",
    subscribable: true,
    raised: true,
    data: StatusData,
  },
  {
    name: "customs_hold",
    description: "The box was put on customs hold at its destination.",
    subscribable: true,
    raised: true,
    data: StatusData,
  },
  {
    name: "vessel_departed",
    description: "The vessel set out on a sailing leg: from the origin, or onward after a transshipment.",
    subscribable: true,
    raised: true,
    data: StatusData,
  },
  {
    name: "eta_changed",
    description: "The carrier moved the ETA by 24 hours or more; at most once per box per day.",
    subscribable: true,
    raised: true,
    data: EtaChangedData,
  },
  {
    name: "container_misrouted",
    description: "The laden box was discharged at a port that is not on its route.",
    subscribable: true,
    raised: true,
    data: MisroutedData,
  },
  {
    name: "demurrage_started",
    description: "Free time ran out. Only for accounts with demurrage alerting armed.",
    subscribable: true,
    raised: true,
    data: StatusData,
  },
  {
    name: "demurrage_warning",
    description:
      "The last free day is three days away or less, by the calendar of the port. Only for accounts with demurrage alerting armed.",
    subscribable: true,
    raised: true,
    data: StatusData,
  },
  {
    name: "schedule_disruption",
    description: "The matched sailing slipped badly or did not depart; once per disruption per box.",
    subscribable: true,
    raised: true,
    data: ScheduleDisruptionData,
  },
  {
    name: "api_change_announced",
    description: "A change of the API was announced ahead of its effective date.",
    subscribable: true,
    raised: true,
    data: ApiChangeData,
  },
  {
    name: "shipment_updated",
    description:
      "Fresh carrier data changed the shipment in a way that the status events do not name; read it again. " +
      "Received with an empty subscription only.",
    subscribable: false,
    raised: true,
    data: ShipmentUpdatedData,
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
