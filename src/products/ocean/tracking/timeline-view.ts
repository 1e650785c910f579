import { portOf } from "../../../freight/places/ports.ts";
import type { CarrierEvent, Place } from "../sources/carrier-event.ts";
import { companionTimesAt } from "../timeline/companion-times.ts";
import type { EventView, PlaceView } from "./container-schema.ts";
import { eventName } from "./event-name.ts";

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
