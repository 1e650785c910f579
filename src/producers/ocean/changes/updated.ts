/** `shipment_updated` of spec 2.4 and 6.3: what differs and no other event has told. */
import type { BoxRecord } from "../shipment-record.ts";
import type { ContainerStatus } from "../status.ts";
import { knownEtaMs } from "./eta.ts";

/** Order as in the payload. */
export type ChangedField = "status" | "eta" | "vessel" | "discharge" | "carrier";

/** What needs no telling: the status that the status events came to, and fields that others have told. */
export type ToldFields = {
  readonly status: ContainerStatus;
  readonly eta: boolean;
  readonly discharge: boolean;
  readonly carrier: boolean;
};

/** A field that the carrier leaves out this time is not news of it: only a value can differ. */
export function changedFields(
  previous: BoxRecord,
  next: BoxRecord,
  told: ToldFields,
): readonly ChangedField[] {
  const differs: Record<ChangedField, boolean> = {
    status: next.status !== previous.status && next.status !== told.status,
    eta: !told.eta && isNews(next.eta?.at.ms, knownEtaMs(previous)),
    vessel: isNews(shipName(next), shipName(previous)),
    discharge: !told.discharge && isNews(next.discharge?.unlocode, previous.discharge?.unlocode),
    carrier: !told.carrier,
  };
  return (Object.keys(differs) as ChangedField[]).filter((name) => differs[name]);
}

function isNews<T>(next: T, previous: T): boolean {
  return next !== null && next !== undefined && next !== previous;
}

function shipName({ vessel }: BoxRecord): string | null {
  return vessel?.imo ?? vessel?.name ?? null;
}
