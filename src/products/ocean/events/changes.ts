/** Two records of one shipment → the events that report the difference. */
import type { RaisedEvent } from "../../../model/event.ts";
import { demurrageEvents } from "./demurrage.ts";
import { disruptionEvents, withDisruptionsRaised } from "./disruption.ts";
import type { Draft, EventDrafts } from "./draft.ts";
import { etaEvents, raisedEtaAtFirst } from "./eta.ts";
import {
  boundedKeys,
  isRaisedAt,
  keyAt,
  milestoneKeys,
  raisedBy,
  withKeys,
  withRaisedKeys,
} from "./raised-keys.ts";
import { arrivalKeys, statusEvents } from "./status.ts";
import { changedFields } from "./updated.ts";
import { pastRollOvers } from "../status/roll-overs.ts";
import { OCEAN_PRODUCT } from "../ocean-product.ts";
import { previousBox } from "../record/record.ts";
import type { FindScheduledCall } from "../scheduled/scheduled-call.ts";
import {
  type AlreadyRaised,
  type BoxRecord,
  NOTHING_RAISED,
  type RecordContext,
  type ShipmentRecord,
} from "../record/shipment-record.ts";
import type { Place } from "../sources/carrier-event.ts";
import { companionTimesAt } from "../timeline/companion-times.ts";

export type TrackedShipment = { readonly id: string; readonly accountId: string; readonly reference: string };

export type Changes = {
  readonly events: readonly RaisedEvent[];
  /** `next`, with what has been raised once the events are. */
  readonly record: ShipmentRecord;
};

export type ChangeContext = Pick<RecordContext, "armedFromMs"> & {
  /** Null: nobody can say now. Disruptions wait. */
  readonly scheduledAt?: FindScheduledCall | null;
  /** An event whose data does not fit its type is left out. Absent: no check. */
  readonly isValidEvent?: (type: string, data: object) => boolean;
};

/**
 * The events to raise when `next` replaces `previous`. A new box raises none: whatever already holds counts as raised
 * (spec 3.3: first_resolution). An event that happens once has a key, so that a statement retracted and repeated is
 * not raised twice.
 */
export function changesBetween(
  tracked: TrackedShipment,
  previous: ShipmentRecord | null,
  next: ShipmentRecord,
  context: ChangeContext,
  nowMs: number,
): Changes {
  const compared = next.boxes.map((box) => {
    const before = previousBox(previous, box.equipment);
    const changes =
      before === null || previous === null
        ? { drafts: [], raised: raisedAtFirst(box, context, nowMs) }
        : draftsOf(ofSameTrip(before, box, { context, nowMs }), box, {
            tracked,
            context,
            nowMs,
            isOtherCarrier: previous.carrier !== next.carrier,
          });
    const told = boundedKeys(changes.raised, withRaisedKeys(box).milestones);
    return { box: { ...box, told }, drafts: changes.drafts };
  });
  return {
    events: compared.flatMap(({ box, drafts }) =>
      drafts.flatMap((draft) => raisedEvent(draft, tracked, next, box, { context, nowMs })),
    ),
    record: { ...next, boxes: compared.map(({ box }) => box) },
  };
}

/**
 * The box was tracked before its next trip appeared, so all that this trip brings is raised. If the next trip
 * was planned only, and is planned no longer, what is shown of the old one is raised no more than at first.
 */
function ofSameTrip(
  before: BoxRecord,
  box: BoxRecord,
  { context, nowMs }: Pick<CompareContext, "context" | "nowMs">,
): BoxRecord {
  const [was, is] = [before.trip ?? 0, box.trip ?? 0];
  if (was === is) return before;
  const none = { milestones: [], eta: null, etaHistory: [], told: NOTHING_RAISED };
  return is > was
    ? { ...before, ...none }
    : { ...before, ...none, milestones: box.milestones, told: raisedAtFirst(box, context, nowMs) };
}

type CompareContext = {
  readonly tracked: TrackedShipment;
  readonly context: ChangeContext;
  readonly nowMs: number;
  readonly isOtherCarrier: boolean;
};

