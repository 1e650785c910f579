/** What the carrier's documents, and customs, do to a box's journey. */
import type { CarrierEvent } from "../sources/carrier-event.ts";
import type { Journey } from "./position.ts";

/** Codes of DCSA 2.2 and 3.0 that end a booking. */
const CANCELLING: ReadonlySet<string> = new Set(["VOID", "CANC", "CACF", "REJE", "DECL"]);
/** Codes that reinstate a cancelled booking. */
const REINSTATING: ReadonlySet<string> = new Set(["CONF", "APPR", "RECE", "REQS", "SUBM"]);

/** A release that names no port is given for the one where the box, or its vessel, lies; at sea for none. */
export function withReleaseOf(before: Journey, { place }: CarrierEvent): Journey {
  return { ...before, released: { place: place ?? (before.position === "sailing" ? null : before.place) } };
}

/** The journey after a document event; the caller applies the release. */
export function afterDocument(before: Journey, event: CarrierEvent): Journey {
  switch (event.documentType) {
    case "CUS":
      if (event.code === "HOLD") return { ...before, hold: event };
      return event.code === "RELS" || event.code === "VOID" ? { ...before, hold: null } : before;
    // The shipment release message: the cargo may be picked up.
    case "SRM":
      if (event.code === "RELS") return withReleaseOf(before, event);
      return event.code === "HOLD" || event.code === "VOID" ? unreleased(before) : before;
    case "BKG":
    case "CBR":
      if (CANCELLING.has(event.code)) return { ...before, cancelled: before.position === "origin" };
      return REINSTATING.has(event.code) ? { ...before, cancelled: false } : before;
    default:
      return before;
  }
}

/** DCSA 3.0 reports customs on the box, not on a document. Null: not a customs event. */
export function afterCustoms(before: Journey, event: CarrierEvent): Journey | null {
  switch (event.code) {
    case "CUSI":
    case "CUSS":
      return { ...before, hold: event };
    case "CUSR":
      return { ...before, hold: null };
    default:
      return null;
  }
}

function unreleased(before: Journey): Journey {
  const where = before.position === "available" ? "discharged" : before.position;
  return { ...before, position: where, released: null };
}
