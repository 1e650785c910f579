/** Two records of one shipment → the events that tell the difference (spec 2.4, 3.3, 6.3). */
import type { RaisedEvent } from "../../../model/event.ts";
import { demurrageEvents } from "./demurrage.ts";
import { disruptionEvents, disruptionsOf } from "./disruption.ts";
import type { Draft, EventDrafts } from "./draft.ts";
import { etaEvents } from "./eta.ts";
import { misroutingEvents } from "./misrouting.ts";
import { raisedArrivalAtFirst, statusEvents } from "./status.ts";
import { changedFields } from "./updated.ts";
import { OCEAN_PRODUCT } from "../ocean-product.ts";
import { previousBox } from "../record/record.ts";
import type { FindScheduledCall } from "../scheduled/scheduled-call.ts";
import type { BoxRecord, RecordContext, ShipmentRecord, AlreadyRaised } from "../record/shipment-record.ts";

/** Whose the shipment is, and by what name its owner knows it. */
export type TrackedShipment = { readonly id: string; readonly accountId: string; readonly reference: string };

export type Changes = {
  readonly events: readonly RaisedEvent[];
  /** `next`, and in it what has been told once the events are raised. */
  readonly record: ShipmentRecord;
};

/** The part of the context that events depend on. */
export type ChangeContext = Pick<RecordContext, "armedFromMs"> & {
  /** What the record of schedules has of sailings, where there is one. */
  readonly scheduledAt?: FindScheduledCall;
  /** Whether an event's data is what its type carries: what is not is left out. Absent: nobody checks. */
  readonly isValidEvent?: (type: string, data: object) => boolean;
};

/**
 * The events to raise when `next` takes the place of `previous`. None for a box that is looked at for
 * the first time, whatever it has been through by then: what holds already counts as told. None when
 * nothing changed. What happens once has a key of its own in the box's life, so that a statement taken
 * back and made again is not raised twice.
 */
export function changesBetween(
  tracked: TrackedShipment,
  previous: ShipmentRecord | null,
  next: ShipmentRecord,
  context: ChangeContext,
  nowMs: number,
): Changes {
  const looks = next.boxes.map((box) => {
    const before = previousBox(previous, box.equipment);
    const told =
      before === null || previous === null
        ? { drafts: [], raised: raisedAtFirst(box, context, nowMs) }
        : draftsOf(before, box, {
            tracked,
            context,
            nowMs,
            isOtherCarrier: previous.carrier !== next.carrier,
          });
    return { box: { ...box, told: told.raised }, drafts: told.drafts };
  });
  return {
    events: looks.flatMap(({ box, drafts }) =>
      drafts.flatMap((draft) => raisedEvent(draft, tracked, next, box.equipment, { context, nowMs })),
    ),
    record: { ...next, boxes: looks.map(({ box }) => box) },
  };
}

type CompareContext = {
  readonly tracked: TrackedShipment;
  readonly context: ChangeContext;
  readonly nowMs: number;
  /** Another carrier than before has answered. */
  readonly isOtherCarrier: boolean;
};

function draftsOf(
  before: BoxRecord,
  box: BoxRecord,
  { tracked, context, nowMs, isOtherCarrier }: CompareContext,
): EventDrafts {
  const armed = context.armedFromMs !== null;
  const status = statusEvents(before, box, before.told, armed, nowMs);
  const eta = etaEvents(before, box, status.raised, nowMs);
  const misrouting = misroutingEvents(box, eta.raised);
  const { scheduledAt } = context;
  const trackedBy = boxKey(tracked, box.equipment);
  const disruption = disruptionEvents(box, misrouting.raised, trackedBy, nowMs, scheduledAt);
  const demurrage = demurrageEvents(box, disruption.raised, context.armedFromMs, nowMs);
  const told = [status, eta, misrouting, disruption, demurrage].flatMap(({ drafts }) => drafts);
  const toldFields = { status: status.status, eta: eta.drafts.length > 0 };
  const fields = changedFields(before, box, toldFields, isOtherCarrier);
  const updated = { type: "shipment_updated", data: { changed_fields: fields }, key: null };
  return { drafts: fields.length === 0 ? told : [...told, updated], raised: demurrage.raised };
}

/** What holds when a box is first looked at is not news, then or later. */
function raisedAtFirst(
  box: BoxRecord,
  { armedFromMs, scheduledAt }: ChangeContext,
  nowMs: number,
): AlreadyRaised {
  const demurrage = demurrageEvents(box, box.told, armedFromMs, nowMs).raised;
  return {
    ...demurrage,
    ...raisedArrivalAtFirst(box, demurrage, nowMs),
    misrouted: demurrage.misrouted || box.misrouting !== null,
    disruptions: disruptionsOf(box, nowMs, scheduledAt).map(({ key }) => key),
  };
}

/** One box of one shipment, among all. */
function boxKey(tracked: TrackedShipment, equipment: string | null): string {
  return `${tracked.id}:${equipment ?? ""}`;
}

function raisedEvent(
  { type, data, key }: Draft,
  tracked: TrackedShipment,
  { identifierType }: ShipmentRecord,
  equipment: string | null,
  { context, nowMs }: Pick<CompareContext, "context" | "nowMs">,
): readonly RaisedEvent[] {
  const names = {
    container_id: tracked.id,
    identifier: tracked.reference,
    identifier_type: identifierType,
    ...(equipment === null ? {} : { equipment_reference: equipment }),
  };
  const whole = { ...names, ...data };
  if (context.isValidEvent?.(type, whole) === false) return [];
  const event = {
    product: OCEAN_PRODUCT,
    accountId: tracked.accountId,
    type,
    data: JSON.stringify(whole),
    occurredAtMs: nowMs,
  };
  return [key === null ? event : { ...event, dedupKey: `${boxKey(tracked, equipment)}:${key}` }];
}
