/** By what a box travels where a carrier does not say. */
import { samePlace, type CarrierEvent } from "../sources/carrier-event.ts";

/** What is done by a means of transport, and says nothing without it. */
const TRANSPORTED: ReadonlySet<string> = new Set(["LOAD", "DISC", "ARRI", "DEPA"]);

/** Places that no ship comes to. */
const INLAND: ReadonlySet<string> = new Set(["INTE", "RAMP", "CLOC", "DEPO", "COFS", "OFFD", "COYA"]);

/**
 * Fills in a ship where no mode is said: at a place where others of the carrier's statements have one,
 * and everywhere, inland places aside, when the carrier says no mode at all. A function of the set.
 */
export function withModes(statements: readonly CarrierEvent[]): readonly CarrierEvent[] {
  if (!statements.some(lacksMode)) return statements;
  const calls = statements.filter(({ mode }) => mode === "vessel");
  const saysNone = statements.every(({ code, mode }) => !TRANSPORTED.has(code) || mode === null);
  return statements.map((event) => {
    if (!lacksMode(event) || INLAND.has(event.place?.facilityType ?? "")) return event;
    const byShip = saysNone || calls.some(({ place }) => samePlace(place, event.place));
    return byShip ? { ...event, mode: "vessel" } : event;
  });
}

function lacksMode({ kind, code, mode }: CarrierEvent): boolean {
  return kind !== "shipment" && mode === null && TRANSPORTED.has(code);
}
