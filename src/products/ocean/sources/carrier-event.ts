import type { Classifier, Mode } from "../../../freight/dcsa/spelling.ts";
import type { EventTime } from "../../../freight/places/local-time.ts";
import type { Point } from "../../../freight/places/known-ports.ts";
import { portOf } from "../../../freight/places/ports.ts";
import type { IdentifierType } from "../../../freight/references/reference.ts";
import type { NoAnswer } from "../../../freight/upstream/no-answer.ts";

export type CarrierEvent = {
  /** What the event is about: the box, its means of transport, or its transport documents. */
  readonly kind: "equipment" | "transport" | "shipment";
  /** DCSA's four letters: `LOAD`, `DISC`, `GTIN`, `GTOT`, `ARRI`, `DEPA`, `RELS` … */
  readonly code: string;
  readonly classifier: Classifier;
  /** Estimated here, though the carrier calls it actual: see `early-actuals.ts`. */
  readonly early?: true;
  readonly at: EventTime;
  /** When the carrier made this statement; null if unknown. */
  readonly createdAtMs: number | null;
  readonly place: Place | null;
  readonly mode: Mode | null;
  readonly vessel: Vessel | null;
  readonly voyage: string | null;
  /** The container number. */
  readonly equipment: string | null;
  /** The container's ISO 6346 size and type code, `22G1`. */
  readonly isoCode?: string | null;
  /** True laden, false empty, null unknown. */
  readonly laden: boolean | null;
  /** What the move is part of, if the carrier states it. */
  readonly movement?: Movement | null;
  /** The document that an event of kind `shipment` is about: `TRD`, `CUS`, `SRM`, `BKG` … */
  readonly documentType: string | null;
  readonly documents: readonly DocumentReference[];
  /** The import that states it; absent: the carrier does. */
  readonly source?: string;
};

export type Movement = "export" | "transshipment" | "import";

export type Place = {
  /** UN/LOCODE, five upper-case characters. */
  readonly unlocode: string | null;
  readonly name: string | null;
  /** The code of the terminal or depot, from whatever list the carrier uses. */
  readonly facility: string | null;
  /**
   * DCSA's facility type: `POTE` port terminal, `INTE` inland terminal, `DEPO` depot … At a port call
   * `BRTH` is the berth, `ANCH` the anchorage, `PBPL` the pilot boarding place: a vessel's `ARRI` and
   * `DEPA` there tell where in the port it is.
   */
  readonly facilityType: string | null;
  /** Absent with a code that the table of ports has. */
  readonly position?: Point;
};

export type Vessel = { readonly name: string | null; readonly imo: string | null };

export type DocumentReference = { readonly type: string; readonly value: string };

/** By UN/LOCODE, else by a name, else by the facility. Unknown places are never the same. */
export function samePlace(a: Place | null, b: Place | null): boolean {
  if (a === null || b === null) return false;
  if (a.unlocode !== null && b.unlocode !== null) return a.unlocode === b.unlocode;
  const [names, others] = [namesOf(a), namesOf(b)];
  if (names.length > 0 && others.length > 0) return names.some((name) => others.includes(name));
  return names.length === others.length && a.facility !== null && a.facility === b.facility;
}

/** A name that matches no UN/LOCODE's may still be the same place by another name: then nobody knows. */
export function isKnownToDiffer(a: Place | null, b: Place | null): boolean {
  if (a === null || b === null || samePlace(a, b)) return false;
  const isNamedAlike = (a.unlocode === null) === (b.unlocode === null);
  return isNamedAlike && (a.unlocode !== null || (a.name === null) === (b.name === null));
}

/** As the carrier spells it and as the table of ports does, in small letters. */
function namesOf({ unlocode, name }: Place): readonly string[] {
  const known = unlocode === null ? null : (portOf(unlocode)?.name ?? null);
  return [name, known].flatMap((one) => one?.toLowerCase() ?? []);
}

/** The UN/LOCODE, else the name, else the facility. */
export function placeKey(place: Place | null): string | null {
  return place?.unlocode ?? place?.name ?? place?.facility ?? null;
}

/** A vessel at anchor or at the pilot boarding place, not at a berth. */
export function isOffBerth({ kind, place }: CarrierEvent): boolean {
  return kind === "transport" && (place?.facilityType === "ANCH" || place?.facilityType === "PBPL");
}

/** What a poll of a carrier for a reference returns. Every outside failure is an answer too. */
export type CarrierAnswer =
  | {
      readonly kind: "events";
      readonly events: readonly CarrierEvent[];
      /** What it takes back by name; absent: nothing. */
      readonly withdrawn?: readonly CarrierEvent[];
      readonly freeDays: readonly FreeDay[];
      readonly skipped: readonly SkippedEvent[];
      /** The `Date` of the answer, milliseconds since the epoch; null without one. */
      readonly dateMs: number | null;
      /** SHA-256 over all pages and the parser's version and settings. */
      readonly digest: Buffer;
      /** It is cut: what it leaves out is not retracted. */
      readonly incomplete?: true;
    }
  /** The pages have the known digest and were not read again. */
  | { readonly kind: "unchanged"; readonly digest: Buffer; readonly dateMs: number | null }
  /** `not_found`: not yet, or it is another carrier's. `quota` and `breaker_open` count as no failure of the reference. */
  | NoAnswer
  /** Nothing was asked: the carrier wants another reference of this kind beside it, and none is known. */
  | { readonly kind: "lacking"; readonly needs: IdentifierType };

export type SkippedEvent = {
  /** Counted from 0 over all pages. */
  readonly index: number;
  readonly reason: string;
};

/** Null equipment: of all boxes. */
export type FreeDay = {
  readonly equipment: string | null;
  /** `YYYY-MM-DD` */
  readonly lastFreeDay: string;
  /** The event that it is stated on, of one trip and port; absent: of none. */
  readonly of?: Pick<CarrierEvent, "at" | "place">;
};
