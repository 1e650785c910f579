/** What happened to a box, and where, as clients see it (spec 2.3). */
import type { Mode } from "../../../freight/dcsa/spelling.ts";
import { portOf } from "../../../freight/places/ports.ts";
import type { CarrierEvent, Place, Vessel } from "../sources/carrier-event.ts";
import { companionTimesAt } from "../events/draft.ts";
import { eventName } from "./event-name.ts";

export type PlaceView = {
  readonly unlocode: string | null;
  /** As the carrier writes it, else as the table of ports does. */
  readonly name: string | null;
  /** The terminal's or depot's code, as the carrier writes it. */
  readonly facility: string | null;
  /** IANA. */
  readonly time_zone: string | null;
};

export type EventView = {
  /** The container it concerns; null for all of the shipment. */
  readonly equipment_reference: string | null;
  readonly kind: CarrierEvent["kind"];
  readonly code: string;
  readonly name: string;
  readonly classifier: CarrierEvent["classifier"];
  readonly event_date_time: string;
  readonly event_local_datetime: string;
  readonly utc_offset_minutes?: number;
  readonly event_timezone?: string;
  readonly place: PlaceView | null;
  readonly mode: Mode | null;
  readonly vessel: Vessel | null;
  readonly voyage: string | null;
  readonly laden: boolean | null;
  readonly document_type: string | null;
};

export function placeView(place: Place | null): PlaceView | null {
  if (place === null) return null;
  const { unlocode, name, facility } = place;
  const port = unlocode === null ? null : portOf(unlocode);
  return { unlocode, name: name ?? port?.name ?? null, facility, time_zone: port?.timeZone ?? null };
}

export function eventView(event: CarrierEvent): EventView {
  return {
    equipment_reference: event.equipment,
    kind: event.kind,
    code: event.code,
    name: eventName(event),
    classifier: event.classifier,
    ...companionTimesAt(event.at, event.place),
    place: placeView(event.place),
    mode: event.mode,
    vessel: event.vessel,
    voyage: event.voyage,
    laden: event.laden,
    document_type: event.documentType,
  };
}
