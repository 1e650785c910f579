/** The mode of transport where a carrier leaves it out. */
import { samePlace, type CarrierEvent } from "../sources/carrier-event.ts";

/** Moves that need a mode to be understood. */
const TRANSPORTED: ReadonlySet<string> = new Set(["LOAD", "DISC", "ARRI", "DEPA"]);

/** Facility types that no vessel calls at. */
const INLAND: ReadonlySet<string> = new Set(["INTE", "RAMP", "CLOC", "DEPO", "COFS", "OFFD", "COYA"]);

/**
 * Assumes a vessel where the mode is missing: at places where other statements name a vessel, and, if the
 * carrier states no mode at all, at all places but inland ones. The order of statements does not matter.
 */
export function withModes(statements: readonly CarrierEvent[]): readonly CarrierEvent[] {
  if (!statements.some(lacksMode)) return statements;
  const calls = statements.filter(({ mode }) => mode === "vessel");
  const saysNone = statements.every(({ code, mode }) => !TRANSPORTED.has(code) || mode === null);
  return statements.map((event) => {
    if (!lacksMode(event) || INLAND.has(event.place?.facilityType ?? "")) return event;
    const byVessel = saysNone || calls.some(({ place }) => samePlace(place, event.place));
    return byVessel ? { ...event, mode: "vessel" } : event;
  });
}

function lacksMode({ kind, code, mode }: CarrierEvent): boolean {
  return kind !== "shipment" && mode === null && TRANSPORTED.has(code);
}
