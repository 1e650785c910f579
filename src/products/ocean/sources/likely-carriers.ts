/** Which carriers to poll first: by the hint, the prefix of a bill of lading, or a container's owner code. */
import type { Carrier } from "./carriers.ts";
import { ownersOf, sameLineAs } from "../../../freight/references/owner-codes.ts";

/** By its SCAC, a prefix of its bills of lading, or another SCAC of the same line (`MEDU` for `MSCU`). */
export function carrierNamed(carriers: readonly Carrier[], scac: string): Carrier | null {
  const line = sameLineAs(scac);
  return (
    carriers.find((carrier) => carrier.scac === scac) ??
    carriers.find((carrier) => carrier.billPrefixes?.includes(scac)) ??
    carriers.find((carrier) => line.includes(carrier.scac)) ??
    null
  );
}

/** The carriers that the first four letters point to, by the configuration first. */
export function likelyCarriers(carriers: readonly Carrier[], reference: string): readonly Carrier[] {
  const start = reference.slice(0, 4);
  const owners = [...ownersOf(start), ...sameLineAs(start)];
  const configured = carriers.filter(
    ({ scac, billPrefixes, ownerCodes }) =>
      scac === start || billPrefixes?.includes(start) || ownerCodes?.includes(start),
  );
  const known = carriers.filter((carrier) => owners.includes(carrier.scac) && !configured.includes(carrier));
  return [...configured, ...known];
}
