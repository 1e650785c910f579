/**
 * What a carrier says happened, or will happen, to a box: the neutral form that every connector turns
 * its answers into, and the only form that the rest of the ocean product knows.
 */
import type { Classifier, Mode } from "../../../freight/dcsa/spelling.ts";
import type { EventTime } from "../../../freight/places/local-time.ts";

export type CarrierEvent = {
  /** What the event is about: the box, the means of transport it travels on, or its papers. */
  readonly kind: "equipment" | "transport" | "shipment";
  /** DCSA's four letters: `LOAD`, `DISC`, `GTIN`, `GTOT`, `ARRI`, `DEPA`, `RELS` … */
  readonly code: string;
  readonly classifier: Classifier;
  readonly at: EventTime;
  /** When the carrier made this statement, null where it does not say. */
  readonly createdAtMs: number | null;
  readonly place: Place | null;
  readonly mode: Mode | null;
  /** Null where the event concerns no vessel, or the carrier does not name it. */
  readonly vessel: Vessel | null;
  readonly voyage: string | null;
  /** The container's number. */
  readonly equipment: string | null;
  /** The container's ISO 6346 size and type code, `22G1`; absent or null where the carrier does not say. */
  readonly isoCode?: string | null;
  /** True laden, false empty, null not said. */
  readonly laden: boolean | null;
  /** What the move is part of, where the carrier says so in as many words; absent or null where it does not. */
  readonly movement?: Movement | null;
  /** The paper that an event of kind `shipment` is about: `TRD`, `CUS`, `SRM`, `BKG` … */
  readonly documentType: string | null;
  /** Bookings and bills of lading that the event names. */
  readonly documents: readonly DocumentReference[];
};

export type Movement = "export" | "transshipment" | "import";

export type Place = {
  /** UN/LOCODE, five upper-case characters. */
  readonly unlocode: string | null;
  readonly name: string | null;
  /** The terminal's or depot's code, in whatever list the carrier uses. */
  readonly facility: string | null;
  /**
   * DCSA's facility type: `POTE` port terminal, `INTE` inland terminal, `DEPO` depot … At a port call
   * `BRTH` is the berth, `ANCH` the anchorage, `PBPL` the pilot boarding place: a vessel's `ARRI` and
   * `DEPA` there tell where in the port it is.
   */
  readonly facilityType: string | null;
};

export type Vessel = { readonly name: string | null; readonly imo: string | null };

export type DocumentReference = { readonly type: string; readonly value: string };

/** Whether two events happened at one place; unknown places are never the same. */
export function samePlace(a: Place | null, b: Place | null): boolean {
  if (a === null || b === null) return false;
  if (a.unlocode !== null && b.unlocode !== null) return a.unlocode === b.unlocode;
  return a.name !== null && a.name === b.name;
}

/** A vessel in the waters of a port, at anchor or where it takes its pilot, and not at a berth. */
export function isOffBerth({ kind, place }: CarrierEvent): boolean {
  return kind === "transport" && (place?.facilityType === "ANCH" || place?.facilityType === "PBPL");
}
