import { airportOf } from "../../../../freight/places/airports.ts";
import { codesOf, nodesOf, plainName, type LinkedDocument, type LinkedNode } from "./json-ld.ts";

/** The IATA airport code of a location: from its `locationCodes`, beside a UN/LOCODE, its `code`, or its IRI's end. */
export function stationOf(
  document: LinkedDocument,
  node: LinkedNode,
  ...names: readonly string[]
): string | null {
  const locations = nodesOf(document, node, ...names);
  const codes = locations.flatMap((location) =>
    codesOf(document, location, "locationCodes", "code", "iataCode", "locationCode"),
  );
  const linked = locations.map(({ id }) => (id === null ? "" : plainName(id)));
  const written = locations.length > 0 ? [] : codesOf(document, node, ...names);
  return (
    [...codes, ...written].find((code) => /^[A-Z]{3}$/.test(code)) ??
    linked.find((code) => airportOf(code) !== null) ??
    null
  );
}
