/** The bookings and bills of lading that a carrier's statements name: they tie what is told to one cargo. */
import type { CarrierEvent } from "./carrier-event.ts";

/** DCSA's types of documents that a shipment is tracked by: booking, booking request, transport document. */
export const TRACKED_PAPERS: ReadonlySet<string> = new Set(["BKG", "CBR", "TRD"]);

const BOOKINGS = ["BKG", "CBR"];
const BILLS = ["TRD"];

/** Papers kept of one shipment; a bill of lading names a booking or two, a booking some bills. */
const PAPERS_MAX = 100;

/** A reference as it is compared: upper-case letters and digits. */
export function plainReference(written: string): string {
  return written.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
}

/** All that the statements name, as compared, each once. */
export function papersIn(statements: Iterable<CarrierEvent>): readonly string[] {
  const found = new Set<string>();
  for (const { documents } of statements) {
    for (const { type, value } of documents) {
      if (TRACKED_PAPERS.has(type)) found.add(plainReference(value));
    }
  }
  found.delete("");
  return [...found].toSorted().slice(0, PAPERS_MAX);
}

/**
 * Whether statements are of another cargo than others: both name bookings and none that is the same; their
 * bills of lading, where one of them names no booking.
 */
export function isOfAnotherCargo(one: readonly CarrierEvent[], other: readonly CarrierEvent[]): boolean {
  for (const types of [BOOKINGS, BILLS]) {
    const ones = namedIn(one, types);
    const others = namedIn(other, types);
    if (ones.size > 0 && others.size > 0) return ones.isDisjointFrom(others);
  }
  return false;
}

function namedIn(statements: readonly CarrierEvent[], types: readonly string[]): ReadonlySet<string> {
  return new Set(
    statements.flatMap(({ documents }) =>
      documents.flatMap(({ type, value }) => (types.includes(type) ? plainReference(value) : [])),
    ),
  );
}
