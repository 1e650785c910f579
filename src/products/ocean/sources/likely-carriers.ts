/** Who is asked first: what a hint, a bill of lading's prefix and a container's owner code say of the carrier. */
import type { Carrier } from "./carriers.ts";
import { ownersOf, sameLineAs } from "../../../freight/references/owner-codes.ts";

/**
 * The configured carrier that a SCAC stands for: its own, a prefix of its bills, or another SCAC of the same
 * line (`MEDU` for `MSCU`). Null: none.
 */
export function carrierNamed(carriers: readonly Carrier[], scac: string): Carrier | null {
  const line = sameLineAs(scac);
  return (
    carriers.find((carrier) => carrier.scac === scac) ??
    carriers.find((carrier) => carrier.billPrefixes?.includes(scac)) ??
    carriers.find((carrier) => line.includes(carrier.scac)) ??
    null
  );
}

/** The carriers that a reference's first four letters point to, those of the configuration first. */
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
