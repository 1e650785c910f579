/** A vessel's IMO number and name. Feeds often give one alone, which does not retract the other. */
import type { CallStatement } from "./call-statement.ts";

type Vessel = CallStatement["vessel"];

/** If the one part that is stated matches the known vessel, that vessel. */
export function withKnownParts(stated: Vessel, known: Vessel): Vessel {
  if (stated.isDummy !== known.isDummy) return stated;
  const isSame =
    stated.imo === null
      ? stated.name !== null && stated.name === known.name
      : stated.name === null && stated.imo === known.imo;
  return isSame ? known : stated;
}
