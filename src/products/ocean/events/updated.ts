import type { BoxRecord } from "../record/shipment-record.ts";
import type { ContainerStatus } from "../event-data.ts";
import { lastEta } from "./eta.ts";

/** Order as in the payload. */
export type ChangedField = "status" | "eta" | "vessel" | "discharge" | "carrier";

/** What other events report: the last status, and whether the ETA. */
export type RaisedFields = { readonly status: ContainerStatus; readonly eta: boolean };

/**
 * The differences that no other event reports (spec 2.4: shipment_updated; 6.3: shipment_updated). A field that
 * the carrier leaves out has not changed.
 */
export function changedFields(
  previous: BoxRecord,
  next: BoxRecord,
  raised: RaisedFields,
  isOtherCarrier: boolean,
): readonly ChangedField[] {
  const differs: Record<ChangedField, boolean> = {
    status: next.status !== previous.status && next.status !== raised.status,
    eta: !raised.eta && isNewValue(next.eta?.at.ms, lastEta(previous)?.at.ms),
    vessel: isNewValue(vesselKey(next), vesselKey(previous)),
    discharge: isNewValue(next.discharge?.unlocode, previous.discharge?.unlocode),
    carrier: isOtherCarrier,
  };
  return (Object.keys(differs) as ChangedField[]).filter((name) => differs[name]);
}

function isNewValue<T>(next: T, previous: T): boolean {
  return next !== null && next !== undefined && next !== previous;
}

function vesselKey({ vessel }: BoxRecord): string | null {
  return vessel?.imo ?? vessel?.name ?? null;
}
