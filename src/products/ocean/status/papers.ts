/** What the carrier's papers, and customs, make of a box's voyage. */
import type { CarrierEvent } from "../sources/carrier-event.ts";
import type { Voyage } from "./whereabouts.ts";

/** Codes by which a booking ends, of DCSA 2.2 and 3.0. */
const CALLED_OFF: ReadonlySet<string> = new Set(["VOID", "CANC", "CACF", "REJE", "DECL"]);
/** Codes by which one that was called off lives again. */
const TAKEN_UP: ReadonlySet<string> = new Set(["CONF", "APPR", "RECE", "REQS", "SUBM"]);

/** The voyage after a paper; the release is left for the caller to weigh. */
export function afterPaper(before: Voyage, event: CarrierEvent): Voyage {
  switch (event.documentType) {
    case "CUS":
      if (event.code === "HOLD") return held(before, event);
      return event.code === "RELS" || event.code === "VOID" ? cleared(before) : before;
    // The shipment release message is the carrier's word that the cargo may be picked up.
    case "SRM":
      if (event.code === "RELS") return { ...before, released: true };
      return event.code === "HOLD" || event.code === "VOID" ? unreleased(before) : before;
    case "BKG":
    case "CBR":
      if (CALLED_OFF.has(event.code)) return { ...before, cancelled: before.where === "origin" };
      return TAKEN_UP.has(event.code) ? { ...before, cancelled: false } : before;
    default:
      return before;
  }
}

/** Customs' own events of DCSA 3.0, on the box and not on a paper; null: it is none. */
export function afterCustoms(before: Voyage, event: CarrierEvent): Voyage | null {
  switch (event.code) {
    case "CUSI":
    case "CUSS":
      return held(before, event);
    case "CUSR":
      return cleared(before);
    default:
      return null;
  }
}

function held(before: Voyage, event: CarrierEvent): Voyage {
  return { ...before, hold: event };
}

function cleared(before: Voyage): Voyage {
  return before.hold === null ? before : { ...before, hold: null };
}

function unreleased(before: Voyage): Voyage {
  const where = before.where === "available" ? "discharged" : before.where;
  return { ...before, where, released: false };
}
