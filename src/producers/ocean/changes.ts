/** Two records of one shipment → the events that tell the difference (spec 2.4, 3.3, 6.3). */
import type { RaisedEvent } from "../../model/event.ts";
import type { EventTime } from "./carrier-event.ts";
import { boxBefore } from "./record.ts";
import type { IdentifierType } from "./reference.ts";
import type { BoxRecord, RecordContext, ShipmentRecord } from "./shipment-record.ts";
import type { ContainerStatus } from "./status.ts";

/** The product's tag, under which its events are raised. */
export const OCEAN_PRODUCT = "tracking";

/** Whose the shipment is, and by what name its owner knows it. */
export type Tracked = { readonly id: string; readonly accountId: string; readonly reference: string };

/** Order as in the payload (spec 2.4 `changed_fields`). */
export type ChangedField = "status" | "eta" | "vessel" | "discharge" | "carrier";

/** The events, and `next` with what they tell of. */
export type Changes = { readonly events: readonly RaisedEvent[]; readonly record: ShipmentRecord };

/**
 * The events to raise when `next` takes the place of `previous`. None on the first resolution of a
 * box, whatever it has been through by then, and none when nothing changed. Every milestone has a key
 * of its own in the box's life, so that one the carrier takes back and states again is not raised twice.
 */
export function changesBetween(
  tracked: Tracked,
  previous: ShipmentRecord | null,
  next: ShipmentRecord,
  _context: RecordContext,
  nowMs: number,
): Changes {
  const events = next.boxes.flatMap((box) => {
    const before = boxBefore(previous, box.equipment);
    if (previous === null || before === null) return [];
    const names = identity(tracked, next.identifierType, box.equipment);
    return changesOfBox(tracked, names, before, box, previous.carrier !== next.carrier, nowMs);
  });
  return { events, record: next };
}

function changesOfBox(
  tracked: Tracked,
  names: object,
  previous: BoxRecord,
  next: BoxRecord,
  otherCarrier: boolean,
  nowMs: number,
): readonly RaisedEvent[] {
  const raise = (type: string, data: object, dedupKey?: string): RaisedEvent => ({
    product: OCEAN_PRODUCT,
    accountId: tracked.accountId,
    type,
    data: JSON.stringify({ ...names, ...data }),
    occurredAtMs: nowMs,
    ...(dedupKey === undefined ? {} : { dedupKey: `${tracked.id}:${next.equipment ?? ""}:${dedupKey}` }),
  });

  const known = new Set(previous.milestones.map(({ key }) => key));
  const reached = next.milestones.filter(({ key }) => !known.has(key));
  const events = reached.map((milestone) =>
    raise(
      milestone.type,
      { ...statusData(milestone.from, milestone.to, next), ...companionTimes(milestone.at) },
      milestone.key,
    ),
  );
  // Time alone brings this one about, so it has no moment of its own to report.
  const arrived = next.status === "arriving" && previous.status !== "arriving";
  if (arrived) {
    const from = reached.at(-1)?.to ?? previous.status;
    events.push(raise("container_arrived", statusData(from, "arriving", next), "container_arrived"));
  }
  const toldStatus = arrived ? "arriving" : (reached.at(-1)?.to ?? previous.status);
  const changed = changedFields(previous, next, otherCarrier, toldStatus);
  if (changed.length > 0) events.push(raise("shipment_updated", { changed_fields: changed }));
  return events;
}

/**
 * What differs and no status event has told. A field that the carrier leaves out this time is not
 * news of it: only a value can differ.
 */
function changedFields(
  previous: BoxRecord,
  next: BoxRecord,
  otherCarrier: boolean,
  toldStatus: ContainerStatus,
): readonly ChangedField[] {
  const differs: Record<ChangedField, boolean> = {
    status: next.status !== previous.status && next.status !== toldStatus,
    eta: isNews(next.eta?.at.ms, previous.eta?.at.ms),
    vessel: isNews(shipName(next), shipName(previous)),
    discharge: isNews(next.discharge?.unlocode, previous.discharge?.unlocode),
    carrier: otherCarrier,
  };
  return (Object.keys(differs) as ChangedField[]).filter((name) => differs[name]);
}

function isNews<T>(next: T, previous: T): boolean {
  return next !== null && next !== undefined && next !== previous;
}

function shipName({ vessel }: BoxRecord): string | null {
  return vessel?.imo ?? vessel?.name ?? null;
}

function identity(tracked: Tracked, identifierType: IdentifierType | null, equipment: string | null): object {
  return {
    container_id: tracked.id,
    identifier: tracked.reference,
    identifier_type: identifierType,
    ...(equipment === null ? {} : { equipment_reference: equipment }),
  };
}

function statusData(from: ContainerStatus, to: ContainerStatus, { eta }: BoxRecord): object {
  return {
    previous_status: from,
    new_status: to,
    eta: eta === null ? null : new Date(eta.at.ms).toISOString(),
    demurrage_days_overdue: null,
    demurrage_accrued_usd: null,
  };
}

/**
 * The companion times of spec 2.3. An offset that the carrier did not report is absent, and so is the
 * time zone: no carrier reports one, and the port's is not looked up yet.
 */
export function companionTimes(at: EventTime): object {
  return {
    event_date_time: new Date(at.ms).toISOString(),
    event_local_datetime: at.local,
    ...(at.offsetMinutes === null ? {} : { utc_offset_minutes: at.offsetMinutes }),
  };
}
