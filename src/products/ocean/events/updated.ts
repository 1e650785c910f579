/** `shipment_updated` of spec 2.4 and 6.3: what differs and no other event has told. */
import type { BoxRecord } from "../record/shipment-record.ts";
import type { ContainerStatus } from "../status/status.ts";
import { lastEtaMs } from "./eta.ts";

/** Order as in the payload. */
export type ChangedField = "status" | "eta" | "vessel" | "discharge" | "carrier";

/** What is known to whoever heard the other events. */
export type RaisedFields = {
  /** What the status events came to. */
  readonly status: ContainerStatus;
  /** `eta_changed` has told of it. */
  readonly eta: boolean;
};

/** A field that the carrier leaves out this time is not news of it: only a value can differ. */
export function changedFields(
  previous: BoxRecord,
  next: BoxRecord,
  told: RaisedFields,
  isOtherCarrier: boolean,
): readonly ChangedField[] {
  const differs: Record<ChangedField, boolean> = {
    status: next.status !== previous.status && next.status !== told.status,
    eta: !told.eta && isNewValue(next.eta?.at.ms, lastEtaMs(previous)),
    vessel: isNewValue(shipName(next), shipName(previous)),
    discharge: isNewValue(next.discharge?.unlocode, previous.discharge?.unlocode),
    carrier: isOtherCarrier,
  };
  return (Object.keys(differs) as ChangedField[]).filter((name) => differs[name]);
}

function isNewValue<T>(next: T, previous: T): boolean {
  return next !== null && next !== undefined && next !== previous;
}

function shipName({ vessel }: BoxRecord): string | null {
  return vessel?.imo ?? vessel?.name ?? null;
}
