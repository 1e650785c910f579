/**
 * The statements of imports beside those of a carrier. Neither retracts the other: a carrier's answer is complete as to
 * the carrier alone, and a source takes back what it has stated by saying so. Statements of one milestone from several
 * sources are one event of the timeline (`timeline/timeline.ts`); the latest stated counts.
 */
import { sameLineAs } from "../../../../freight/references/owner-codes.ts";
import type { IdentifierType } from "../../../../freight/references/reference.ts";
import { plainReference, transportDocumentsOf } from "../../timeline/transport-documents.ts";
import { identityKey, isCorrection } from "../../timeline/timeline.ts";
import type { ShipmentRecord } from "../../record/shipment-record.ts";
import { placeKey, type CarrierEvent, type FreeDay } from "../carrier-event.ts";

/** What was imported, as it is stored. */
export type StoredStatement = {
  readonly event: CarrierEvent;
  readonly carrier: string | null;
  readonly withdrawn: boolean;
};

export type ImportedTo = {
  readonly reference: string;
  readonly identifierType: string | null;
  /** The SCAC of the carrier that was found. */
  readonly carrier: string | null;
};

/** What imports of a shipment are stored by: its reference, and the boxes and documents that are known of it. */
export function importReferencesOf(
  { reference }: Pick<ImportedTo, "reference">,
  record: ShipmentRecord | null,
): readonly string[] {
  const boxes = record?.boxes ?? [];
  const documents = transportDocumentsOf(boxes.flatMap(({ timeline }) => timeline));
  return [...new Set([reference, ...boxes.flatMap(({ equipment }) => equipment ?? []), ...documents])];
}

/** What imports state of a shipment: what is stored, and what its record has ingested and is stored no longer. */
export function importedEvents(
  shipment: ImportedTo,
  stored: readonly StoredStatement[],
  record: ShipmentRecord | null,
): readonly CarrierEvent[] {
  const concerning = stored.filter((one) => concerns(one, shipment));
  const known = new Set(concerning.map(({ event }) => statedKey(event)));
  const before = eventsIn(record).filter(
    (event) => event.source !== undefined && !known.has(statedKey(event)),
  );
  return [...before, ...concerning.filter(({ withdrawn }) => !withdrawn).map(({ event }) => event)];
}

/** What the sources of a shipment's imports take back. */
export function withdrawnImports(
  shipment: ImportedTo,
  stored: readonly StoredStatement[],
): readonly CarrierEvent[] {
  return stored.flatMap((one) => (one.withdrawn && concerns(one, shipment) ? [one.event] : []));
}

/** With imports; of an event that both state, a carrier's statement without a time of its own is of now. */
export function withImports(
  stated: readonly CarrierEvent[],
  imported: readonly CarrierEvent[],
): readonly CarrierEvent[] {
  if (imported.length === 0) return stated;
  const fresh = Map.groupBy(
    stated.filter(({ createdAtMs }) => createdAtMs === null),
    identityKey,
  );
  const isOutdone = (event: CarrierEvent): boolean =>
    fresh.get(identityKey(event))?.some((one) => isOfSameBox(one, event) && isSameEvent(one, event)) === true;
  return [...stated, ...imported.filter((event) => !isOutdone(event))];
}

function isSameEvent(one: CarrierEvent, imported: CarrierEvent): boolean {
  if (imported.classifier === "actual") return one.classifier === "actual" && isCorrection(imported, one);
  return one.classifier !== "actual";
}

function isOfSameBox(one: CarrierEvent, other: CarrierEvent): boolean {
  return one.equipment === null || other.equipment === null || one.equipment === other.equipment;
}

/** What a record has of its carrier: stands for an answer where none comes. */
export function carrierEvents(record: ShipmentRecord | null): readonly CarrierEvent[] {
  return eventsIn(record).filter(({ source }) => source === undefined);
}

export function carrierFreeDays(record: ShipmentRecord | null): readonly FreeDay[] {
  return (record?.boxes ?? []).flatMap(({ equipment, freeTime }) =>
    freeTime?.source === "carrier" ? [{ equipment, lastFreeDay: freeTime.lastFreeDay }] : [],
  );
}

/** Events of all boxes are in the timeline of each, and meant once. */
function eventsIn(record: ShipmentRecord | null): readonly CarrierEvent[] {
  const all = (record?.boxes ?? []).flatMap(({ timeline, early = [] }) => [...timeline, ...early]);
  return [...new Map(all.map((event) => [JSON.stringify(event), event])).values()];
}

/**
 * A container's number says whose event it is; a document of the same type, or another carrier, that it is another cargo's.
 */
function concerns(
  { event: { equipment, documents }, carrier: stated }: StoredStatement,
  { reference, identifierType, carrier }: ImportedTo,
): boolean {
  if (identifierType === "container_id") return equipment === null || equipment === reference;
  const isOtherCarriers = stated !== null && carrier !== null && stated !== carrier;
  if (isOtherCarriers && !sameLineAs(stated).includes(carrier)) return false;
  const types = DOCUMENT_TYPES[identifierType as IdentifierType] ?? ["BKG", "TRD"];
  const ofType = documents.filter(({ type }) => types.includes(type));
  // Of a document of an unknown type, only a statement that names both kinds is another's.
  if (new Set(ofType.map(({ type }) => type)).size < types.length) return true;
  return ofType.some(({ value }) => {
    const plain = plainReference(value);
    return plain === reference || plain === reference.slice(4) || plain.slice(4) === reference;
  });
}

const DOCUMENT_TYPES: { readonly [type in IdentifierType]?: readonly string[] } = {
  bill_of_lading: ["TRD"],
  booking: ["BKG"],
};

/** What a source states, whatever the record makes of it. */
function statedKey({ source, kind, code, at, equipment, place, documentType }: CarrierEvent): string {
  return JSON.stringify([source, kind, code, at.ms, equipment, placeKey(place), documentType]);
}
