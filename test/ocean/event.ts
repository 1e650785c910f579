import type { CarrierEvent } from "../../src/products/ocean/sources/carrier-event.ts";

/** Noon UTC of a day of March 2026, milliseconds since the epoch. */
export function march(day: number, hour = 12): number {
  return Date.UTC(2026, 2, day, hour);
}

/** An actual vessel event of the laden box by default. */
export function event(
  code: string,
  unlocode: string | null,
  atMs: number,
  more: Partial<CarrierEvent> = {},
): CarrierEvent {
  const transport = code === "ARRI" || code === "DEPA";
  return {
    kind: transport ? "transport" : "equipment",
    code,
    classifier: "actual",
    at: { ms: atMs, offsetMinutes: 60, local: new Date(atMs + 3_600_000).toISOString().slice(0, 19) },
    createdAtMs: atMs,
    place: unlocode === null ? null : { unlocode, name: null, facility: null, facilityType: null },
    mode: code === "GTIN" || code === "GTOT" ? "truck" : "vessel",
    vessel: null,
    voyage: null,
    equipment: transport ? null : "CSQU3054383",
    laden: transport ? null : true,
    documentType: null,
    documents: [],
    ...more,
  };
}

export function documentEvent(documentType: string, code: string, atMs: number): CarrierEvent {
  return event(code, null, atMs, {
    kind: "shipment",
    documentType,
    mode: null,
    equipment: null,
    laden: null,
  });
}
