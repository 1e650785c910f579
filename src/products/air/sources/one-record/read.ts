/**
 * A ONE Record server's answer → a statement about a waybill. The answer may be a waybill, its shipment, a collection
 * of logistics events, one event, or all of them in one graph.
 */
import { stationZone } from "../../../../freight/places/stations.ts";
import type { SlicedWork } from "../../../../runtime/time-slices.ts";
import type { AirEvent, WaybillStatement } from "../../timeline/air-event.ts";
import { readLogisticsEvent } from "./event.ts";
import {
  allValuesOf,
  numberOf,
  readJsonLd,
  firstTextOf,
  plainName,
  type LinkedDocument,
  type LinkedNode,
  type LinkedValue,
} from "./json-ld.ts";
import { readWeightKg, stationOf } from "./values.ts";

export type ReadRecord = {
  readonly statement: WaybillStatement;
  readonly skipped: readonly SkippedEvent[];
  /** The answer is about other waybills only. */
  readonly isOtherWaybill: boolean;
  /** IRIs of the waybill's shipments. */
  readonly shipments: readonly string[];
  /** IRIs of linked events, and of the next page of a list. */
  readonly furtherLinks: readonly string[];
  /** IRIs of locations that the answer only links to, and whose names are no airport's. */
  readonly locations: readonly string[];
};

export type SkippedEvent = {
  /** Of the event within the answer. */
  readonly index: number;
  readonly reason: string;
};

/** Events of one waybill, over all of its flights and parts. */
const EVENTS_MAX = 1_000;

/** Null: no JSON-LD. `awb`: eleven digits. `value` may be a list of the answer and the locations that it links to. */
export function* readRecord(value: unknown, awb: string): SlicedWork<ReadRecord | null> {
  const document = yield* readJsonLd(value);
  if (document === null) return null;
  const waybills = ofType(document, "Waybill").filter((node) => firstTextOf(node, "waybillNumber") !== null);
  const waybill = waybills.find((node) => waybillNumberOf(node) === awb);
  yield;
  const shipment = ofType(document, "Shipment").find((node) => node.fields.size > 0);
  yield;
  const { events, skipped } = yield* eventsIn(document);
  yield;
  return {
    statement: {
      awb,
      origin: waybill === undefined ? null : stationOf(document, waybill, "departureLocation"),
      destination: waybill === undefined ? null : stationOf(document, waybill, "arrivalLocation"),
      pieces: shipment === undefined ? null : piecesOf(shipment),
      weightKg:
        (shipment === undefined ? null : readWeightKg(document, shipment, "totalGrossWeight")) ??
        weightOfAll(events),
      events,
    },
    skipped,
    isOtherWaybill: waybills.length > 0 && waybill === undefined,
    shipments: waybill === undefined ? [] : linksIn(allValuesOf(waybill, "shipment")),
    furtherLinks: furtherLinksOf(document),
    locations: locationsOf(document),
  };
}

/** Of the last event that is about the whole waybill. */
function weightOfAll(events: readonly AirEvent[]): number | null {
  return (
    events.findLast((event) => event.shipmentPart === "total" && event.weightKg !== null)?.weightKg ?? null
  );
}

function ofType(document: LinkedDocument, type: string): readonly LinkedNode[] {
  return document.nodes.filter(({ types }) => types.includes(type));
}

function* eventsIn(
  document: LinkedDocument,
): SlicedWork<Pick<ReadRecord, "skipped"> & { events: readonly AirEvent[] }> {
  const events: AirEvent[] = [];
  const skipped: SkippedEvent[] = [];
  const eventNodes = document.nodes.filter(isEvent);
  for (const [index, node] of eventNodes.slice(0, EVENTS_MAX).entries()) {
    yield;
    const event = readLogisticsEvent(document, node);
    if (typeof event === "string") skipped.push({ index, reason: event });
    else events.push(event);
  }
  if (eventNodes.length > EVENTS_MAX) skipped.push({ index: EVENTS_MAX, reason: "too many events" });
  return { events, skipped };
}

/** An event with fields, not a link to one. */
function isEvent({ types, fields }: LinkedNode): boolean {
  return fields.size > 0 && (isEventType(types) || (types.length === 0 && fields.has("eventCode")));
}

/** `StatusUpdateEvent` since version 3.2: a logistics event of a shipment, with quantities of its own. */
function isEventType(types: readonly string[]): boolean {
  return types.some((type) => ["LogisticsEvent", "StatusUpdateEvent", "Event"].includes(type));
}

/** Servers write both parts as text or as numbers, which lose leading zeros. */
function waybillNumberOf(node: LinkedNode): string {
  const digits = (firstTextOf(node, "waybillNumber") ?? "").replaceAll(/\D/g, "");
  const prefix = (firstTextOf(node, "waybillPrefix") ?? "").padStart(3, "0");
  return digits.length > 8 ? digits.padStart(11, "0") : prefix + digits.padStart(8, "0");
}

/** Before version 3.0 a shipment counts its pieces; since then it lists them. */
function piecesOf(shipment: LinkedNode): number | null {
  const total = numberOf(shipment, "totalPieceCount");
  const pieces = total ?? allValuesOf(shipment, "pieces", "containedPieces").length;
  return Number.isInteger(pieces) && pieces > 0 ? pieces : null;
}

/** Collections contain their items or link to them; Hydra's views link to a next page. */
function furtherLinksOf(document: LinkedDocument): readonly string[] {
  const isLink = (value: LinkedValue): boolean =>
    typeof value === "string" || (typeof value === "object" && document.resolve(value).fields.size === 0);
  const lists = document.nodes.filter(({ fields }) => fields.has("hasItem") || fields.has("next"));
  const links = lists.flatMap((list) => [
    ...linksIn(allValuesOf(list, "hasItem").filter(isLink)),
    ...linksIn(allValuesOf(list, "next")),
  ]);
  const events = document.nodes.filter((node) => isEventType(node.types) && isLink(node));
  return [...new Set([...links, ...linksIn(events)])];
}

const LOCATIONS = ["eventLocation", "recordedAtLocation", "departureLocation", "arrivalLocation"];

function locationsOf(document: LinkedDocument): readonly string[] {
  const links = document.nodes.flatMap((node) =>
    LOCATIONS.flatMap((name) =>
      allValuesOf(node, name).filter(
        (value) => typeof value === "object" && document.resolve(value).fields.size === 0,
      ),
    ),
  );
  return linksIn(links).filter((link) => stationZone(plainName(link)) === null);
}

/** IRIs, as text or of nodes. */
function linksIn(values: readonly LinkedValue[]): readonly string[] {
  const links = values.map((value) => (typeof value === "object" ? value.id : value));
  return [...new Set(links.filter((link) => typeof link === "string"))];
}
