/** The bookings and bills of lading that a carrier's statements name: they tie what is told to one cargo. */
import type { CarrierEvent } from "../sources/carrier-event.ts";

/** DCSA's types of documents that a shipment is tracked by: booking, booking request, transport document. */
export const TRACKED_DOCUMENT_TYPES: ReadonlySet<string> = new Set(["BKG", "CBR", "TRD"]);

/** Papers kept of one shipment; a bill of lading names a booking or two, a booking some bills. */
const SHIPMENT_DOCUMENTS_MAX = 100;

const PLAIN = /^[A-Z0-9]*$/;

/** A reference as it is compared: upper-case letters and digits. */
export function plainReference(written: string): string {
  const plain = written.toUpperCase();
  return PLAIN.test(plain) ? plain : plain.replaceAll(/[^A-Z0-9]/g, "");
}

/** All that the statements name, as compared, each once. */
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

/** What statements name of one cargo, as compared. */
export type CargoDocuments = { readonly bookings: ReadonlySet<string>; readonly bills: ReadonlySet<string> };

export const NO_DOCUMENTS: CargoDocuments = { bookings: new Set(), bills: new Set() };

/** The names, and what one more statement adds to them. */
export function withDocuments(names: CargoDocuments, { documents }: CarrierEvent): CargoDocuments {
  const bookings = documents.filter(({ type }) => type === "BKG" || type === "CBR").map(valueOf);
  const bills = documents.filter(({ type }) => type === "TRD").map(valueOf);
  const isKnown =
    bookings.every((one) => names.bookings.has(one)) && bills.every((one) => names.bills.has(one));
  if (isKnown) return names;
  return {
    bookings: names.bookings.union(new Set(bookings)),
    bills: names.bills.union(new Set(bills)),
  };
}

function valueOf({ value }: CarrierEvent["documents"][number]): string {
  return plainReference(value);
}

export function cargoDocumentsOf(statements: readonly CarrierEvent[]): CargoDocuments {
  return statements.reduce(withDocuments, NO_DOCUMENTS);
}

/**
 * Whether the one is another cargo than the other: both name bookings and none that is the same; their bills
 * of lading, where one of them names no booking.
 */
export function isOtherCargo(one: CargoDocuments, other: CargoDocuments): boolean {
  if (one.bookings.size > 0 && other.bookings.size > 0) return one.bookings.isDisjointFrom(other.bookings);
  return one.bills.size > 0 && other.bills.size > 0 && one.bills.isDisjointFrom(other.bills);
}
