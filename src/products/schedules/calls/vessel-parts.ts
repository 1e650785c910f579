/** A vessel's IMO number and name, of which feeds often state one alone: what is left out has not been taken back. */
import type { CallStatement } from "./call-statement.ts";

type Vessel = CallStatement["vessel"];

/** The vessel with what is known of it, where the one part that was stated is that of the vessel known. */
export function withKnownParts(stated: Vessel, known: Vessel): Vessel {
  if (stated.isDummy !== known.isDummy) return stated;
  const isSame =
    stated.imo === null
      ? stated.name !== null && stated.name === known.name
      : stated.name === null && stated.imo === known.imo;
  return isSame ? known : stated;
}

/** The same with what any of them knows, those that come first before the others. */
export function withPartsOf(stated: Vessel, known: readonly Vessel[]): Vessel {
  return known.reduce(withKnownParts, stated);
}
