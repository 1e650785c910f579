/** A statement → the JSON-LD of IATA's ONE Record: a waybill, its shipment, and the shipment's logistics events. */
import type { AirEvent, LocalTime, TimeIndicator, WaybillStatement } from "./air-event.ts";

const CONTEXT = {
  cargo: "https://onerecord.iata.org/ns/cargo#",
  api: "https://onerecord.iata.org/ns/api#",
};
const CODE_LISTS = "https://onerecord.iata.org/ns/code-lists";

type Node = Readonly<Record<string, unknown>>;

/** The IRIs of a waybill's logistics objects. */
export type Links = { readonly waybill: string; readonly shipment: string; readonly events: string };

export function linksOf(serverUrl: string, awb: string): Links {
  const objects = `${serverUrl}/logistics-objects`;
  const shipment = `${objects}/shipment-${awb}`;
  return { waybill: `${objects}/waybill-${awb}`, shipment, events: `${shipment}/logistics-events` };
}

export function waybillObject(links: Links, { awb, origin, destination }: WaybillStatement): Node {
  return {
    "@context": CONTEXT,
    "@id": links.waybill,
    "@type": "cargo:Waybill",
    "cargo:waybillType": { "@id": "cargo:DIRECT" },
    "cargo:waybillPrefix": awb.slice(0, 3),
    "cargo:waybillNumber": awb.slice(3),
    "cargo:departureLocation": location(origin),
    "cargo:arrivalLocation": location(destination),
    "cargo:shipment": { "@id": links.shipment, "@type": "cargo:Shipment" },
  };
}

export function shipmentObject(links: Links, { pieces, weightKg }: WaybillStatement): Node {
  return {
    "@context": CONTEXT,
    "@id": links.shipment,
    "@type": "cargo:Shipment",
    "cargo:totalPieceCount": pieces,
    "cargo:totalGrossWeight": weight(weightKg),
  };
}

/** The events, as a collection. `createdMs` are the moments at which each was recorded. */
export function eventCollection(
  links: Links,
  events: readonly AirEvent[],
  createdMs: readonly number[],
): Node {
  const items = events.flatMap((event, index) =>
    inPieces(event).map((one, piece) =>
      logisticsEvent(links, one, `${index}-${piece}`, createdMs[index] ?? 0),
    ),
  );
  return {
    "@context": CONTEXT,
    "@id": links.events,
    "@type": "api:Collection",
    "api:hasTotalItems": items.length,
    "api:hasItem": items,
  };
}

/** Each piece by itself where the server tells it so. */
function inPieces(event: AirEvent): readonly AirEvent[] {
  const { isByPiece, pieces, weightKg } = event;
  if (isByPiece !== true || pieces === null) return [event];
  return Array.from({ length: pieces }, () => ({
    ...event,
    pieces: 1,
    weightKg: weightKg === null ? null : Math.round((weightKg * 10) / pieces) / 10,
  }));
}

function logisticsEvent(links: Links, event: AirEvent, index: string, createdMs: number): Node {
  const { code, discrepancy, station, at, planned, pieces, shipmentPart, weightKg } = event;
  return {
    "@id": `${links.events}/${index}-${createdMs}`,
    "@type": "cargo:LogisticsEvent",
    "cargo:creationDate": dateTime(new Date(createdMs).toISOString()),
    ...(at === null
      ? {}
      : { "cargo:eventDate": event.isOfDay === true ? dateOf(at) : dateTime(withOffset(at)) }),
    "cargo:eventCode": {
      "@id": `${CODE_LISTS}/StatusCode#${code}${discrepancy === null ? "" : `_${discrepancy}`}`,
      "@type": "cargo:CodeListElement",
    },
    "cargo:eventTimeType": { "@id": planned === true ? "cargo:EXPECTED" : "cargo:ACTUAL" },
    "cargo:eventLocation": location(station),
    "cargo:partialEventIndicator": shipmentPart === "part",
    "cargo:recordedPieceCount": pieces,
    "cargo:recordedWeight": weight(weightKg),
    "cargo:eventFor": [
      { "@id": links.shipment, "@type": "cargo:Shipment" },
      ...(event.flight === null ? [] : [movement(event, event.flight)]),
    ],
  };
}

function movement(event: AirEvent, { carrier, number }: NonNullable<AirEvent["flight"]>): Node {
  const { from, to, departure, departureIs, arrival, arrivalIs } = event;
  return {
    "@type": "cargo:TransportMovement",
    "cargo:transportIdentifier": `${carrier}${number}`,
    "cargo:departureLocation": location(from),
    "cargo:arrivalLocation": location(to),
    "cargo:movementTimes": [
      ...movementTime(departure, departureIs, "OUTBOUND"),
      ...movementTime(arrival, arrivalIs, "INBOUND"),
    ],
  };
}

function movementTime(
  time: LocalTime | null,
  is: TimeIndicator | null,
  direction: "OUTBOUND" | "INBOUND",
): readonly Node[] {
  if (time === null) return [];
  return [
    {
      "@type": "cargo:MovementTimes",
      "cargo:direction": { "@id": `cargo:${direction}` },
      "cargo:movementTimeType": { "@id": `cargo:${(is ?? "scheduled").toUpperCase()}` },
      "cargo:movementTimestamp": dateTime(withOffset(time)),
    },
  ];
}

function location(station: string | null): Node | undefined {
  if (station === null) return undefined;
  const code = {
    "@type": "cargo:CodeListElement",
    "cargo:code": station,
    "cargo:codeListName": "IATA airport code",
  };
  return { "@type": "cargo:Location", "cargo:locationCodes": [code] };
}

function weight(kg: number | null): Node | undefined {
  if (kg === null) return undefined;
  const unit = { "@id": `${CODE_LISTS}/MeasurementUnitCode#KGM` };
  return { "@type": "cargo:Value", "cargo:numericalValue": kg, "cargo:unit": unit };
}

function dateOf({ local }: LocalTime): Node {
  return { "@type": "http://www.w3.org/2001/XMLSchema#date", "@value": local.slice(0, 10) };
}

function dateTime(value: string): Node {
  return { "@type": "http://www.w3.org/2001/XMLSchema#dateTime", "@value": value };
}

function withOffset({ local, offsetMinutes }: LocalTime): string {
  if (offsetMinutes === null) return `${local}Z`;
  const size = Math.abs(offsetMinutes);
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${local}${offsetMinutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
