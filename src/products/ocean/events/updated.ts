import type { BoxRecord } from "../record/shipment-record.ts";
import type { ContainerStatus } from "../event-data.ts";
import { placeKey, samePlace, type Place, type Vessel } from "../sources/carrier-event.ts";
import { isSameVessel } from "../timeline/calls.ts";
import { lastEta } from "./eta.ts";

/** Order as in the payload. */
export type ChangedField = "status" | "eta" | "vessel" | "discharge" | "carrier";

/** What other events report: the last status, and whether the ETA. */
export type RaisedFields = { readonly status: ContainerStatus; readonly eta: boolean };

/**
 * The differences that no other event reports (spec 2.4: shipment_updated; 6.2: shipment_updated;
 * 6.3: shipment_updated). A field that the carrier leaves out has not changed: what returns is compared with the
 * last one known.
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
    vessel: isOtherVessel(next.vessel, lastVessel(previous)),
    discharge: isOtherPlace(next.discharge, lastDischarge(previous)),
    carrier: isOtherCarrier,
  };
  return (Object.keys(differs) as ChangedField[]).filter((name) => differs[name]);
}

/** What the box has shown of what the carrier leaves out now. */
export function leftOutOf(
  { vessel, discharge }: Pick<BoxRecord, "vessel" | "discharge">,
  before: BoxRecord | null,
): Pick<BoxRecord, "leftOut"> {
  const leftOut = {
    vessel: vessel === null && before !== null ? lastVessel(before) : null,
    discharge: placeKey(discharge) === null && before !== null ? lastDischarge(before) : null,
  };
  return leftOut.vessel === null && leftOut.discharge === null ? {} : { leftOut };
}

function lastVessel({ vessel, leftOut }: BoxRecord): Vessel | null {
  return vessel ?? leftOut?.vessel ?? null;
}

function lastDischarge({ discharge, leftOut }: BoxRecord): Place | null {
  return placeKey(discharge) === null ? (leftOut?.discharge ?? null) : discharge;
}

function isNewValue<T>(next: T, previous: T): boolean {
  return next !== null && next !== undefined && next !== previous;
}

function isOtherVessel(next: Vessel | null, last: Vessel | null): boolean {
  return next !== null && (last === null || !isSameVessel(next, last));
}

function isOtherPlace(next: Place | null, last: Place | null): boolean {
  return placeKey(next) !== null && !samePlace(next, last);
}
