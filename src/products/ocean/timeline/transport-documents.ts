/** The bookings and bills of lading that a carrier's statements name: they tie statements to one cargo. */
import type { CarrierEvent } from "../sources/carrier-event.ts";

/** DCSA's types of the documents by which a shipment is tracked: booking, booking request, transport document. */
export const TRACKED_DOCUMENT_TYPES: ReadonlySet<string> = new Set(["BKG", "CBR", "TRD"]);

/** A bill of lading names a booking or two, a booking some bills. */
const SHIPMENT_DOCUMENTS_MAX = 100;

const PLAIN = /^[A-Z0-9]*$/;

/** The comparable form of a reference: upper-case letters and digits. */
export function plainReference(written: string): string {
  const plain = written.toUpperCase();
  return PLAIN.test(plain) ? plain : plain.replaceAll(/[^A-Z0-9]/g, "");
}

/** The plain references of all tracked documents that the statements name, each once. */
export function transportDocumentsOf(statements: Iterable<CarrierEvent>): readonly string[] {
  const found = new Set<string>();
  for (const { documents } of statements) {
    for (const { type, value } of documents) {
      if (TRACKED_DOCUMENT_TYPES.has(type)) found.add(plainReference(value));
    }
  }
  found.delete("");
  return [...found].toSorted().slice(0, SHIPMENT_DOCUMENTS_MAX);
}

/** The plain references of one cargo. */
export type CargoDocuments = { readonly bookings: ReadonlySet<string>; readonly bills: ReadonlySet<string> };

export const NO_DOCUMENTS: CargoDocuments = { bookings: new Set(), bills: new Set() };

/** Of one cargo; more, and each further one costs a copy of all. */
const CARGO_DOCUMENTS_MAX = 1_000;

export function withDocuments(known: CargoDocuments, { documents }: CarrierEvent): CargoDocuments {
  const bookings = documents.filter(({ type }) => type === "BKG" || type === "CBR").map(valueOf);
  const bills = documents.filter(({ type }) => type === "TRD").map(valueOf);
  const isComplete =
    bookings.every((one) => known.bookings.has(one)) && bills.every((one) => known.bills.has(one));
  if (isComplete || known.bookings.size + known.bills.size >= CARGO_DOCUMENTS_MAX) return known;
  return {
    bookings: known.bookings.union(new Set(bookings)),
    bills: known.bills.union(new Set(bills)),
  };
}

function valueOf({ value }: CarrierEvent["documents"][number]): string {
  return plainReference(value);
}

export function cargoDocumentsOf(statements: readonly CarrierEvent[]): CargoDocuments {
  return statements.reduce(withDocuments, NO_DOCUMENTS);
}

/**
 * Both name bookings and share none, though the booking of a bill may be renewed; if either names no booking, both
 * name bills of lading and share none.
 */
export function isOtherCargo(one: CargoDocuments, other: CargoDocuments): boolean {
  if (!one.bills.isDisjointFrom(other.bills)) return false;
  if (one.bookings.size > 0 && other.bookings.size > 0) return one.bookings.isDisjointFrom(other.bookings);
  return one.bills.size > 0 && other.bills.size > 0;
}

export function sharesDocument(event: CarrierEvent, cargo: CargoDocuments): boolean {
  const { bookings, bills } = withDocuments(NO_DOCUMENTS, event);
  return !bookings.isDisjointFrom(cargo.bookings) || !bills.isDisjointFrom(cargo.bills);
}
