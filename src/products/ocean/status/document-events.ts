/** What the carrier's papers, and customs, make of a box's voyage. */
import type { CarrierEvent } from "../sources/carrier-event.ts";
import type { Journey } from "./position.ts";

/** Codes by which a booking ends, of DCSA 2.2 and 3.0. */
const CANCELLING: ReadonlySet<string> = new Set(["VOID", "CANC", "CACF", "REJE", "DECL"]);
/** Codes by which one that was called off lives again. */
const REINSTATING: ReadonlySet<string> = new Set(["CONF", "APPR", "RECE", "REQS", "SUBM"]);

/** The voyage after a paper; the release is left for the caller to weigh. */
export function afterDocument(before: Journey, event: CarrierEvent): Journey {
  switch (event.documentType) {
    case "CUS":
      if (event.code === "HOLD") return putOnHold(before, event);
      return event.code === "RELS" || event.code === "VOID" ? cleared(before) : before;
    // The shipment release message is the carrier's word that the cargo may be picked up.
    case "SRM":
      if (event.code === "RELS") return { ...before, released: true };
      return event.code === "HOLD" || event.code === "VOID" ? unreleased(before) : before;
    case "BKG":
    case "CBR":
      if (CANCELLING.has(event.code)) return { ...before, cancelled: before.position === "origin" };
      return REINSTATING.has(event.code) ? { ...before, cancelled: false } : before;
    default:
      return before;
  }
}

/** Customs' own events of DCSA 3.0, on the box and not on a paper; null: it is none. */
export function afterCustoms(before: Journey, event: CarrierEvent): Journey | null {
  switch (event.code) {
    case "CUSI":
    case "CUSS":
      return putOnHold(before, event);
    case "CUSR":
      return cleared(before);
    default:
      return null;
  }
}

function putOnHold(before: Journey, event: CarrierEvent): Journey {
  return { ...before, hold: event };
}

function cleared(before: Journey): Journey {
  return before.hold === null ? before : { ...before, hold: null };
}

function unreleased(before: Journey): Journey {
  const where = before.position === "available" ? "discharged" : before.position;
  return { ...before, position: where, released: false };
}
