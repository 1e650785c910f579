/** The filters of a list of shipments, as clients and operators write them in its query. */
import { ContainerStatus } from "../event-data.ts";
import type { ShipmentFilter } from "../../../freight/tracking/store/shipments-read.ts";
import { readReference } from "../../../freight/references/reference.ts";
import { readScac, SCAC_FORM } from "../../../freight/references/owner-codes.ts";

/** A shipment is `pending` until a carrier has answered (spec 3.3: pending). */
export const SHIPMENT_STATUSES: readonly string[] = ["pending", ...ContainerStatus.enum];

type FilterInput = {
  readonly status?: string | undefined;
  readonly carrier?: string | undefined;
  /** In any usual spelling. */
  readonly reference?: string | undefined;
  /** Only shipments that somebody should act on. */
  readonly attention?: boolean | undefined;
};

type ReadFilter =
  | { readonly kind: "filter"; readonly filter: ShipmentFilter }
  | { readonly kind: "invalid"; readonly message: string };

/** `billPrefixes` as for {@link readReference}, so that a reference is read as it was when tracking began. */
export function readFilter(
  { status, carrier, reference, attention = false }: FilterInput,
  billPrefixes: readonly string[],
): ReadFilter {
  if (status !== undefined && !SHIPMENT_STATUSES.includes(status)) {
    return invalid("status", `must be one of ${SHIPMENT_STATUSES.join(", ")}`);
  }
  const scac = carrier === undefined ? null : readScac(carrier);
  if (carrier !== undefined && scac === null) return invalid("carrier", `must be ${SCAC_FORM}`);
  const read = reference === undefined ? null : readReference(reference, billPrefixes);
  if (read?.kind === "invalid")
    return invalid("reference", `must be one that can be tracked: ${read.message}`);
  return {
    kind: "filter",
    filter: {
      reference: read?.text ?? null,
      carrier: scac,
      isAttention: attention,
      statuses: status !== undefined ? [status] : scac === null || attention ? null : SHIPMENT_STATUSES,
    },
  };
}

function invalid(name: keyof FilterInput, message: string): ReadFilter {
  return { kind: "invalid", message: `query.${name} ${message}` };
}
