/** `shipment_updated` of spec 2.4 and 6.3: what differs and no other event has told. */
import type { BoxRecord } from "../record/shipment-record.ts";
import type { ContainerStatus } from "../status/status.ts";
import { knownEtaMs } from "./eta.ts";

/** Order as in the payload. */
export type ChangedField = "status" | "eta" | "vessel" | "discharge" | "carrier";

/** What is known to whoever heard the other events. */
export type ToldFields = {
  /** What the status events came to. */
  readonly status: ContainerStatus;
  /** `eta_changed` has told of it. */
  readonly eta: boolean;
};

/** A field that the carrier leaves out this time is not news of it: only a value can differ. */
export function changedFields(
  previous: BoxRecord,
  next: BoxRecord,
  told: ToldFields,
  isOtherCarrier: boolean,
): readonly ChangedField[] {
  const differs: Record<ChangedField, boolean> = {
    status: next.status !== previous.status && next.status !== told.status,
    eta: !told.eta && isNews(next.eta?.at.ms, knownEtaMs(previous)),
    vessel: isNews(shipName(next), shipName(previous)),
    discharge: isNews(next.discharge?.unlocode, previous.discharge?.unlocode),
    carrier: isOtherCarrier,
  };
  return (Object.keys(differs) as ChangedField[]).filter((name) => differs[name]);
}

function isNews<T>(next: T, previous: T): boolean {
  return next !== null && next !== undefined && next !== previous;
}

function shipName({ vessel }: BoxRecord): string | null {
  return vessel?.imo ?? vessel?.name ?? null;
}