function draftsOf(
  before: BoxRecord,
  box: BoxRecord,
  { tracked, context, nowMs, isOtherCarrier }: CompareContext,
): EventDrafts {
  const armed = context.armedFromMs !== null;
  const status = statusEvents(
    withRaisedKeys(before),
    withRaisedKeys(box),
    raisedBy(before, nowMs),
    armed,
    nowMs,
  );
  const eta = etaEvents(before, box, status.raised, nowMs);
  const misrouting = misroutingEvents(box, eta.raised);
  const { scheduledAt } = context;
  const dedupPrefix = boxKey(tracked, box);
  const disruption =
    scheduledAt === null
      ? { drafts: [], raised: misrouting.raised }
      : disruptionEvents(box, misrouting.raised, dedupPrefix, nowMs, scheduledAt);
  const demurrage = demurrageEvents(box, disruption.raised, context.armedFromMs, nowMs);
  const drafts = [status, eta, misrouting, disruption, demurrage].flatMap((family) => family.drafts);
  const raisedFields = { status: status.status, eta: eta.drafts.length > 0 };
  const fields = changedFields(before, box, raisedFields, isOtherCarrier);
  const updated = { type: "shipment_updated", data: { changed_fields: fields }, key: null };
  return { drafts: fields.length === 0 ? drafts : [...drafts, updated], raised: demurrage.raised };
}

/** Whatever holds at the first poll of a box is never raised. */
function raisedAtFirst(
  box: BoxRecord,
  { armedFromMs, scheduledAt }: ChangeContext,
  nowMs: number,
): AlreadyRaised {
  const { raised } = demurrageEvents(
    box,
    { ...box.told, keys: milestoneKeys(withRaisedKeys(box).milestones) },
    armedFromMs,
    nowMs,
  );
  const misrouted = box.misrouting === null ? [] : [keyAt("container_misrouted", box.misrouting.discharge)];
  const arrived = box.eta?.actual === true ? [keyAt("container_arrived", box.eta.place ?? null)] : [];
  const withArrival = withKeys(raised, [...arrivalKeys(box, nowMs), ...arrived, ...misrouted]);
  const past = { ...withArrival, disruptions: [...withArrival.disruptions, ...pastRollOvers(box)] };
  return withDisruptionsRaised(box, raisedEtaAtFirst(box, past), nowMs, scheduledAt ?? undefined);
}

/** Unique among the trips of the boxes of all shipments. */
function boxKey({ id }: TrackedShipment, { equipment, trip = 0 }: BoxRecord): string {
  return `${id}:${equipment ?? ""}${trip === 0 ? "" : `:trip_${trip}`}`;
}

/** (spec 2.4: container_id, identifier, identifier_type; 2.3: occurred_at) */
function raisedEvent(
  { type, data, key }: Draft,
  tracked: TrackedShipment,
  { identifierType }: ShipmentRecord,
  box: BoxRecord,
  { context, nowMs }: Pick<CompareContext, "context" | "nowMs">,
): readonly RaisedEvent[] {
  const { equipment } = box;
  const names = {
    container_id: tracked.id,
    identifier: tracked.reference,
    identifier_type: identifierType,
    ...(equipment === null ? {} : { equipment_reference: equipment }),
  };
  const fullData = { ...names, ...data };
  if (context.isValidEvent?.(type, fullData) === false) return [];
  const event = {
    product: OCEAN_PRODUCT,
    accountId: tracked.accountId,
    type,
    data: JSON.stringify(fullData),
    occurredAtMs: nowMs,
  };
  return [key === null ? event : { ...event, dedupKey: `${boxKey(tracked, box)}:${key}` }];
}

/**
 * Once for each port of discharge (spec 2.4: container_misrouted; 6.2: container_misrouted). `status/misrouting.ts`
 * decides where a box is misrouted.
 */
function misroutingEvents({ misrouting }: BoxRecord, raised: AlreadyRaised): EventDrafts {
  const type = "container_misrouted";
  if (misrouting === null || isRaisedAt(raised.keys ?? {}, type, misrouting.discharge))
    return { drafts: [], raised };
  const { at, discharge, expected } = misrouting;
  const key = keyAt(type, discharge);
  const data = {
    discharge_port: unlocodeOf(discharge),
    expected_port: unlocodeOf(expected),
    ...companionTimesAt(at, discharge),
  };
  return {
    drafts: [{ type, data, key }],
    raised: withKeys(raised, [key]),
  };
}

/** Carriers use codes of their own for places without a UN/LOCODE. */
function unlocodeOf({ unlocode }: Place): string | null {
  return unlocode !== null && /^[A-Z]{2}[A-Z2-9]{3}$/.test(unlocode) ? unlocode : null;
}
