/** What a carrier states, before it is written in the form of any carrier. */
import { portOf } from "../../../src/freight/places/ports.ts";
import { MINUTE_MS } from "../../../src/runtime/durations.ts";

export type Statement = {
  readonly kind: "equipment" | "transport" | "shipment";
  readonly code: string;
  readonly classifier: "actual" | "estimated" | "planned";
  readonly place: StatedPlace | null;
  /** By the clocks of the place: `2026-03-10T18:00:00`; midnight if only the day is stated. */
  readonly local: string;
  readonly vessel: string | null;
  readonly voyage: string | null;
  readonly mode: "VESSEL" | "TRUCK" | "RAIL" | "BARGE" | null;
  /** Null: the carrier does not say. */
  readonly laden: boolean | null;
  readonly movement: "export" | "transshipment" | "import" | null;
  /** The type of document of a shipment event. */
  readonly document: string | null;
  readonly booking: string;
  readonly box: string;
  readonly lastFreeDay: string | null;
  /** The answer that first had it, milliseconds since the epoch. */
  readonly statedMs: number;
};

export type StatedPlace = {
  /** UN/LOCODE. */
  readonly port: string;
  /** The terminal's code: the port's own by default. */
  readonly facility: string;
  readonly facilityType: string;
};

/** One carrier: all that it answers about a reference at a moment. */
export type CarrierForm = {
  /** What it leaves out is not in the answer at all. */
  readonly leavesOut?: (statement: Statement) => boolean;
  /** Plans of what has happened stay in the answer. */
  readonly keepsPlans?: true;
  readonly answer: (statements: readonly Statement[], atMs: number) => unknown;
};

export function townOf({ port }: StatedPlace): string {
  return (portOf(port)?.name ?? port).toUpperCase();
}

/** Minutes to add to UTC at the place; documents and unknown places have UTC. */
export function offsetOf({ place, local }: Statement): number {
  const zone = place === null ? null : (portOf(place.port)?.timeZone ?? null);
  if (zone === null) return 0;
  const there = Temporal.PlainDateTime.from(local).toZonedDateTime(zone);
  return there.offsetNanoseconds / 60e9;
}

/** `2026-03-10T18:00:00+08:00`. */
export function withOffset(statement: Statement): string {
  const minutes = offsetOf(statement);
  const two = (amount: number): string => String(amount).padStart(2, "0");
  const absolute = Math.abs(minutes);
  const sign = minutes < 0 ? "-" : "+";
  return `${statement.local}${sign}${two(Math.floor(absolute / 60))}:${two(absolute % 60)}`;
}

/** `2026-03-10T10:00:00Z`. */
export function inUtc(statement: Statement): string {
  const ms = Date.parse(`${statement.local}Z`) - offsetOf(statement) * MINUTE_MS;
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

export function utcTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** A number that looks like an IMO number's, from the vessel's invented name. */
export function imoOf(vessel: string): string {
  const six = String(990_000 - (Buffer.from(vessel).reduce((sum, letter) => sum * 31 + letter, 7) % 90_000));
  const check = [0, 1, 2, 3, 4, 5].reduce((total, index) => total + Number(six[index]) * (7 - index), 0) % 10;
  return `${six}${check}`;
}

/** DCSA's codes. */
export const CLASSIFIERS = { actual: "ACT", estimated: "EST", planned: "PLN" } as const;

/** What each event of 2.2 has; `own`: classifiers that a carrier writes otherwise. */
export function statedOf(statement: Statement, own: Partial<Record<Statement["classifier"], string>> = {}) {
  const { kind, code, classifier, statedMs } = statement;
  return {
    eventType: kind.toUpperCase(),
    [`${kind}EventTypeCode`]: code,
    eventClassifierCode: own[classifier] ?? CLASSIFIERS[classifier],
    eventDateTime: withOffset(statement),
    eventCreatedDateTime: utcTime(statedMs),
  };
}

/** Of a move; `isoCode` null: the carrier names no type of container. */
export function boxOf(
  { kind, box, laden, lastFreeDay }: Statement,
  isoCode: string | null,
  full: "LADEN" | "FULL" = "LADEN",
): object {
  if (kind !== "equipment") return {};
  return {
    equipmentReference: box,
    ...(isoCode !== null && { ISOEquipmentCode: isoCode }),
    ...(laden !== null && { emptyIndicatorCode: laden ? full : "EMPTY" }),
    ...(lastFreeDay !== null && { lastFreeDay }),
  };
}

/** Of an event that is about one. */
export function documentOf({ kind, document, booking }: Statement): object {
  return kind === "shipment" ? { documentTypeCode: document, documentID: booking } : {};
}

export function referencesOf(...references: readonly (readonly [type: string, value: string])[]) {
  const documentReferences = references.map(([type, value]) => ({
    documentReferenceType: type,
    documentReferenceValue: value,
  }));
  return { documentReferences };
}

export function siteOf({ place }: Statement) {
  const { port, facility, facilityType } = place ?? {};
  return { UNLocationCode: port, facilityCode: facility, facilityTypeCode: facilityType };
}

export function vesselOf({ vessel }: Statement): object {
  return vessel === null ? {} : { vessel: { vesselName: vessel, vesselIMONumber: imoOf(vessel) } };
}
